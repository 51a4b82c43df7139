import torch
from torch import nn


class Trainer:
    def __init__(self, model, X, Y, steps, max_lr):
        self.model, self.X, self.Y, self.steps = model, X, Y, steps
        self.optimizer = torch.optim.SGD(model.parameters(), lr=max_lr, momentum=0.9)
        self.scheduler = torch.optim.lr_scheduler.OneCycleLR(
            self.optimizer, max_lr=max_lr, total_steps=steps, cycle_momentum=False
        )
        self.criterion = nn.MSELoss(reduction="sum")
        self.history = []

    def training_step(self):
        self.optimizer.zero_grad()
        loss = self.criterion(self.model(self.X), self.Y)
        loss.backward()
        self.optimizer.step()
        self.scheduler.step()
        return loss.item()

    def fit(self):
        for _ in range(self.steps):
            self.history.append(self.training_step())
        return self.model, self.history


def train(X, Y, *, steps=800, lr=3e-3, seed=0):
    torch.manual_seed(seed)
    return Trainer(nn.Linear(5, 1), X, Y, steps, lr).fit()


def make_data(seed):
    g = torch.Generator().manual_seed(seed)
    X = torch.rand((32, 5), generator=g)
    Y = X @ torch.arange(1.0, 6.0).reshape(5, 1) + 2.0
    return X, Y
