import math

import torch
from torch import nn


class OneD_NN_LQR:
    def __init__(self, hidden_units, learning_rate_param_C=0.1, batch_size=1):
        self.C = learning_rate_param_C
        self.hidden = nn.Linear(1, hidden_units)
        self.readout = nn.Linear(hidden_units, 1, bias=False)
        self.w, self.b, self.c = self.hidden.weight, self.hidden.bias, self.readout.weight
        self.Xtilde_w = torch.zeros(hidden_units, 1)
        self.Xtilde_b = torch.zeros(hidden_units)
        self.Xtilde_c = torch.zeros(1, hidden_units)
        self.X = torch.ones(1)
        self.t = 0.0
        self.cost = 0.0

    def forward(self, x):
        return self.readout(torch.relu(self.hidden(x)))

    def evaluate(self):
        x = self.X.detach().requires_grad_()
        f = self.forward(x)
        f_x, f_w, f_b, f_c = torch.autograd.grad(f, (x, self.w, self.b, self.c))
        self.cost = self.cost + (x ** 2 + f ** 2)
        return f.detach(), f_x, f_w, f_b, f_c

    def rate(self, delta):
        return self.C * delta / (1 + self.t / 50)

    def step(self, delta):
        f, f_x, f_w, f_b, f_c = self.evaluate()
        with torch.no_grad():
            g_w = 2 * self.X * self.Xtilde_w + 2 * f * (f_w + f_x * self.Xtilde_w)
            g_b = 2 * self.X * self.Xtilde_b + 2 * f * (f_b + f_x * self.Xtilde_b)
            g_c = 2 * self.X * self.Xtilde_c + 2 * f * (f_c + f_x * self.Xtilde_c)
            self.Xtilde_w = self.Xtilde_w + delta * (f_w + (f_x - 1) * self.Xtilde_w)
            self.Xtilde_b = self.Xtilde_b + delta * (f_b + (f_x - 1) * self.Xtilde_b)
            self.Xtilde_c = self.Xtilde_c + delta * (f_c + (f_x - 1) * self.Xtilde_c)
            noise = math.sqrt(delta) * torch.randn(1)
            self.X = self.X + delta * (-self.X + f) + noise
            self.w -= self.rate(delta) * g_w
            self.b -= self.rate(delta) * g_b
            self.c -= self.rate(delta) * g_c
        self.t += delta
        return self.w, self.c, self.b
