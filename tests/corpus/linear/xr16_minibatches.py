import itertools

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

def make_data(seed):
    g = torch.Generator().manual_seed(seed)
    X = torch.rand((32, 5), generator=g)
    Y = X @ torch.arange(1.0, 6.0).reshape(5, 1) + 2.0
    return X, Y


def forever(loader):
    while True:
        yield from loader


def train(X, Y, *, steps=3000, lr=0.04, seed=0):
    torch.manual_seed(seed)
    layer = nn.Linear(5, 1)
    loader = DataLoader(TensorDataset(X, Y), batch_size=8, shuffle=True)
    opt = torch.optim.SGD(layer.parameters(), lr=lr)
    decay = torch.optim.lr_scheduler.ExponentialLR(opt, gamma=0.999)
    losses = []
    for xb, yb in itertools.islice(forever(loader), steps):
        loss = ((layer(xb) - yb) ** 2).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
        decay.step()
        losses.append(loss.item())
    return layer, losses
