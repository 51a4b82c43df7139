import torch
from torch.func import grad_and_value


def control(x, w, b, c):
    return (c @ torch.relu(w[:, 0] * x + b)).squeeze()


class OneD_NN_LQR:
    def __init__(self, hidden_units, learning_rate_param_C=0.1, batch_size=1):
        self.C = learning_rate_param_C
        self.w = torch.empty(hidden_units, 1).uniform_(-1, 1)
        self.b = torch.empty(hidden_units).uniform_(-1, 1)
        self.c = torch.empty(1, hidden_units).uniform_(-1, 1) / hidden_units ** 0.5
        self.Xtilde_w = torch.zeros_like(self.w)
        self.Xtilde_b = torch.zeros_like(self.b)
        self.Xtilde_c = torch.zeros_like(self.c)
        self.X = torch.tensor(1.0)
        self.t = 0.0

    def forward(self, x):
        return control(torch.as_tensor(x), self.w, self.b, self.c)

    def step(self, delta):
        slopes = grad_and_value(control, argnums=(0, 1, 2, 3))
        (f_x, f_w, f_b, f_c), f = slopes(self.X, self.w, self.b, self.c)
        rate = self.C * delta / (1 + 0.02 * self.t)
        tildes = (self.Xtilde_w, self.Xtilde_b, self.Xtilde_c)
        partials = (f_w, f_b, f_c)
        gradients = [2 * self.X * xt + 2 * f * (df + f_x * xt) for xt, df in zip(tildes, partials)]
        self.Xtilde_w, self.Xtilde_b, self.Xtilde_c = (
            xt + delta * ((f_x - 1) * xt + df) for xt, df in zip(tildes, partials)
        )
        self.X = self.X + delta * (f - self.X) + delta ** 0.5 * torch.randn(())
        self.w = self.w - rate * gradients[0]
        self.b = self.b - rate * gradients[1]
        self.c = self.c - rate * gradients[2]
        self.t += delta
        return self.w, self.c, self.b
