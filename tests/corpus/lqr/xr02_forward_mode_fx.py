import math

import torch
from torch import nn
from torch.func import jvp


class OneD_NN_LQR:
    def __init__(self, hidden_units, learning_rate_param_C=0.1, batch_size=1):
        self.C = learning_rate_param_C
        self.inner = nn.Linear(1, hidden_units)
        self.outer = nn.Linear(hidden_units, 1, bias=False)
        for p in (*self.inner.parameters(), *self.outer.parameters()):
            p.requires_grad_(False)
        self.w, self.b, self.c = self.inner.weight, self.inner.bias, self.outer.weight
        self.Xtilde_w = torch.zeros(hidden_units, 1)
        self.Xtilde_b = torch.zeros(hidden_units)
        self.Xtilde_c = torch.zeros(1, hidden_units)
        self.X = torch.zeros(1)
        self.steps = 0

    def forward(self, x):
        return self.outer(torch.relu(self.inner(x)))

    def step(self, delta):
        f, f_x = jvp(self.forward, (self.X,), (torch.ones(1),))
        z = self.w[:, 0] * self.X + self.b
        f_b = self.c[0] * (z > 0)
        f_w = (f_b * self.X).unsqueeze(1)
        f_c = torch.relu(z).unsqueeze(0)
        rate = delta * self.C / math.sqrt(1 + 0.01 * self.steps)
        updates = []
        for p, name, df in ((self.w, "Xtilde_w", f_w), (self.b, "Xtilde_b", f_b), (self.c, "Xtilde_c", f_c)):
            tilde = getattr(self, name)
            updates.append((p, 2 * self.X * tilde + 2 * f * (df + f_x * tilde)))
            setattr(self, name, tilde + delta * (-tilde + df + f_x * tilde))
        self.X = self.X + delta * (-self.X + f) + math.sqrt(delta) * torch.randn(1)
        for p, g in updates:
            p -= rate * g
        self.steps += 1
        return self.w, self.c, self.b
