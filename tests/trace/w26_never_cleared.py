"""The gradients are never cleared."""
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
hyper = nn.Sequential(nn.Linear(1, 16), nn.ReLU(), nn.Linear(16, 3))
opt = torch.optim.Adam(hyper.parameters(), 0.01)
for step in range(60):
    task = torch.rand(1)
    p = hyper(task)
    x = torch.randn(20, 2)
    y = task * x[:, 0] + x[:, 1]
    loss = ((x @ p[:2] + p[2] - y) ** 2).mean()
    loss.backward()
    opt.step()
