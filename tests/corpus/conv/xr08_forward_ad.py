import torch
from torch import nn


def corr2d(X, K):
    h, w = K.shape
    rows, cols = X.shape[0] - h + 1, X.shape[1] - w + 1
    return sum(X[i:i + rows, j:j + cols] * K[i, j] for i in range(h) for j in range(w))


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


import torch.autograd.forward_ad as fwAD


def train(X, Y, *, steps=100, lr=3e-2, seed=0):
    torch.manual_seed(seed)
    layer = nn.Conv2d(1, 1, (1, 2), bias=False)
    k = layer.weight.detach().clone()
    losses = []
    for _ in range(steps):
        slope = torch.zeros_like(k)
        for j in range(2):
            e = torch.zeros_like(k)
            e[..., j] = 1.0
            with fwAD.dual_level():
                out = nn.functional.conv2d(X, fwAD.make_dual(k, e))
                value, d = fwAD.unpack_dual(((out - Y) ** 2).sum())
            slope[..., j] = d
        losses.append(value.item())
        k = k - lr * slope
    layer.weight.data = k
    return layer, losses
