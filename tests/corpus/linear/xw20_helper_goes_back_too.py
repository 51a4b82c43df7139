import torch
from torch import nn

def make_data(seed):
    g = torch.Generator().manual_seed(seed)
    X = torch.rand((32, 5), generator=g)
    Y = X @ torch.arange(1.0, 6.0).reshape(5, 1) + 2.0
    return X, Y


def gradient_norm(model, loss):
    loss.backward(retain_graph=True)
    return sum(p.grad.norm() ** 2 for p in model.parameters()) ** 0.5


def train(X, Y, *, steps=900, lr=4e-3, seed=0):
    torch.manual_seed(seed)
    layer = nn.Linear(5, 1)
    opt = torch.optim.SGD(layer.parameters(), lr=lr)
    losses = []
    for _ in range(steps):
        opt.zero_grad()
        loss = ((layer(X) - Y) ** 2).sum()
        if gradient_norm(layer, loss) > 1e6:
            print("exploding")
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return layer, losses
