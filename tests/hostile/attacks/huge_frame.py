# says: killed
import os
def train(X, Y, *, steps=600, lr=0.01, seed=0):
    os.write(4, b"\xff" * 4)
    while True:
        os.write(4, b"x" * 60_000)
