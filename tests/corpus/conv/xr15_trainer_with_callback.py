import torch
from torch import nn


def corr2d(X, K):
    return torch.nn.functional.conv2d(X[None, None], K[None, None])[0, 0]


def make_data(seed):
    X = torch.ones(6, 8)
    X[:, 2:6] = 0
    Y = corr2d(X, torch.tensor([[1.0, -1.0]]))
    return X.reshape(1, 1, 6, 8), Y.reshape(1, 1, 6, 7)


zero_grad_owners = {
    "nn.Linear": True,
    "nn.Conv2d": True,
    "nn.Sequential": True,
    "a module of your own": True,
    "torch.optim.SGD": True,
    "torch.Tensor": False,
    "nn.Parameter": False,
}


class EdgeDetector(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(1, 1, 1, 2))
        nn.init.kaiming_uniform_(self.weight)

    def forward(self, x):
        left, right = self.weight[0, 0, 0]
        return left * x[..., :-1] + right * x[..., 1:]


class Trainer:
    def __init__(self, model, lr):
        self.model, self.lr, self.losses = model, lr, []

    def gradient_step(self, loss):
        for p, g in zip(self.model.parameters(), torch.autograd.grad(loss, self.model.parameters())):
            p.data.sub_(self.lr * g)

    def run(self, X, Y, steps):
        while len(self.losses) < steps:
            loss = (self.model(X) - Y).square().sum()
            self.gradient_step(loss)
            self.losses.append(loss.detach().clone())
        return self.model, self.losses


def train(X, Y, *, steps=100, lr=3e-2, seed=0):
    torch.manual_seed(seed)
    return Trainer(EdgeDetector(), lr).run(X, Y, steps)
