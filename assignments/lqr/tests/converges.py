from otter.test_files import test_case

OK_FORMAT = False

name = "converges"
points = 1

@test_case(points=None, hidden=False, 
    success_message="the control law arrives where it must, by its exact cost.")
def test_converges(env):
    from autograder.notebook import expect
    expect(env, 'lqr', 'converges', 'the control law arrives where it must, by its exact cost')

