import torch
from torch import nn

def make_data(seed):
    g = torch.Generator().manual_seed(seed)
    X = torch.rand((32, 5), generator=g)
    Y = X @ torch.arange(1.0, 6.0).reshape(5, 1) + 2.0
    return X, Y


def train(X, Y, *, steps=900, lr=0.95, seed=0):
    torch.manual_seed(seed)
    layer = nn.Linear(5, 1)
    params = list(layer.parameters())
    losses = []
    for _ in range(steps):
        loss = ((layer(X) - Y) ** 2).sum()
        slopes = torch.autograd.grad(loss, params)
        with torch.no_grad():
            along = X @ slopes[0].T + slopes[1]
            size = sum((g * g).sum() for g in slopes) / (2 * along.square().sum()).clamp(min=1e-30)
            for p, g in zip(params, slopes):
                p.sub_(lr * size * g)
        losses.append(loss.item())
    return layer, losses
