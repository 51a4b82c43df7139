import torch
from torch import nn

def make_data(seed):
    g = torch.Generator().manual_seed(seed)
    X = torch.rand((32, 5), generator=g)
    Y = X @ torch.arange(1.0, 6.0).reshape(5, 1) + 2.0
    return X, Y


def train(X, Y, *, steps=2000, lr=0.5, seed=0):
    torch.manual_seed(seed)
    model = nn.Linear(in_features=5, out_features=1, bias=True)
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, gamma=0.9965)
    losses = []
    for _ in range(steps):
        opt.zero_grad(set_to_none=False)
        loss = (model(X) - Y).pow(2).mean()
        loss.backward()
        opt.step()
        sched.step()
        losses.append(loss.detach())
    return model, losses
