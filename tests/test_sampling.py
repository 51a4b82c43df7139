"""Looks at a long run: few, cheap, and right about what is kept."""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Callable, Iterator

import pytest
import torch
from recorder.loops import here

from autograder import graphs
from autograder.evidence import Recording
from autograder.probe.sampling import LOOKS, Sampler, alive
from autograder.recorder import Recorder

STEPS = 400


@pytest.fixture(autouse=True)
def _frozen() -> Iterator[None]:
    """As in a session: garbage is not sought among all that was imported."""
    gc.freeze()
    yield
    gc.unfreeze()


def train(keep: Callable[[int, torch.Tensor], None], steps: int = STEPS, passes: int = 1) -> None:
    w = torch.ones(3, requires_grad=True)
    x = torch.arange(3.0)
    for step in range(steps):
        for _ in range(passes):
            w.grad = None
            loss = ((w * x - 1) ** 2).sum()
            loss.backward()
        with torch.no_grad():
            w -= 0.01 * w.grad
        keep(step, loss)


def keepers() -> dict[str, tuple[Callable[[int, torch.Tensor], None], bool]]:
    every, last, floats = [], [], []
    window: deque[torch.Tensor] = deque(maxlen=5)
    best: dict[str, torch.Tensor] = {}
    return {
        "nothing": (lambda step, loss: None, False),
        "floats": (lambda step, loss: floats.append(loss.item()), False),
        "the last five": (lambda step, loss: window.append(loss), False),
        "the best": (lambda step, loss: best.update(best=loss), False),
        "one in fifty": (lambda step, loss: every.append(loss) if step % 50 == 0 else None, True),
        "the last tenth": (lambda step, loss: last.append(loss) if step > 360 else None, True),
    }


def recording(keep: Callable[[int, torch.Tensor], None]) -> Recording:
    recorder = Recorder(here)
    with recorder:
        train(keep)
    return recorder.recording()


@pytest.mark.parametrize("name", keepers())
def test_what_is_kept_is_seen_and_then_recorded(name):
    keep, leaks = keepers()[name]
    with Sampler(STEPS) as sampler:
        train(keep)
    assert len(sampler.live) == LOOKS
    assert graphs.swells(sampler.live) == leaks
    assert graphs.piles_up_now_and_then(recording(keepers()[name][0])) == leaks


def test_alive_counts_the_nodes_behind_living_tensors():
    before = alive()
    w = torch.ones(2, requires_grad=True)
    first = w * 2            # Mul, AccumulateGrad
    second = (first + 1).sum()  # Add, Sum
    assert alive() - before == 4
    del second
    assert alive() - before == 2
    cycle = [first * 3]
    cycle.append(cycle)
    del cycle
    assert alive() - before == 2


@pytest.mark.parametrize("passes", [1, 7, 40])
def test_the_looks_stay_few(passes):
    with Sampler(STEPS) as sampler:
        train(lambda step, loss: None, passes=passes)
    assert LOOKS <= len(sampler.live) < 2 * LOOKS
    assert not graphs.swells(sampler.live)


def test_torch_is_left_as_it_was():
    before = torch.autograd.backward, torch.autograd.grad
    with pytest.raises(ZeroDivisionError), Sampler(STEPS):
        1 / 0  # noqa: B018
    assert (torch.autograd.backward, torch.autograd.grad) == before


@pytest.mark.parametrize(("seconds", "live", "least", "most"), [
    (0.05, [5] * 8, 600, 600), (60.0, [5] * 8, 10, 100), (0.05, [5000] * 8, 100, 599)])
def test_a_recording_is_no_longer_than_can_be_afforded(seconds, live, least, most):
    assert least <= graphs.affordable(600, 1000, seconds, live) <= most


def test_looks_past_views_of_which_torch_does_not_tell_the_node() -> None:
    w = torch.nn.Parameter(torch.ones(2, 2))
    with torch.no_grad():
        row = w[0]
        row.fill_(0)
    assert alive() >= 0
    assert row.shape == (2,)
