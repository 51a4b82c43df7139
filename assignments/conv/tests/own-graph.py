from otter.test_files import test_case

OK_FORMAT = False

name = "own-graph"
points = 3

@test_case(points=None, hidden=False, 
    success_message="every step builds its own graph and lets go of it.")
def test_own_graph(env):
    from autograder.notebook import expect
    expect(env, 'conv', 'own-graph', 'every step builds its own graph and lets go of it')

