# says: memory-limit
def train(X, Y, *, steps=600, lr=0.01, seed=0):
    return nn.Linear(5, 1), torch.zeros(25_000_000_000)
