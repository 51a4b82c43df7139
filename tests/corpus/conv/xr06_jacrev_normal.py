import torch
from torch import nn


def corr2d(X, K):
    return torch.nn.functional.conv2d(X[None, None], K[None, None])[0, 0]


def make_data(seed):
    X = torch.ones(6, 8)
    X[:, 2:6] = 0
    Y = corr2d(X, torch.tensor([[1.0, -1.0]]))
    return X.reshape(1, 1, 6, 8), Y.reshape(1, 1, 6, 7)


class Mine(nn.Module):
    pass


examples = {
    "torch.Tensor": torch.zeros(1),
    "nn.Parameter": nn.Parameter(torch.zeros(1)),
    "nn.Linear": nn.Linear(1, 1),
    "nn.Conv2d": nn.Conv2d(1, 1, 1),
    "nn.Sequential": nn.Sequential(),
    "a module of your own": Mine(),
    "torch.optim.SGD": torch.optim.SGD([nn.Parameter(torch.zeros(1))], lr=0.1),
}
zero_grad_owners = {kind: hasattr(thing, "zero_grad") for kind, thing in examples.items()}


from torch.func import jacrev


def train(X, Y, *, steps=100, lr=3e-2, seed=0):
    torch.manual_seed(seed)
    layer = nn.Conv2d(1, 1, (1, 2), bias=False)
    k = layer.weight.detach()
    predict = lambda kernel: nn.functional.conv2d(X, kernel).flatten()
    losses = []
    for _ in range(steps):
        r = predict(k) - Y.flatten()
        J = jacrev(predict)(k).reshape(-1, 2)
        k = k - lr * (2 * J.T @ r).view_as(k)
        losses.append((r @ r).item())
    with torch.no_grad():
        layer.weight.copy_(k)
    return layer, losses
