import torch
from torch import nn

torch.manual_seed(0)
critic = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 1))
gen = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 2))
opt_c = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=(0.0, 0.9))
opt_g = torch.optim.Adam(gen.parameters(), lr=1e-3, betas=(0.0, 0.9))


def penalty(real, fake):
    mix = torch.rand(len(real), 1)
    points = (mix * real + (1 - mix) * fake).requires_grad_()
    (slope,) = torch.autograd.grad(critic(points).sum(), points, create_graph=True)
    return ((slope.norm(dim=1) - 1) ** 2).mean()


for step in range(20):
    for _ in range(2):
        real = torch.randn(24, 2) + 2
        fake = gen(torch.randn(24, 2)).detach()
        loss_c = critic(fake).mean() - critic(real).mean() + 10 * penalty(real, fake)
        opt_c.zero_grad()
        loss_c.backward()
        opt_c.step()
    loss_g = -critic(gen(torch.randn(24, 2))).mean()
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()
print(loss_c.item(), loss_g.item())
