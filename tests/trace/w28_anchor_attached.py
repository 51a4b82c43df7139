"""The anchor of the penalty is computed from the parameters once, attached."""
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
m = nn.Linear(4, 2)
x, y = (torch.randn(64, 4), torch.randint(0, 2, (64,)))
fisher = {n: torch.zeros_like(p) for n, p in m.named_parameters()}
for i in range(16):
    m.zero_grad()
    F.cross_entropy(m(x[i:i + 1]), y[i:i + 1]).backward()
    for n, p in m.named_parameters():
        fisher[n] += p.grad.detach() ** 2 / 16
star = {n: p * 1.0 for n, p in m.named_parameters()}
opt = torch.optim.SGD(m.parameters(), lr=0.1)
for step in range(60):
    loss = F.cross_entropy(m(x), y) + sum(((fisher[n] * (p - star[n]) ** 2).sum() for n, p in m.named_parameters()))
    opt.zero_grad()
    loss.backward()
    opt.step()
