"""The recorder against what torch itself says: walks of the graph, finite differences, gc."""

from __future__ import annotations

import gc
import weakref

import pytest
import torch
from torch import nn

from autograder import graphs
from autograder.evidence import Recording
from autograder.recorder import Recorder
from recorder.loops import data, here, loop, record


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


def test_view_written_to_under_no_grad_stays_usable() -> None:
    """Torch refuses to tell the node of such a view: nn.Embedding and nn.init make them."""
    def program() -> None:
        table = nn.Embedding(5, 2, padding_idx=0)
        nn.init.orthogonal_(table.weight)
        with torch.no_grad():
            table.weight[0].fill_(0)
        for _ in range(3):
            table(torch.arange(5)).sum().backward()

    assert len(record(program).passes) == 3
