import torch


def network(theta, x, h):
    w, b, c = theta[:h], theta[h:2 * h], theta[2 * h:]
    return torch.dot(c, torch.relu(w * x + b))


class OneD_NN_LQR:
    """One flat double vector; jacobian-vector products give the whole derivative at once."""

    def __init__(self, hidden_units, learning_rate_param_C=0.2, batch_size=1):
        self.h = hidden_units
        self.theta = torch.randn(3 * hidden_units, dtype=torch.float64) * 0.4
        self.tilde = torch.zeros(3 * hidden_units, dtype=torch.float64)
        self.state = torch.tensor(0.5, dtype=torch.float64)
        self.C = learning_rate_param_C
        self.random = torch.Generator().manual_seed(int(torch.randint(2 ** 31, ())))
        self.k = 0.0

    X = property(lambda self: self.state)
    w = property(lambda self: self.theta[:self.h].view(-1, 1))
    b = property(lambda self: self.theta[self.h:2 * self.h])
    c = property(lambda self: self.theta[2 * self.h:].view(1, -1))
    Xtilde_w = property(lambda self: self.tilde[:self.h].view(-1, 1))
    Xtilde_b = property(lambda self: self.tilde[self.h:2 * self.h])
    Xtilde_c = property(lambda self: self.tilde[2 * self.h:].view(1, -1))

    def forward(self, x):
        return network(self.theta, x.double(), self.h).float()

    def step(self, delta):
        theta = self.theta.clone().requires_grad_()
        x = self.state.clone().requires_grad_()
        u = network(theta, x, self.h)
        u.backward()
        u = u.detach()
        whole = theta.grad + x.grad * self.tilde
        rate = delta * self.C / (1 + self.k / 50)
        self.theta = self.theta - rate * 2 * (self.state * self.tilde + u * whole)
        self.tilde = self.tilde + delta * (whole - self.tilde)
        noise = torch.randn((), generator=self.random, dtype=torch.float64)
        self.state = self.state + delta * (u - self.state) + delta ** 0.5 * noise
        self.k += delta
        return self.w, self.c, self.b
