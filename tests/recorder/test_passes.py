"""Which nodes a pass executes, against hooks on all of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import nn
from torch.autograd.graph import get_gradient_edge

from recorder.loops import data, record

Ask = Callable[[torch.Tensor, torch.Tensor, nn.Linear], object]
ASKS: dict[str, Ask] = {
    "backward": lambda loss, inner, layer: loss.backward(),
    "backward of a list": lambda loss, inner, layer: torch.autograd.backward([loss, inner.sum()]),
    "inputs": lambda loss, inner, layer: loss.backward(inputs=[layer.bias]),
    "inputs by position": lambda loss, inner, layer: torch.autograd.backward(
        loss, None, None, False, None, layer.bias),
    "a dictionary": lambda loss, inner, layer: loss.backward(
        inputs=dict(layer.named_parameters())),  # type: ignore[arg-type]
    "grad": lambda loss, inner, layer: torch.autograd.grad(loss, layer.weight),
    "grad of a leaf that is not there": lambda loss, inner, layer: torch.autograd.grad(
        loss, [layer.bias, torch.zeros(1, requires_grad=True)], allow_unused=True),
    "grad of an inner tensor": lambda loss, inner, layer: torch.autograd.grad(loss, inner),
    "grad of both": lambda loss, inner, layer: torch.autograd.grad(loss, [inner, layer.bias]),
    "the edge of a leaf": lambda loss, inner, layer: torch.autograd.backward(
        loss, inputs=get_gradient_edge(layer.weight)),
    "grad of an edge": lambda loss, inner, layer: torch.autograd.grad(
        loss, get_gradient_edge(inner)),
}


@pytest.mark.parametrize("ask", ASKS)
def test_executed_nodes_are_those_that_the_engine_calls(ask: str) -> None:
    """An independent count: a hook on every node behind the loss that is no AccumulateGrad."""
    X, Y = data()
    layer, called = nn.Linear(3, 1), []

    def program() -> None:
        inner = layer(X).exp() + layer.bias.cos()
        loss = ((inner - Y) ** 2).sum()
        seen, stack = set(), [loss.grad_fn, inner.sum().grad_fn]
        while stack:
            node = stack.pop()
            if node is None or node in seen or "AccumulateGrad" in node.name():
                continue
            seen.add(node)
            stack += [n for n, _ in node.next_functions]
            node.register_prehook(lambda grads, node=node: called.append(node.name()))
        ASKS[ask](loss, inner, layer)

    recording = record(program)
    # The list's second root is a sum of its own, made where no hook waits.
    own = 1 if ask == "backward of a list" else 0
    assert [p.executed for p in recording.passes] == [len(called) + own]
    assert called
