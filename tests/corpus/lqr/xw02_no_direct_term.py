import torch
from torch import nn


class OneD_NN_LQR:
    def __init__(self, hidden_units, learning_rate_param_C=0.1, batch_size=1):
        self.C = learning_rate_param_C
        self.net = nn.Sequential(nn.Linear(1, hidden_units), nn.ReLU(), nn.Linear(hidden_units, 1, bias=False))
        self.w, self.b, self.c = self.net[0].weight, self.net[0].bias, self.net[2].weight
        self.Xtilde_w = torch.zeros(hidden_units, 1)
        self.Xtilde_b = torch.zeros(hidden_units)
        self.Xtilde_c = torch.zeros(1, hidden_units)
        self.X = torch.ones(1)
        self.time = 0.0

    def forward(self, x):
        return self.net(x)

    def step(self, delta):
        x = self.X.detach().requires_grad_()
        f = self.forward(x)
        grads = torch.autograd.grad(f, [x, self.w, self.b, self.c])
        f, f_x = f.detach(), grads[0]
        rate = self.C * delta / (1 + self.time / 50)
        with torch.no_grad():
            for name, grad in zip("wbc", grads[1:]):
                param, tilde = getattr(self, name), getattr(self, "Xtilde_" + name)
                cost_grad = 2 * self.X * tilde + 2 * f * (grad + f_x * tilde)
                setattr(self, "Xtilde_" + name, tilde + delta * (-tilde + f_x * tilde))
                param.sub_(rate * cost_grad)
            self.X = self.X + delta * (-self.X + f) + delta ** 0.5 * torch.randn(1)
        self.time += delta
        return self.w, self.c, self.b
