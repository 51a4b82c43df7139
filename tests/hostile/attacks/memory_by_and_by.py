# says: memory-limit
def train(X, Y, *, steps=600, lr=0.01, seed=0):
    kept = []
    while True:
        kept.append(b"x" * 20_000_000)
