"""Unusual and right ways to train raise no alarm, and are not disturbed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import nn

from autograder import graphs
from recorder.loops import data, loop, record


def two_losses() -> None:
    layer, (X, Y) = nn.Linear(3, 1), data()
    for _ in range(8):
        prediction = layer(X)
        layer.zero_grad()
        (prediction - Y).pow(2).sum().backward(retain_graph=True)
        prediction.abs().sum().backward()
        for p in layer.parameters():
            p.data -= 0.01 * p.grad


def accumulation() -> None:
    layer, (X, Y) = nn.Linear(3, 1), data()
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.01)
    for _ in range(8):
        optimizer.zero_grad()
        for x, y in zip(X.split(2), Y.split(2), strict=True):
            (layer(x) - y).pow(2).sum().backward()
        optimizer.step()


def line_search() -> None:
    layer, (X, Y) = nn.Linear(3, 1), data()
    optimizer = torch.optim.LBFGS(layer.parameters(), line_search_fn="strong_wolfe")

    def closure() -> torch.Tensor:
        optimizer.zero_grad()
        loss = (layer(X) - Y).pow(2).sum()
        loss.backward()
        return loss

    for _ in range(6):
        optimizer.step(closure)


def functional() -> None:
    layer, (X, Y) = nn.Linear(3, 1), data()
    values = {k: v.detach().clone() for k, v in layer.named_parameters()}

    def objective(p: dict[str, torch.Tensor]) -> torch.Tensor:
        return (torch.func.functional_call(layer, p, (X,)) - Y).pow(2).sum()

    for _ in range(8):
        gradient = torch.func.grad(objective)(values)
        values = {k: values[k] - 0.01 * gradient[k] for k in values}


def forward_mode() -> None:
    X, Y = data()
    w = torch.zeros(3)
    for _ in range(8):
        columns = [torch.func.jvp(lambda v: ((X @ v - Y[:, 0]) ** 2).sum(), (w,), (e,))[1]
                   for e in torch.eye(3)]
        w = w - 0.01 * torch.stack(columns)


def stepping_hooks() -> None:
    layer, (X, Y) = nn.Linear(3, 1), data()

    def step(p: torch.Tensor) -> None:
        with torch.no_grad():
            p.add_(p.grad, alpha=-0.01)
        p.grad = None

    for p in layer.parameters():
        p.register_post_accumulate_grad_hook(step)
    for _ in range(8):
        (layer(X) - Y).pow(2).sum().backward()


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):  # type: ignore[no-untyped-def]
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, upstream):  # type: ignore[no-untyped-def]
        return 2 * ctx.saved_tensors[0] * upstream


def custom_function() -> None:
    layer, (X, Y) = nn.Linear(3, 1), data()
    for _ in range(8):
        layer.zero_grad()
        Square.apply(layer(X) - Y).sum().backward()
        for p in layer.parameters():
            p.data -= 0.01 * p.grad


def gradient_penalty() -> None:
    layer, (X, Y) = nn.Linear(3, 1), data()
    for _ in range(8):
        layer.zero_grad()
        x = X.clone().requires_grad_()
        (slope,) = torch.autograd.grad(layer(x).pow(2).sum(), x, create_graph=True)
        ((layer(X) - Y).pow(2).sum() + slope.pow(2).sum()).backward()
        for p in layer.parameters():
            p.data -= 0.01 * p.grad


STYLES = [two_losses, accumulation, line_search, functional, forward_mode, stepping_hooks,
          custom_function, gradient_penalty]


@pytest.mark.parametrize("program", STYLES, ids=lambda p: p.__name__)
def test_unusual_and_right_styles_raise_no_alarm(program: Callable[[], None]) -> None:
    recording = record(program)
    assert not graphs.reuses(recording)
    assert not graphs.outdated(recording)
    assert not graphs.grows(recording)
    assert not graphs.piles_up(recording)


@pytest.mark.parametrize("program", [loop, functional, custom_function], ids=lambda p: p.__name__)
def test_recording_changes_no_number(program: Callable[[], object]) -> None:
    torch.manual_seed(1)
    program()
    bare = torch.rand(1)
    torch.manual_seed(1)
    record(program)
    assert torch.equal(bare, torch.rand(1))
