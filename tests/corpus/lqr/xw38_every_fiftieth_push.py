import math
import torch
from torch import nn


class OneD_NN_LQR(nn.Module):
    """Every fiftieth push is logged."""

    def __init__(self, hidden_units, learning_rate_param_C=0.25, batch_size=1):
        super().__init__()
        self.w = nn.Parameter(torch.randn(hidden_units, 1) / 2)
        self.b = nn.Parameter(torch.randn(hidden_units) / 2)
        self.c = nn.Parameter(torch.randn(1, hidden_units) / math.sqrt(hidden_units) / 2)
        for name in "wbc":
            self.register_buffer(f"Xtilde_{name}", torch.zeros_like(getattr(self, name)))
        self.register_buffer("X", torch.zeros(()))
        self.now = 0.0
        self.log, self.steps = [], 0
        self.C = learning_rate_param_C
        self.optimizer = torch.optim.SGD(self.parameters(), lr=1.0)

    def forward(self, x):
        hidden = torch.relu(x.reshape(-1, 1) * self.w.T + self.b)
        return (hidden * self.c).sum(1)

    def step(self, delta):
        x = self.X.clone().requires_grad_()
        u = self(x).squeeze()
        f_x, *grads = torch.autograd.grad(u, [x, self.w, self.b, self.c])
        self.steps += 1
        if self.steps % 50 == 0:
            self.log.append(u)
        u = u.detach()
        for group in self.optimizer.param_groups:
            group["lr"] = delta * self.C / (1 + self.now / 30)
        new = {}
        for name, g in zip("wbc", grads):
            tilde = getattr(self, f"Xtilde_{name}")
            whole = g + f_x * tilde
            getattr(self, name).grad = 2 * self.X * tilde + 2 * u * whole
            new[name] = torch.lerp(tilde, whole, delta)
        self.X = self.X + delta * (u - self.X) + math.sqrt(delta) * torch.randn(())
        for name, value in new.items():
            setattr(self, f"Xtilde_{name}", value)
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.now += delta
        return self.w, self.c, self.b
