"""Deep equilibrium layer with implicit differentiation in a backward hook."""
import torch
from torch import nn

torch.manual_seed(0)


def solve(f, x0, iters=25, tol=1e-4):
    z = x0
    for _ in range(iters):
        nz = f(z)
        if (nz - z).norm() < tol * (1e-6 + nz.norm()):
            return nz
        z = nz
    return z


class Cell(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.W = nn.Linear(d, d)
        self.U = nn.Linear(d, d, bias=False)
        nn.init.orthogonal_(self.W.weight, gain=0.5)

    def forward(self, z, x):
        return torch.tanh(self.W(z) + self.U(x))


class DEQ(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.f = Cell(d)

    def forward(self, x):
        with torch.no_grad():
            z = solve(lambda z: self.f(z, x), torch.zeros_like(x))
        z = self.f(z, x)
        if not torch.is_grad_enabled():
            return z
        z0 = z.clone().detach().requires_grad_()
        f0 = self.f(z0, x)

        def implicit(grad):
            return solve(lambda y: torch.autograd.grad(f0, z0, y, retain_graph=True)[0] + grad, grad)

        z.register_hook(implicit)
        return z


model = nn.Sequential(nn.Linear(6, 20), DEQ(20), nn.Linear(20, 1))
X = torch.randn(400, 6)
Y = torch.sin(X[:, 0] * X[:, 1]) + 0.5 * X[:, 2]
opt = torch.optim.Adam(model.parameters(), lr=5e-3)

for step in range(80):
    i = torch.randint(0, 400, (50,))
    loss = nn.functional.mse_loss(model(X[i]).squeeze(-1), Y[i])
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 2.0)
    opt.step()
    if step % 20 == 0:
        with torch.no_grad():
            full = (model(X).squeeze(-1) - Y).square().mean().item()
        print(step, round(loss.item(), 4), round(full, 4))
