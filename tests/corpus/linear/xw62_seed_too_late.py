import torch
from torch import nn

def make_data(seed):
    torch.manual_seed(seed)
    X = torch.rand(32, 5)
    w = torch.tensor([[1.0], [2.0], [3.0], [4.0], [5.0]])
    b = 2.0
    Y = X @ w + b
    return X, Y


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(5, 1)

    def forward(self, x):
        return self.linear(x)

def train(X, Y, *, steps=4000, lr=0.2, seed=0):
    model = Model()
    torch.manual_seed(seed)
    X, Y = X.detach(), Y.detach()
    opt = torch.optim.Adam(model.parameters(), lr=lr, betas=(0.9, 0.99))
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, max(steps, 1))
    losses = []
    for step in range(steps):
        opt.zero_grad()
        loss = ((model(X) - Y) ** 2).sum()
        loss.backward()
        opt.step()
        sched.step()
        losses.append(loss.item())
    return model, losses
