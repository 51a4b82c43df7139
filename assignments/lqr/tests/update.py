from otter.test_files import test_case

OK_FORMAT = False

name = "update"
points = 2

@test_case(points=None, hidden=False, 
    success_message="w, b and c all move along the cost&#x27;s gradient.")
def test_update(env):
    from autograder.notebook import expect
    expect(env, 'lqr', 'update', "w, b and c all move along the cost's gradient")

