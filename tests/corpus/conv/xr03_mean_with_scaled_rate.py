import torch
from torch import nn


def corr2d(X, K):
    return torch.nn.functional.conv2d(X[None, None], K[None, None])[0, 0]


def make_data(seed):
    X = torch.ones(6, 8)
    X[:, 2:6] = 0
    Y = corr2d(X, torch.tensor([[1.0, -1.0]]))
    return X.reshape(1, 1, 6, 8), Y.reshape(1, 1, 6, 7)


zero_grad_owners = {
    "nn.Linear": True,
    "nn.Conv2d": True,
    "nn.Sequential": True,
    "a module of your own": True,
    "torch.optim.SGD": True,
    "torch.Tensor": False,
    "nn.Parameter": False,
}


def train(X, Y, *, steps=100, lr=3e-2, seed=0):
    torch.manual_seed(seed)
    conv2d = nn.Conv2d(1, 1, (1, 2), bias=False)
    opt = torch.optim.SGD(conv2d.parameters(), lr=lr * Y.numel())
    mse = nn.MSELoss()
    losses = []
    for _ in range(steps):
        opt.zero_grad()
        loss = mse(conv2d(X), Y)
        loss.backward()
        opt.step()
        losses.append(loss.detach())
    return conv2d, losses
