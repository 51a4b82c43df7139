"""L-BFGS with a closure, run in double precision and copied back."""
import copy

import torch
from torch import nn


def make_data(seed):
    gen = torch.Generator().manual_seed(seed)
    X = torch.rand(32, 5, generator=gen)
    w = torch.arange(1.0, 6.0).unsqueeze(1)
    return X, X @ w + 2.0


def train(X, Y, *, steps=60, lr=1.0, seed=0):
    torch.manual_seed(seed)
    layer = nn.Linear(5, 1)
    work = copy.deepcopy(layer).double()
    A, T = X.detach().double(), Y.detach().double()
    opt = torch.optim.LBFGS(
        work.parameters(), lr=lr, max_iter=4, history_size=10,
        tolerance_grad=0.0, tolerance_change=1e-14, line_search_fn="strong_wolfe",
    )

    def closure():
        opt.zero_grad()
        loss = (work(A) - T).square().sum()
        loss.backward()
        return loss

    losses = [opt.step(closure).item() for _ in range(steps)]
    with torch.no_grad():
        for p, q in zip(layer.parameters(), work.parameters()):
            p.copy_(q)
    return layer, losses
