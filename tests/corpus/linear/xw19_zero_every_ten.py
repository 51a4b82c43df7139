import torch
from torch import nn

def make_data(seed):
    gen = torch.Generator()
    gen.manual_seed(seed)
    features = torch.rand(32, 5, generator=gen)
    w = torch.linspace(-1.0, 2.0, 5).unsqueeze(1)
    labels = features.mm(w).add(0.5)
    return features, labels


def train(X, Y, *, steps=1500, lr=5e-4, seed=0):
    torch.manual_seed(seed)
    layer = nn.Linear(5, 1)
    opt = torch.optim.SGD(layer.parameters(), lr=lr)
    accumulate = 10
    losses = []
    for t in range(steps):
        loss = ((layer(X) - Y) ** 2).sum()
        loss.backward()
        opt.step()
        if (t + 1) % accumulate == 0:
            opt.zero_grad()
        losses.append(loss.item())
    return layer, losses
