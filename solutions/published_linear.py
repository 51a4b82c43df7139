# The answer published on the web to the question behind the assignment "linear", put into the shape
# that the assignment asks for. It is WRONG, and kept here for what the grader says about it: it runs
# and its loss falls, but it updates the weight and never the bias, and it learns from 2 samples,
# which cannot determine 6 unknowns. Do not learn from it.
import torch
from torch import nn


def make_data(seed):
    torch.manual_seed(seed)
    X = torch.rand(2, 5)
    w = torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0]).view(5, 1)
    Y = X @ w + torch.rand(2, 1)
    return X, Y


def train(X, Y, *, steps=600, lr=0.01, seed=0):
    torch.manual_seed(seed)
    linear1 = nn.Linear(5, 1)
    losses = []
    for i in range(steps):
        l = (linear1(X) - Y) ** 2
        linear1.zero_grad()
        l.sum().backward()
        linear1.weight.data[:] -= lr * linear1.weight.grad
        losses.append(l.sum().item())
    return linear1, losses
