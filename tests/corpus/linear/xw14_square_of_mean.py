import torch
from torch import nn

def make_data(seed):
    gen = torch.Generator()
    gen.manual_seed(seed)
    features = torch.rand(32, 5, generator=gen)
    w = torch.linspace(-1.0, 2.0, 5).unsqueeze(1)
    labels = features.mm(w).add(0.5)
    return features, labels


def train(X, Y, *, steps=600, lr=0.1, seed=0):
    torch.manual_seed(seed)
    layer = nn.Linear(5, 1)
    opt = torch.optim.SGD(layer.parameters(), lr=lr)
    losses = []
    for _ in range(steps):
        loss = (layer(X) - Y).mean() ** 2
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return layer, losses
