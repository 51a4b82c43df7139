import copy

import torch
from torch import nn

def make_data(seed):
    g = torch.Generator().manual_seed(seed)
    X = torch.rand((32, 5), generator=g)
    Y = X @ torch.arange(1.0, 6.0).reshape(5, 1) + 2.0
    return X, Y


class Regressor(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.linear = nn.Linear(d, 1)

    def forward(self, x):
        return self.linear(x)


def train(X, Y, *, steps=700, lr=0.01, seed=0):
    torch.manual_seed(seed)
    model = Regressor(X.shape[1])
    ema = copy.deepcopy(model)
    opt = torch.optim.SGD(model.parameters(), lr=lr)
    best, best_state, losses = float("inf"), None, []
    for _ in range(steps):
        loss = ((model(X) - Y) ** 2).sum()
        if loss.item() <= best:
            best, best_state = loss.item(), copy.deepcopy(model.state_dict())
        opt.zero_grad()
        loss.backward()
        opt.step()
        with torch.no_grad():
            for slow, fast in zip(ema.parameters(), model.parameters()):
                slow.lerp_(fast, 0.05)
        losses.append(loss.item())
    model.load_state_dict(best_state)
    return model, losses
