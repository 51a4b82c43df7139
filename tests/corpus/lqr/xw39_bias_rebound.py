import torch
from torch import nn


class OneD_NN_LQR:
    def __init__(self, hidden_units, learning_rate_param_C=0.1, batch_size=1):
        self.C = learning_rate_param_C
        self.net = nn.Sequential(nn.Linear(1, hidden_units), nn.ReLU(), nn.Linear(hidden_units, 1, bias=False))
        self.w, self.b, self.c = self.net[0].weight, self.net[0].bias, self.net[2].weight
        self.X = torch.ones(1)
        self.Xtilde_w = torch.zeros(hidden_units, 1)
        self.Xtilde_b = torch.zeros(hidden_units)
        self.Xtilde_c = torch.zeros(1, hidden_units)
        self.clock = 0.0

    def forward(self, x):
        return self.net(x)

    def _linearise(self):
        x = self.X.detach().requires_grad_()
        f = self.forward(x)
        grads = torch.autograd.grad(f, [x, *self.net.parameters()])
        return (f.detach(), *grads)

    @staticmethod
    def _slope(X, f, whole, S):
        return 2 * X * S + 2 * f * whole

    def step(self, delta):
        f, f_x, g_w, g_b, g_c = self._linearise()
        X, rate = self.X, delta * self.C / (1 + self.clock / 50)
        whole_w = g_w + f_x * self.Xtilde_w
        whole_b = g_b + f_x * self.Xtilde_b
        whole_c = g_c + f_x * self.Xtilde_c

        with torch.no_grad():
            self.w -= rate * self._slope(X, f, whole_w, self.Xtilde_w)
            self.c -= rate * self._slope(X, f, whole_c, self.Xtilde_c)
            self.b = self.b - rate * self._slope(X, f, whole_b, self.Xtilde_b)

        self.Xtilde_w = torch.lerp(self.Xtilde_w, whole_w, delta)
        self.Xtilde_b = torch.lerp(self.Xtilde_b, whole_b, delta)
        self.Xtilde_c = torch.lerp(self.Xtilde_c, whole_c, delta)
        self.X = torch.lerp(X, f, delta) + delta ** 0.5 * torch.randn(1)
        self.clock += delta
        return self.w, self.c, self.b
