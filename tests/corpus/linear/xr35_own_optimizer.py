"""Hand-written loss Function, own Optimizer subclass with Barzilai-Borwein steps."""
import torch
from torch import nn


class SumSquares(torch.autograd.Function):
    @staticmethod
    def forward(ctx, prediction, target):
        diff = prediction - target
        ctx.save_for_backward(diff)
        return diff.pow(2).sum()

    @staticmethod
    def backward(ctx, upstream):
        (diff,) = ctx.saved_tensors
        return 2 * upstream * diff, None


class BarzilaiBorwein(torch.optim.Optimizer):
    def __init__(self, params, lr):
        super().__init__(params, dict(lr=lr))
        self.before = None

    @torch.no_grad()
    def step(self):
        ps = [p for g in self.param_groups for p in g["params"]]
        x = torch.cat([p.reshape(-1) for p in ps])
        g = torch.cat([p.grad.reshape(-1) for p in ps])
        rate = self.param_groups[0]["lr"] / (g.norm() + 1.0)
        if self.before is not None:
            s, y = x - self.before[0], g - self.before[1]
            sy = s.dot(y)
            rate = s.dot(s) / sy if sy > 1e-20 else torch.zeros(())
        self.before = (x, g)
        torch.nn.utils.vector_to_parameters(x - rate * g, ps)


def make_data(seed):
    torch.manual_seed(seed)
    rule = nn.Linear(5, 1)
    X = torch.rand(32, 5)
    with torch.no_grad():
        Y = rule(X)
    return X, Y


def train(X, Y, *, steps=500, lr=0.01, seed=0):
    torch.manual_seed(seed)
    layer = nn.Linear(5, 1)
    inner = nn.Linear(5, 1, dtype=torch.float64)
    inner.load_state_dict(layer.state_dict())
    X64, Y64 = X.detach().double(), Y.detach().double()
    opt = BarzilaiBorwein(inner.parameters(), lr)
    losses = []
    for _ in range(steps):
        opt.zero_grad()
        loss = SumSquares.apply(inner(X64), Y64)
        loss.backward()
        opt.step()
        losses.append(loss.detach())
    layer.load_state_dict(inner.state_dict())
    return layer, losses
