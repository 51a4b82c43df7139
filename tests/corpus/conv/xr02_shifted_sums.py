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


class Conv2D(nn.Module):
    def __init__(self, kernel_size):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(kernel_size))

    def forward(self, x):
        return corr2d(x, self.weight)


def train(X, Y, *, steps=80, lr=3e-2, seed=0):
    torch.manual_seed(seed)
    layer = Conv2D((1, 2))
    image, target = X.squeeze(), Y.squeeze()
    losses = []
    for _ in range(steps):
        loss = (layer(image) - target).pow(2).sum()
        layer.zero_grad()
        loss.backward()
        with torch.no_grad():
            layer.weight.add_(layer.weight.grad, alpha=-lr)
        losses.append(loss.item())
    return layer, losses
