"""Implicit differentiation: a custom Function calls autograd.grad many times on one graph."""
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)

class Solve(torch.autograd.Function):

    @staticmethod
    def forward(ctx, z, W, x):
        ctx.save_for_backward(z, W, x)
        return z.clone()

    @staticmethod
    def backward(ctx, g):
        z, W, x = ctx.saved_tensors
        with torch.enable_grad():
            z, W, x = (t.detach().requires_grad_() for t in (z, W, x))
            f = torch.tanh(z @ W.T + x)
        u = g
        for _ in range(20):
            u = g + torch.autograd.grad(f, z, u, retain_graph=True)[0]
        return (None, *torch.autograd.grad(f, (W, x), u))
W = nn.Parameter(0.1 * torch.randn(4, 4))
inp, out = (nn.Linear(3, 4), nn.Linear(4, 1))
opt = torch.optim.SGD([W, *inp.parameters(), *out.parameters()], lr=0.05)
X = torch.randn(32, 3)
Y = X.sum(1, keepdim=True)
for step in range(60):
    x = inp(X)
    with torch.no_grad():
        z = torch.zeros(32, 4)
        for _ in range(20):
            z = torch.tanh(z @ W.T + x)
    loss = F.mse_loss(out(Solve.apply(z, W, x)), Y)
    opt.zero_grad()
    loss.backward()
    opt.step()
