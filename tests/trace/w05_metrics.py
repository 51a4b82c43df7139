from collections import defaultdict
import torch
from torch import nn

torch.manual_seed(0)
enc, dec = nn.Linear(8, 4), nn.Linear(2, 8)
opt = torch.optim.Adam([*enc.parameters(), *dec.parameters()], lr=0.01)
data = torch.randn(64, 2) @ torch.randn(2, 8)
metrics = defaultdict(list)
for step in range(30):
    mu, logvar = enc(data).chunk(2, dim=1)
    z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
    rec = (dec(z) - data).square().sum(1).mean()
    kl = 0.5 * (mu ** 2 + logvar.exp() - logvar - 1).sum(1).mean()
    loss = rec + 0.1 * kl
    opt.zero_grad()
    loss.backward()
    opt.step()
    metrics["kl"].append(kl)
    metrics["reconstruction"].append(rec.item())
print(metrics["reconstruction"][-1], max(metrics["kl"]).item())
