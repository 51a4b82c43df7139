from otter.test_files import test_case

OK_FORMAT = False

name = "loss-falls"
points = 2

@test_case(points=None, hidden=False, 
    success_message="the loss falls on data not seen before.")
def test_loss_falls(env):
    from autograder.notebook import expect
    expect(env, 'linear', 'loss-falls', 'the loss falls on data not seen before')

