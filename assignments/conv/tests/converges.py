from otter.test_files import test_case

OK_FORMAT = False

name = "converges"
points = 2

@test_case(points=None, hidden=False, 
    success_message="the parameters arrive where they must.")
def test_converges(env):
    from autograder.notebook import expect
    expect(env, 'conv', 'converges', 'the parameters arrive where they must')

