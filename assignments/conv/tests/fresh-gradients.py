from otter.test_files import test_case

OK_FORMAT = False

name = "fresh-gradients"
points = 1

@test_case(points=None, hidden=False, 
    success_message="every update uses the gradient of its own step, once.")
def test_fresh_gradients(env):
    from autograder.notebook import expect
    expect(env, 'conv', 'fresh-gradients', 'every update uses the gradient of its own step, once')

