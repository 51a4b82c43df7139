import torch
from torch import nn

def make_data(seed):
    torch.manual_seed(seed)
    true_w = torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0])
    true_b = 2.0
    X = torch.rand(32, 5)
    Y = torch.mv(X, true_w) + true_b
    return X, Y.reshape(-1, 1)


@torch.no_grad()
def train(X, Y, *, steps=500, lr=2e-3, seed=0):
    torch.manual_seed(seed)
    layer = nn.Linear(5, 1)
    velocity = [torch.zeros_like(p) for p in layer.parameters()]
    losses = []
    for _ in range(steps):
        with torch.enable_grad():
            loss = ((layer(X) - Y) ** 2).sum()
            grads = torch.autograd.grad(loss, tuple(layer.parameters()))
        for p, v, g in zip(layer.parameters(), velocity, grads):
            v.mul_(0.9).add_(g)
            p.sub_(lr * v)
        losses.append(loss.item())
    return layer, losses
