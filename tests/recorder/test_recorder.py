"""The recorder against what torch itself says: walks of the graph, finite differences, gc."""

from __future__ import annotations

import gc
import sys
import weakref
from collections.abc import Callable

import pytest
import torch
from torch import nn
from torch.autograd.graph import get_gradient_edge

from autograder import graphs
from autograder.evidence import Recording
from autograder.recorder import Recorder
from autograder.recorder.calls import Calls


def here() -> Calls:
    """This file's lines as the submission's."""
    frame, found = sys._getframe(1), []
    while frame is not None:
        if frame.f_code.co_filename == __file__:
            found.append((None, frame.f_lineno))
        frame = frame.f_back
    return tuple(found)


def record(program: Callable[[], object]) -> Recording:
    recorder = Recorder(here)
    with recorder:
        kept = program()
    del kept
    return recorder.recording()


def data() -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(0)
    return torch.rand(8, 3, generator=generator), torch.rand(8, 1, generator=generator)


def loop(steps: int = 12, *, clear: bool = True, retain: bool = False, keep: str = "",
         attached: bool = False, late: bool = False, twice: bool = False) -> object:
    """A training loop with faults to order."""
    torch.manual_seed(0)
    X, Y = data()
    if attached:
        X.requires_grad_()
        Y = X.sum(1, keepdim=True)
    layer = nn.Linear(3, 1)
    kept: list[torch.Tensor] = []
    total: torch.Tensor | float = 0.0
    for _ in range(steps):
        loss = ((layer(X) - Y) ** 2).sum()
        if late:
            for p in layer.parameters():
                if p.grad is not None:
                    p.data -= 0.01 * p.grad
        if clear:
            layer.zero_grad()
        loss.backward(retain_graph=retain or twice)
        if twice:
            loss.backward()
        if not late:
            for p in layer.parameters():
                p.data -= 0.01 * p.grad
        if keep == "list":
            kept.append(loss)
        elif keep == "sum":
            total = total + loss
    return layer, kept, total


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


def test_clean_loop_has_no_fault() -> None:
    recording = record(loop)
    assert len(recording.passes) == 12
    assert not graphs.reuses(recording)
    assert not graphs.outdated(recording)
    assert not graphs.grows(recording)
    assert not graphs.piles_up(recording)
    assert {p.live for p in recording.passes} == {recording.passes[0].live}


def test_retained_labels_are_rerun_at_their_own_line() -> None:
    recording = record(lambda: loop(attached=True, retain=True))
    old = graphs.old_nodes(graphs.reuses(recording))
    assert len(graphs.reuses(recording)) >= 10
    assert old
    assert old[0].setup
    assert old[0].operator.startswith("Sum")


def test_raising_reuse_is_torn() -> None:
    recorder = Recorder(here)
    with recorder, pytest.raises(RuntimeError, match="second time"):
        loop_attached()
    assert recorder.recording().passes[-1].torn


def loop_attached() -> None:
    X, _ = data()
    X.requires_grad_()
    Y = X.exp()
    layer = nn.Linear(3, 1)
    for _ in range(3):
        ((layer(X) - Y) ** 2).sum().backward()
        for p in layer.parameters():
            p.data -= 0.01 * p.grad


@pytest.mark.parametrize("keep", ["list", "sum"])
def test_kept_losses_pile_up(keep: str) -> None:
    recording = record(lambda: loop(keep=keep))
    assert graphs.piles_up(recording)
    assert not graphs.grows(recording)
    assert recording.passes[-1].live > recording.passes[0].live


def test_widest_moment_tells_a_leak_without_any_pass() -> None:
    """Hand-made derivatives outside no_grad: no backward ever runs."""

    def program(steps: int) -> Recording:
        def run() -> torch.Tensor:
            w = nn.Parameter(torch.ones(3))
            for _ in range(steps):
                w = w - 0.1 * 2 * w
            return w
        return record(run)

    assert graphs.widens(program(4), program(12), 8)
    assert not graphs.widens(record(lambda: loop(4)), record(lambda: loop(12)), 8)


def test_update_without_clearing_carries_the_leftover() -> None:
    recording = record(lambda: loop(clear=False))
    part = recording.updates[3].parts[0]
    assert part.mismatch is not None and part.mismatch > 0.01
    assert part.carried is not None and part.carried < 1e-4
    clean = record(loop).updates[3].parts[0]
    assert clean.mismatch == pytest.approx(0, abs=1e-6)


def test_update_is_the_gradient_by_finite_differences() -> None:
    """What the recorder says the engine brought, against differences of the loss in float64."""
    X, Y = (t.double() for t in data())
    layer = nn.Linear(3, 1).double()

    def program() -> None:
        for _ in range(3):
            layer.zero_grad()
            ((layer(X) - Y) ** 2).sum().backward()
            for p in layer.parameters():
                p.data -= 0.01 * p.grad

    recording = record(program)
    part = next(p for p in recording.updates[1].parts if p.before and len(p.before.values) == 3)
    bias = next(p for p in recording.updates[1].parts if p.before and len(p.before.values) == 1)
    assert part.before and part.engine and bias.before
    b = bias.before.values[0]

    def loss(w: list[float]) -> float:
        return float(((X @ torch.tensor(w, dtype=torch.float64) + b - Y[:, 0]) ** 2).sum())

    for i in range(3):
        up, down = list(part.before.values), list(part.before.values)
        up[i] += 1e-6
        down[i] -= 1e-6
        assert part.engine.values[i] == pytest.approx((loss(up) - loss(down)) / 2e-6, rel=1e-5)


def test_late_update_makes_the_graph_outdated() -> None:
    assert len(graphs.outdated(record(lambda: loop(late=True)))) >= 10


def test_same_loss_twice_is_seen() -> None:
    recording = record(lambda: loop(twice=True))
    assert all(part.same_root for update in recording.updates for part in update.parts)
    assert not graphs.reuses(recording)


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


def test_everything_is_put_back_even_after_an_error() -> None:
    from torch.nn.modules import module
    from torch.optim import optimizer

    hooks = (module._global_parameter_registration_hooks, optimizer._global_optimizer_pre_hooks)
    before = [len(h) for h in hooks]
    loss = (torch.ones(2, requires_grad=True) ** 2).sum()
    with pytest.raises(ZeroDivisionError), Recorder(here):
        kept = (loss * 2).sum()
        raise ZeroDivisionError
    assert [len(h) for h in hooks] == before
    kept.backward()  # its nodes' hooks are off: nothing of the recorder runs
    assert torch.overrides._get_current_function_mode() is None


def test_tensors_are_not_kept_alive() -> None:
    recorder = Recorder(here)
    with recorder:
        layer = nn.Linear(3, 1)
        layer(data()[0]).sum().backward()
        gone = weakref.ref(layer.weight)
        del layer
        gc.collect()
        assert gone() is None
