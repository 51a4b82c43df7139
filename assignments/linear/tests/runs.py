from otter.test_files import test_case

OK_FORMAT = False

name = "runs"
points = 1

@test_case(points=None, hidden=False, 
    success_message="it runs for as many steps as asked and returns what was asked for.")
def test_runs(env):
    from autograder.notebook import expect
    expect(env, 'linear', 'runs', 'it runs for as many steps as asked and returns what was asked for')

