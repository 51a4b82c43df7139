import torch
from torch import nn

torch.manual_seed(0)
u = nn.Sequential(nn.Linear(1, 20), nn.Tanh(), nn.Linear(20, 1))
optimizer = torch.optim.Adam(u.parameters(), lr=5e-3)
t0 = torch.zeros(1, 1)
for epoch in range(40):
    t = torch.rand(30, 1, requires_grad=True)
    out = u(t)
    (du,) = torch.autograd.grad(out.sum(), t, create_graph=True)
    (ddu,) = torch.autograd.grad(du.sum(), t, create_graph=True)
    residual = ddu + 4 * out
    start = (u(t0) - 1).square().mean()
    loss = residual.square().mean() + 10 * start
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if epoch % 10 == 0:
        print(epoch, loss.item())
