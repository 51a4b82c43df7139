# says: timeout
import time
def train(X, Y, *, steps=600, lr=0.01, seed=0):
    time.sleep(3600)
