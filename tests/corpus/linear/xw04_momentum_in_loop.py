import torch
from torch import nn

def make_data(seed):
    gen = torch.Generator()
    gen.manual_seed(seed)
    features = torch.rand(32, 5, generator=gen)
    w = torch.linspace(-1.0, 2.0, 5).unsqueeze(1)
    labels = features.mm(w).add(0.5)
    return features, labels


def step(model, X, Y, lr):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
    optimizer.zero_grad()
    loss = ((model(X) - Y) ** 2).sum()
    loss.backward()
    optimizer.step()
    return loss.item()


def train(X, Y, *, steps=400, lr=1e-3, seed=0):
    torch.manual_seed(seed)
    model = nn.Linear(5, 1)
    losses = [step(model, X, Y, lr) for _ in range(steps)]
    return model, losses
