from otter.test_files import test_case

OK_FORMAT = False

name = "lqr"
points = 1

@test_case(points=None, hidden=False, 
    success_message="OneD_NN_LQR is defined. This says nothing yet about whether it is right.")
def test_lqr(env):
    assert callable(env.get('OneD_NN_LQR')), 'OneD_NN_LQR is not defined: run the cell that defines it'

