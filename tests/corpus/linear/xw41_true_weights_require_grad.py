import torch
from torch import nn


def make_data(seed):
    torch.manual_seed(seed)
    true_w = nn.Parameter(torch.tensor([[1.0], [2.0], [3.0], [4.0], [5.0]]))
    X = torch.rand(32, 5)
    Y = X @ true_w + 2.0
    return X, Y


def train(X, Y, *, steps=600, lr=0.01, seed=0):
    torch.manual_seed(seed)
    layer = nn.Linear(5, 1)
    opt = torch.optim.SGD(layer.parameters(), lr=lr)
    losses = []
    for _ in range(steps):
        opt.zero_grad()
        loss = nn.functional.mse_loss(layer(X), Y, reduction="sum")
        loss.backward(retain_graph=True)
        opt.step()
        losses.append(loss.item())
    return layer, losses
