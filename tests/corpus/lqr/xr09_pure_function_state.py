import torch
from torch.func import grad_and_value


def policy(x, p):
    return (p["c"] @ torch.relu(p["w"] @ x.view(1, 1) + p["b"].view(-1, 1))).view(())


def euler(state, delta, rate, noise):
    x, params, tilde = state["x"], state["params"], state["tilde"]
    (f_x, df), f = grad_and_value(policy, argnums=(0, 1))(x, params)
    along = {k: df[k] + f_x * tilde[k] for k in params}
    return {
        "x": x + delta * (f - x) + noise,
        "tilde": {k: tilde[k] + delta * (along[k] - tilde[k]) for k in params},
        "params": {k: params[k] - rate * 2 * (x * tilde[k] + f * along[k]) for k in params},
    }


class OneD_NN_LQR:
    def __init__(self, hidden_units, learning_rate_param_C=0.1, batch_size=1):
        self.C, self.n = learning_rate_param_C, 0
        params = {
            "w": torch.rand(hidden_units, 1) * 2 - 1,
            "b": torch.rand(hidden_units) * 2 - 1,
            "c": (torch.rand(1, hidden_units) * 2 - 1) * hidden_units ** -0.5,
        }
        self.state = {
            "x": torch.tensor(0.5),
            "tilde": {k: torch.zeros_like(p) for k, p in params.items()},
            "params": params,
        }

    X = property(lambda self: self.state["x"])
    w = property(lambda self: self.state["params"]["w"])
    b = property(lambda self: self.state["params"]["b"])
    c = property(lambda self: self.state["params"]["c"])
    Xtilde_w = property(lambda self: self.state["tilde"]["w"])
    Xtilde_b = property(lambda self: self.state["tilde"]["b"])
    Xtilde_c = property(lambda self: self.state["tilde"]["c"])

    def forward(self, x):
        return policy(torch.as_tensor(x, dtype=torch.float32), self.state["params"])

    def step(self, delta):
        self.n += 1
        rate = delta * self.C * 0.9998 ** self.n
        self.state = euler(self.state, delta, rate, torch.randn(()) * delta ** 0.5)
        return self.w, self.c, self.b
