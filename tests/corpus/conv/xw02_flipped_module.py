import torch
from torch import nn


def corr2d(X, K):
    K = torch.flip(K, dims=(0, 1))
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


class Conv2D(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(1, 2))

    def forward(self, x):
        return corr2d(x, self.weight)


def train(X, Y, *, steps=100, lr=3e-2, seed=0):
    torch.manual_seed(seed)
    layer = Conv2D()
    losses = []
    for _ in range(steps):
        loss = ((layer(X[0, 0]) - Y[0, 0]) ** 2).sum()
        layer.zero_grad()
        loss.backward()
        layer.weight.data -= lr * layer.weight.grad
        losses.append(loss.item())
    return layer, losses
