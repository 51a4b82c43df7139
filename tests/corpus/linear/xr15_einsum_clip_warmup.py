import torch
from torch import nn

def make_data(seed):
    gen = torch.Generator()
    gen.manual_seed(seed)
    features = torch.rand(32, 5, generator=gen)
    w = torch.linspace(-1.0, 2.0, 5).unsqueeze(1)
    labels = features.mm(w).add(0.5)
    return features, labels


def train(X, Y, *, steps=700, lr=0.01, seed=0):
    torch.manual_seed(seed)
    layer = nn.Linear(5, 1)
    optimizer = torch.optim.SGD(layer.parameters(), lr=lr)
    warmup = torch.optim.lr_scheduler.LinearLR(optimizer, start_factor=0.1, total_iters=20)
    losses = []
    for _ in range(steps):
        r = layer(X) - Y
        loss = torch.einsum("ij,ij->", r, r)
        for p in layer.parameters():
            p.grad = None
        loss.backward()
        torch.nn.utils.clip_grad_norm_(layer.parameters(), max_norm=1e5)
        optimizer.step()
        warmup.step()
        losses.append(loss.item())
    return layer, losses
