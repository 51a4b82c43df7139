import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
blocks = nn.ModuleList(nn.Sequential(nn.Linear(16, 16), nn.ReLU()) for _ in range(4))
head = nn.Linear(16, 1)
opt = torch.optim.SGD([*blocks.parameters(), *head.parameters()], lr=0.05)
x, y = torch.randn(32, 16), torch.randn(32, 1)
for step in range(12):
    h = x.clone().requires_grad_()
    for block in blocks:
        h = checkpoint(block, h, use_reentrant=True)
    loss = ((head(h) - y) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(step, loss.item())
