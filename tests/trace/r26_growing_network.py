"""Layers are added during training: graphs grow, and each step has its own."""
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
layers = nn.ModuleList([nn.Linear(4, 4)])
head = nn.Linear(4, 1)
x, y = (torch.randn(64, 4), torch.randn(64, 1))
opt = torch.optim.Adam([*layers.parameters(), *head.parameters()], lr=0.01)
for step in range(90):
    if step in (30, 60):
        new = nn.Linear(4, 4)
        nn.init.eye_(new.weight)
        nn.init.zeros_(new.bias)
        layers.append(new)
        opt.add_param_group({'params': new.parameters()})
    h = x
    for layer in layers:
        h = torch.tanh(layer(h))
    loss = F.mse_loss(head(h), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
