"""How many graph nodes are alive, now and then, in a run too long to be recorded.

What is kept once in fifty steps does not show in twelve recorded ones. A few looks cost next to
nothing; where they see more and more alive, the judge asks for a longer recording.
"""

from __future__ import annotations

import functools
import gc
from collections.abc import Callable
from types import TracebackType
from typing import Any

import torch

from autograder.recorder import node_of

LOOKS = 8
"""Over the whole run, where a step makes one pass; at most twice as many otherwise."""
MOST = 5_000
"""Nodes are counted up to here."""


class Sampler:
    """Counts the nodes alive at the start of every so many passes, in `live`.

    It sees `backward` and `torch.autograd.grad` by their names in `torch.autograd`.
    """

    def __init__(self, steps: int) -> None:
        self.live: list[int] = []
        self._every = max(steps // LOOKS, 1)
        self._passes = 0
        self._originals: dict[str, Callable[..., Any]] = {}

    def __enter__(self) -> Sampler:
        for name in ("backward", "grad"):
            original = self._originals[name] = getattr(torch.autograd, name)
            setattr(torch.autograd, name, self._counting(original))
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 traceback: TracebackType | None) -> None:
        for name, original in self._originals.items():
            setattr(torch.autograd, name, original)

    def _counting(self, original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def counting(*args: Any, **kwargs: Any) -> Any:
            self._passes += 1
            if self._passes % self._every == 0:
                self._look()
            return original(*args, **kwargs)

        return counting

    def _look(self) -> None:
        self.live.append(alive())
        if len(self.live) == 2 * LOOKS:  # a step makes many passes
            self.live = self.live[1::2]
            self._every *= 2


def alive() -> int:
    """How many graph nodes the tensors alive have behind them, garbage aside."""
    gc.collect()
    with torch._C.DisableTorchFunction():
        todo = [node for each in gc.get_objects() if torch.Tensor in type(each).__mro__
                and (node := node_of(each)) is not None]
    seen = set(todo)
    while todo and len(seen) < MOST:
        for parent, _ in todo.pop().next_functions:
            if parent is not None and parent not in seen:
                seen.add(parent)
                todo.append(parent)
    return len(seen)
