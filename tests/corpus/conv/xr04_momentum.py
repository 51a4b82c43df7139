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


def train(X, Y, *, steps=300, lr=1e-2, seed=0):
    torch.manual_seed(seed)
    net = nn.Conv2d(1, 1, kernel_size=(1, 2), bias=False)
    optimizer = torch.optim.SGD(net.parameters(), lr=lr, momentum=0.9)
    losses = []
    for _ in range(steps):
        l = ((net(X) - Y) ** 2).sum()
        optimizer.zero_grad()
        l.backward()
        optimizer.step()
        losses.append(l.item())
    return net, losses
