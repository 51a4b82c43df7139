"""The queue holds attached outputs of earlier steps."""
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
q, k = (nn.Linear(8, 4), nn.Linear(8, 4))
k.load_state_dict(q.state_dict())
for p in k.parameters():
    p.requires_grad_(False)
queue = F.normalize(torch.randn(64, 4), dim=1)
opt = torch.optim.SGD(q.parameters(), lr=0.05, momentum=0.9)
for step in range(80):
    x = torch.randn(16, 8)
    z = F.normalize(q(x + 0.1 * torch.randn_like(x)), dim=1)
    with torch.no_grad():
        for a, b in zip(q.parameters(), k.parameters()):
            b.mul_(0.99).add_(a, alpha=0.01)
        t = F.normalize(k(x), dim=1)
    logits = torch.cat([(z * t).sum(1, keepdim=True), z @ queue.T], 1) / 0.2
    loss = F.cross_entropy(logits, torch.zeros(16, dtype=torch.long))
    opt.zero_grad()
    loss.backward()
    opt.step()
    queue = torch.cat([z, queue])[:64]
