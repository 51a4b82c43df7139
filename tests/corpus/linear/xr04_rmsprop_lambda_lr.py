import torch
from torch import nn

def make_data(seed):
    g = torch.Generator().manual_seed(seed)
    X = torch.rand((32, 5), generator=g)
    Y = X @ torch.arange(1.0, 6.0).reshape(5, 1) + 2.0
    return X, Y


def train(X, Y, *, steps=2500, lr=0.05, seed=0):
    torch.manual_seed(seed)
    layer = nn.Linear(5, 1)
    opt = torch.optim.RMSprop(layer.parameters(), lr=lr, alpha=0.9)
    decay = torch.optim.lr_scheduler.LambdaLR(opt, lambda t: 0.995 ** t)
    losses = []
    for _ in range(steps):
        loss = nn.functional.mse_loss(layer(X), Y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        decay.step()
        losses.append(loss.item())
    return layer, losses
