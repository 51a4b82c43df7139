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


zero_grad_owners = {
    "nn.Linear": True,
    "nn.Conv2d": True,
    "nn.Sequential": True,
    "a module of your own": True,
    "torch.optim.SGD": True,
    "torch.Tensor": False,
    "nn.Parameter": False,
}


class Correlate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, X, K):
        ctx.save_for_backward(X, K)
        return corr2d(X, K)

    @staticmethod
    def backward(ctx, upstream):
        X, K = ctx.saved_tensors
        return None, corr2d(X, upstream)


class Edge(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(1, 2) - 0.5)

    def forward(self, x):
        return Correlate.apply(x, self.weight)


def train(X, Y, *, steps=90, lr=3e-2, seed=0):
    torch.manual_seed(seed)
    layer = Edge()
    opt = torch.optim.SGD(layer.parameters(), lr=lr)
    losses = []
    for _ in range(steps):
        loss = ((layer(X[0, 0]) - Y[0, 0]) ** 2).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return layer, losses
