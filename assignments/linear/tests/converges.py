from otter.test_files import test_case

OK_FORMAT = False

name = "converges"
points = 3

@test_case(points=None, hidden=False, 
    success_message="the parameters arrive where they must.")
def test_converges(env):
    from autograder.notebook import expect
    expect(env, 'linear', 'converges', 'the parameters arrive where they must')

