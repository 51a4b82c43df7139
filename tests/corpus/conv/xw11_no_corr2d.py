import torch
from torch import nn


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
    layer = nn.Conv2d(1, 1, (1, 2), bias=False)
    losses = []
    for _ in range(steps):
        loss = ((layer(X) - Y) ** 2).sum()
        layer.zero_grad()
        loss.backward()
        layer.weight.data[:] -= lr * layer.weight.grad
        losses.append(loss.item())
    return layer, losses
