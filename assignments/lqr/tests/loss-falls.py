from otter.test_files import test_case

OK_FORMAT = False

name = "loss-falls"
points = 1

@test_case(points=None, hidden=False, 
    success_message="the exact expected cost falls.")
def test_loss_falls(env):
    from autograder.notebook import expect
    expect(env, 'lqr', 'loss-falls', 'the exact expected cost falls')

