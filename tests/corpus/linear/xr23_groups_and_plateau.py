import torch
from torch import nn

def make_data(seed):
    gen = torch.Generator()
    gen.manual_seed(seed)
    features = torch.rand(32, 5, generator=gen)
    w = torch.linspace(-1.0, 2.0, 5).unsqueeze(1)
    labels = features.mm(w).add(0.5)
    return features, labels


def train(X, Y, *, steps=800, lr=0.01, seed=0):
    torch.manual_seed(seed)
    model = nn.Sequential()
    model.add_module("fc", nn.Linear(5, 1))
    optimizer = torch.optim.SGD(
        [{"params": [model.fc.weight]}, {"params": [model.fc.bias], "lr": lr / 2}], lr=lr
    )
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.7, patience=60)
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(X), Y, reduction="sum")
        loss.backward()
        optimizer.step()
        plateau.step(loss.item())
        losses.append(loss.item())
    return model, losses
