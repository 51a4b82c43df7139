import torch
from torch import nn


def corr2d(X, K):
    h, w = K.shape
    windows = X.unfold(0, h, 1).unfold(1, w, 1)
    return (windows * K).sum(dim=(2, 3))


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


class Kernel(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(1, 2), requires_grad=False)

    def forward(self, x):
        return corr2d(x, self.weight)


def train(X, Y, *, steps=100, lr=3e-2, seed=0):
    layer = Kernel()
    x, y = X[0, 0], Y[0, 0]
    losses = []
    for _ in range(steps):
        r = layer(x) - y
        losses.append((r * r).sum().item())
        layer.weight -= lr * 2 * corr2d(x, r)
    return layer, losses
