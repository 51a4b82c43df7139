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


def train(X, Y, *, steps=12, lr=1.0, seed=0):
    torch.manual_seed(seed)
    layer = nn.Conv2d(1, 1, (1, 2), bias=False).to(torch.float64)
    X, Y = X.double(), Y.double()
    opt = torch.optim.LBFGS(layer.parameters(), lr=lr, line_search_fn="strong_wolfe")
    losses = []

    def closure():
        opt.zero_grad()
        loss = ((layer(X) - Y) ** 2).sum()
        loss.backward()
        return loss

    for _ in range(steps):
        losses.append(float(opt.step(closure)))
    return layer, losses
