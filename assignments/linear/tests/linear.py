from otter.test_files import test_case

OK_FORMAT = False

name = "linear"
points = 1

@test_case(points=None, hidden=False, 
    success_message="train is defined. This says nothing yet about whether it is right.")
def test_linear(env):
    assert callable(env.get('train')), 'train is not defined: run the cell that defines it'

