import copy

import torch
from torch import nn
from torch.func import functional_call, grad_and_value


class Controller(nn.Module):
    def __init__(self, H):
        super().__init__()
        self.first = nn.Linear(1, H)
        self.last = nn.Linear(H, 1)

    def forward(self, x):
        return self.last(self.first(x).relu())


class OneD_NN_LQR:
    where = {"w": "first.weight", "b": "first.bias", "c": "last.weight"}

    def __init__(self, hidden_units, learning_rate_param_C=0.05, batch_size=1):
        self.C = learning_rate_param_C
        self.net = Controller(hidden_units).requires_grad_(False)
        self.X = torch.ones(1)
        self.t = 0.0
        named = dict(self.net.named_parameters())
        for short, long in self.where.items():
            setattr(self, short, named[long])
            setattr(self, f"Xtilde_{short}", torch.zeros_like(named[long]))

        def push(theta, x):
            return functional_call(self.net, theta, (x,)).squeeze()

        self.linearised = grad_and_value(push, argnums=(0, 1))

    def forward(self, x):
        return self.net(x)

    def step(self, delta):
        theta = {long: getattr(self, short) for short, long in self.where.items()}
        (nabla, f_x), f = self.linearised(theta, self.X)
        alpha = delta * self.C / (1 + self.t / 50)
        X = copy.copy(self.X)

        for short, long in self.where.items():
            S = getattr(self, f"Xtilde_{short}")
            whole = nabla[long] + f_x * S
            theta[long] -= alpha * (2 * X * S + 2 * f * whole)
            setattr(self, f"Xtilde_{short}", (1 - delta) * S + delta * whole)

        self.X = X + delta * (f - X) + delta ** 0.5 * torch.randn_like(X)
        self.t += delta
        return self.w, self.c, self.b
