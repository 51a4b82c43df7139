import torch
from torch import nn


def corr2d(X, K):
    h, w = K.shape
    Y = torch.zeros(X.shape[0] - h + 1, X.shape[1] - w + 1)
    for i in range(Y.shape[0]):
        for j in range(Y.shape[1]):
            Y[i, j] = (X[i:i + h, j:j + w] * K).sum()
    return Y


def make_data(seed):
    X = torch.ones(6, 8)
    X[:, 2:6] = 0
    K = torch.tensor([[1.0, -1.0]])
    Y = corr2d(X, K)
    return X.reshape(1, 1, 6, 8), Y.reshape(1, 1, 6, 7)


def train(X, Y, *, steps=100, lr=3e-2, seed=0):
    torch.manual_seed(seed)
    layer = nn.Conv2d(1, 1, kernel_size=(1, 2), bias=False)
    losses = []
    shown = {}
    for step in range(steps):
        loss = ((layer(X) - Y) ** 2).sum()
        layer.zero_grad()
        loss.backward()
        with torch.no_grad():
            layer.weight -= lr * layer.weight.grad
        losses.append(loss.item())
        if step % 20 == 0:
            shown[step] = layer(X)
    return layer, losses


zero_grad_owners = {
    "nn.Linear": True,
    "nn.Conv2d": True,
    "nn.Sequential": True,
    "a module of your own": True,
    "torch.optim.SGD": True,
    "torch.Tensor": False,
    "nn.Parameter": False,
}
