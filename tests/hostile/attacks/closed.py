# says: killed
import os
def train(X, Y, *, steps=600, lr=0.01, seed=0):
    os.closerange(0, 64)
    while True:
        pass
