import torch
from torch import nn
from torch.func import grad, hessian

def make_data(seed):
    g = torch.Generator().manual_seed(seed)
    X = torch.rand((32, 5), generator=g)
    Y = X @ torch.arange(1.0, 6.0).reshape(5, 1) + 2.0
    return X, Y


def train(X, Y, *, steps=8, lr=1.0, seed=0):
    torch.manual_seed(seed)
    layer = nn.Linear(5, 1)
    A = torch.cat([X, torch.ones(len(X), 1)], dim=1)

    def cost(theta):
        return (A @ theta - Y.squeeze(1)).square().sum()

    theta = torch.cat([layer.weight.detach()[0], layer.bias.detach()])
    losses = []
    for _ in range(steps):
        losses.append(cost(theta).item())
        theta = theta - lr * torch.linalg.solve(hessian(cost)(theta), grad(cost)(theta))
    layer.weight.data.copy_(theta[None, :5])
    layer.bias.data.copy_(theta[5:])
    return layer, losses
