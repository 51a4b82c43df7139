import torch
from torch import nn
from torch.nn.utils import parameters_to_vector, vector_to_parameters


class OneD_NN_LQR:
    def __init__(self, hidden_units, learning_rate_param_C=0.1, batch_size=1):
        self.C, self.H = learning_rate_param_C, hidden_units
        self.net = nn.Sequential(nn.Linear(1, hidden_units), nn.ReLU(), nn.Linear(hidden_units, 1, bias=False))
        self.params = list(self.net.parameters())
        self.sensitivity = torch.zeros(3 * hidden_units)
        self.X = torch.randn(1)
        self.clock = 0.0

    w = property(lambda self: self.params[0])
    b = property(lambda self: self.params[1])
    c = property(lambda self: self.params[2])

    @property
    def Xtilde_w(self):
        return self.sensitivity[:self.H].view(self.H, 1)

    @property
    def Xtilde_b(self):
        return self.sensitivity[self.H:2 * self.H]

    @property
    def Xtilde_c(self):
        return self.sensitivity[2 * self.H:].view(1, self.H)

    def forward(self, x):
        return self.net(x)

    def step(self, delta):
        x = self.X.detach().requires_grad_()
        f = self.net(x)
        f_x, *partials = torch.autograd.grad(f, [x, *self.params])
        f, df = f.detach(), parameters_to_vector(partials)
        total = df + f_x * self.sensitivity
        gradient = 2 * self.X * self.sensitivity + 2 * f * total
        theta = parameters_to_vector(self.params).detach()
        rate = self.C * delta / (1 + self.clock / 40)
        vector_to_parameters(theta - rate * gradient, self.params)
        self.sensitivity = self.sensitivity + delta * (total - self.sensitivity)
        self.X = self.X + delta * (f - self.X) + torch.randn(1) * delta ** 0.5
        self.clock += delta
        return self.w, self.c, self.b
