import torch
from torch import nn

torch.manual_seed(0)
critic = nn.Sequential(nn.Linear(2, 24), nn.Tanh(), nn.Linear(24, 1))
opt = torch.optim.Adam(critic.parameters(), lr=1e-3)
norms = []
for step in range(25):
    real = torch.randn(32, 2) + 1
    fake = torch.randn(32, 2) - 1
    mix = torch.rand(32, 1)
    points = (mix * real + (1 - mix) * fake).requires_grad_()
    (slope,) = torch.autograd.grad(critic(points).sum(), points, create_graph=True)
    norm = slope.norm(dim=1)
    norms.append(norm.mean())
    loss = critic(fake).mean() - critic(real).mean() + 10 * (norm - 1).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(norms[0].item(), norms[-1].item())
