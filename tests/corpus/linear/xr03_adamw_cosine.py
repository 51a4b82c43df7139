import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim.lr_scheduler import CosineAnnealingLR

def make_data(seed):
    gen = torch.Generator()
    gen.manual_seed(seed)
    features = torch.rand(32, 5, generator=gen)
    w = torch.linspace(-1.0, 2.0, 5).unsqueeze(1)
    labels = features.mm(w).add(0.5)
    return features, labels


def train(X, Y, *, steps=1500, lr=0.5, seed=0):
    torch.manual_seed(seed)
    layer = nn.Linear(5, 1)
    optim = torch.optim.AdamW(layer.parameters(), lr=lr, weight_decay=0.0)
    schedule = CosineAnnealingLR(optim, T_max=steps)
    losses = []
    for step in range(1, steps + 1):
        loss = F.mse_loss(layer(X), Y)
        optim.zero_grad()
        loss.backward()
        optim.step()
        schedule.step()
        losses.append(float(loss))
    return layer, losses
