# says: crash
import sys
def train(X, Y, *, steps=600, lr=0.01, seed=0):
    sys.exit(0)
