"""What torch's global hooks tell: optimisers that step, modules that are built."""

from __future__ import annotations

import weakref
from typing import Any

import torch

from autograder.recorder.calls import plain_spot
from autograder.recorder.graph import Ledger
from autograder.recorder.leaves import Leaves

MAX_LEAVES = 100
HOOKS = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks")


class Optimizers:
    """The optimisers of one recording, by the order of their first step."""

    def __init__(self, ledger: Ledger, leaves: Leaves) -> None:
        self._ledger = ledger
        self._leaves = leaves
        self._numbers: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()
        self._records: list[dict[str, Any]] = []

    def stepping(self, optimizer: Any, closure: bool) -> None:
        """One is about to step; with a closure its gradients are yet to come."""
        number = self._numbers.setdefault(optimizer, len(self._records))
        if number == len(self._records):
            self._records.append({
                "id": number, "kind": type(optimizer).__name__,
                "spot": plain_spot(self._ledger.here()), "steps": 0, "idle_steps": 0,
                "leaves": [], "stateful": False})
        record = self._records[number]
        members = [p for group in optimizer.param_groups for p in group["params"]]
        leaves = [leaf for p in members if (leaf := self._leaves.meet(p)) is not None]
        record["steps"] += 1
        record["idle_steps"] += not closure and all(_idle(p.grad) for p in members)
        record["leaves"] = leaves[:MAX_LEAVES]
        record["stateful"] = record["stateful"] or _keeps_state(optimizer)
        for leaf in record["leaves"]:
            self._leaves.written(leaf, number)

    def record(self) -> list[dict[str, Any]]:
        """As plain data."""
        return self._records


class Modules:
    """The modules of one recording: parameters not yet met, and hooks that pile up."""

    def __init__(self) -> None:
        self.hooks: list[int] = []
        """How many they carried at each pass."""
        # By id, for a module may define equality and thereby not be hashable.
        self._modules: dict[int, weakref.ref[torch.nn.Module]] = {}
        self._new: list[weakref.ref[torch.Tensor]] = []

    def registered(self, module: torch.nn.Module, parameter: torch.Tensor) -> None:
        """A module got a parameter, whose memory is not yet initialised: to be met later."""
        self._new.append(weakref.ref(parameter))
        self._modules[id(module)] = weakref.ref(module)

    def meet(self, leaves: Leaves) -> None:
        """Know the new parameters."""
        for reference in self._new:
            parameter = reference()
            if parameter is not None:
                leaves.meet(parameter, parameter=True)
        self._new.clear()

    def before_pass(self) -> None:
        """Count hooks."""
        alive = [m for reference in self._modules.values() if (m := reference()) is not None]
        if len(alive) < len(self._modules):
            self._modules = {id(m): weakref.ref(m) for m in alive}
        self.hooks.append(sum(map(_count_hooks, alive)))


def _idle(grad: torch.Tensor | None) -> bool:
    return grad is None or not grad.any()


def _keeps_state(optimizer: Any) -> bool:
    """Whether building this optimiser anew would lose something (momentum, averages)."""
    if type(optimizer).__name__ != "SGD":
        return True
    return any(group.get("momentum") for group in optimizer.param_groups)


def _count_hooks(module: torch.nn.Module) -> int:
    own = vars(module)
    return sum(len(own.get(kind) or ()) for kind in HOOKS)
