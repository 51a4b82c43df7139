import torch
from torch.autograd.functional import jacobian


class OneD_NN_LQR:
    def __init__(self, hidden_units, learning_rate_param_C=0.1, batch_size=1):
        self.C = learning_rate_param_C
        h = hidden_units
        self.w = torch.randn(h, 1)
        self.b = torch.randn(h) * 0.5
        self.c = torch.randn(1, h) / h
        self.Xtilde_w, self.Xtilde_b, self.Xtilde_c = torch.zeros(3, h, 1).unbind(0)
        self.X = torch.zeros(1, 1)
        self.age = 0

    @staticmethod
    def network(x, w, b, c):
        return c @ torch.relu(w @ x + b.unsqueeze(1))

    def forward(self, x):
        return self.network(torch.as_tensor(x).reshape(1, 1), self.w, self.b, self.c)

    def step(self, delta):
        point = (self.X, self.w, self.b, self.c)
        f = self.network(*point)
        f_x, *partials = jacobian(self.network, point)
        f_x = f_x.reshape(1, 1)
        rate = self.C * delta * 600 / (600 + self.age)
        for name, partial in zip("wbc", partials):
            tilde = getattr(self, "Xtilde_" + name)
            total = partial.reshape(-1, 1) + f_x * tilde
            setattr(self, "Xtilde_" + name, tilde + delta * (total - tilde))
            param = getattr(self, name)
            param -= rate * (2 * self.X * tilde + 2 * f * total).reshape(param.shape)
        self.X = self.X + delta * (f - self.X) + torch.randn(1, 1) * delta ** 0.5
        self.age += 1
        return self.w, self.c, self.b
