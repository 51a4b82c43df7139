"""Gradient accumulation over a DataLoader's chunks; two parameter groups; inputs standardised
inside and the scaling folded back into the layer at the end."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def make_data(seed):
    torch.manual_seed(seed)
    X = torch.rand(32, 5)
    w = torch.tensor([[1.0], [2.0], [3.0], [4.0], [5.0]])
    Y = X @ w + 2.0
    return X, Y


def train(X, Y, *, steps=400, lr=0.5, seed=0):
    torch.manual_seed(seed)
    layer = nn.Linear(5, 1)
    X, Y = X.detach(), Y.detach()
    mean, std = X.mean(0), X.std(0).clamp_min(1e-6)
    with torch.no_grad():                       # the same function, in standard coordinates
        layer.bias += layer.weight @ mean
        layer.weight *= std
    loader = DataLoader(TensorDataset((X - mean) / std, Y), batch_size=12)  # 12 + 12 + 8
    opt = torch.optim.SGD(
        [
            {"params": [layer.weight], "momentum": 0.8, "lr": lr / 64 / 2},
            {"params": [layer.bias], "lr": lr / 64},
        ],
        lr=lr / 64,
    )
    losses = []
    for _ in range(steps):
        opt.zero_grad()
        total = 0.0
        for xb, yb in loader:
            part = nn.functional.mse_loss(layer(xb), yb, reduction="sum")
            part.backward()                     # adds this chunk's share to .grad
            total += part.item()
        opt.step()
        losses.append(total)
    with torch.no_grad():
        layer.weight /= std
        layer.bias -= layer.weight @ mean
    return layer, losses
