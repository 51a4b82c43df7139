from otter.test_files import test_case

OK_FORMAT = False

name = "sensitivity"
points = 2

@test_case(points=None, hidden=False, 
    success_message="the path follows the equation, and the sensitivities are its derivative.")
def test_sensitivity(env):
    from autograder.notebook import expect
    expect(env, 'lqr', 'sensitivity', 'the path follows the equation, and the sensitivities are its derivative')

