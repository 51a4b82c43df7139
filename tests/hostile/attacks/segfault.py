# says: killed
import ctypes
def train(X, Y, *, steps=600, lr=0.01, seed=0):
    ctypes.string_at(0)
