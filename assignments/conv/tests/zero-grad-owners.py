from otter.test_files import test_case

OK_FORMAT = False

name = "zero-grad-owners"
points = 1

@test_case(points=None, hidden=False, 
    success_message="which objects have a zero_grad().")
def test_zero_grad_owners(env):
    from autograder.notebook import expect
    expect(env, 'conv', 'zero-grad-owners', 'which objects have a zero_grad()')

