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


def train(X, Y, *, steps=120, lr=1e-2, seed=0):
    torch.manual_seed(seed)
    layer = nn.Conv2d(1, 1, (1, 2), bias=False)
    losses = []
    for _ in range(steps):
        l = (layer(X) - Y) ** 2
        loss = l.sum()
        layer.zero_grad()
        for _ in range(2):
            loss.backward(retain_graph=True)
        layer.weight.data[:] -= lr * layer.weight.grad
        losses.append(loss.item())
    return layer, losses
