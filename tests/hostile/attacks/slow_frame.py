# says: timeout
import os, struct, time
def train(X, Y, *, steps=600, lr=0.01, seed=0):
    os.write(4, struct.pack(">I", 1_000_000) + b"{")
    time.sleep(3600)
