import torch
from torch.func import grad_and_value, functional_call
from torch import nn


class Policy(nn.Module):
    def __init__(self, h):
        super().__init__()
        self.inner = nn.Linear(1, h)
        self.outer = nn.Linear(h, 1, bias=False)

    def forward(self, x):
        return self.outer(torch.relu(self.inner(x)))


class OneD_NN_LQR:
    names = {"w": "inner.weight", "b": "inner.bias", "c": "outer.weight"}

    def __init__(self, hidden_units, learning_rate_param_C=0.3, batch_size=1):
        self.policy = Policy(hidden_units)
        self.C, self.elapsed = learning_rate_param_C, 0.0
        self.X = torch.ones(1)
        self.tilde = {k: torch.zeros_like(p).detach() for k, p in self.policy.named_parameters()}

    def __getattr__(self, name):
        if name in OneD_NN_LQR.names:
            return dict(self.__dict__["policy"].named_parameters())[OneD_NN_LQR.names[name]]
        if name.startswith("Xtilde_"):
            return self.__dict__["tilde"][OneD_NN_LQR.names[name[7:]]]
        raise AttributeError(name)

    def forward(self, x):
        return self.policy(x)

    def step(self, delta):
        params = {k: p.detach() for k, p in self.policy.named_parameters()}

        def f(params, x):
            return functional_call(self.policy, params, (x,)).squeeze()

        (g, f_x), u = grad_and_value(f, argnums=(0, 1))(params, self.X)
        rate = delta * self.C / (1 + self.elapsed) ** 0.4
        with torch.no_grad():
            for k, p in self.policy.named_parameters():
                total = g[k] + f_x * self.tilde[k]
                p.sub_(2 * rate * (self.X * self.tilde[k] + u * total))
                self.tilde[k] = self.tilde[k] + delta * (total - self.tilde[k])
            self.X = self.X + delta * (u - self.X) + torch.normal(0.0, delta ** 0.5, (1,))
        self.elapsed += delta
        return self.w, self.c, self.b
