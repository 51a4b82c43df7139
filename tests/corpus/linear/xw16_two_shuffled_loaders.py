import torch
from torch import nn
from torch.utils.data import DataLoader

def make_data(seed):
    g = torch.Generator().manual_seed(seed)
    X = torch.rand((32, 5), generator=g)
    Y = X @ torch.arange(1.0, 6.0).reshape(5, 1) + 2.0
    return X, Y


def train(X, Y, *, steps=600, lr=0.02, seed=0):
    torch.manual_seed(seed)
    layer = nn.Linear(5, 1)
    features = DataLoader(X, batch_size=16, shuffle=True)
    labels = DataLoader(Y, batch_size=16, shuffle=True)
    opt = torch.optim.SGD(layer.parameters(), lr=lr)
    losses = []
    for _ in range(steps):
        total = 0.0
        for xb, yb in zip(features, labels):
            loss = ((layer(xb) - yb) ** 2).sum()
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        losses.append(total)
    return layer, losses
