import torch


class OneD_NN_LQR:
    """No autograd at all: the derivatives of a ReLU network by hand."""

    def __init__(self, hidden_units, learning_rate_param_C=0.2, batch_size=1):
        bound = hidden_units ** -0.5
        self.w = torch.empty(hidden_units, 1).uniform_(-1, 1)
        self.b = torch.empty(hidden_units).uniform_(-1, 1)
        self.c = torch.empty(1, hidden_units).uniform_(-bound, bound)
        self.Xtilde_w = torch.zeros_like(self.w)
        self.Xtilde_b = torch.zeros_like(self.b)
        self.Xtilde_c = torch.zeros_like(self.c)
        self.copy = (self.w.clone(), self.b.clone(), self.c.clone())
        self.X = 1.0
        self.C = learning_rate_param_C
        self.t = 0.0

    def forward(self, x):
        x = torch.as_tensor(x, dtype=torch.float32).reshape(-1, 1)
        w, b, c = self.copy
        return (torch.relu(x @ w.T + b) @ c.T).reshape(-1)

    def step(self, delta):
        h = self.w[:, 0] * self.X + self.b
        on = (h > 0).float()
        f = float(self.c[0] @ (h * on))
        f_x = float(self.c[0] @ (on * self.w[:, 0]))
        grads = {"w": (self.c[0] * on * self.X).reshape(-1, 1), "b": self.c[0] * on,
                 "c": (h * on).reshape(1, -1)}
        rate = delta * self.C / (1 + self.t / 50)
        for name, g in grads.items():
            tilde = getattr(self, "Xtilde_" + name)
            total = g + f_x * tilde
            p = getattr(self, name)
            p -= rate * (2 * self.X * tilde + 2 * f * total)
            tilde += delta * (total - tilde)
        self.X += delta * (f - self.X) + delta ** 0.5 * torch.randn(()).item()
        self.t += delta
        return self.w, self.c, self.b
