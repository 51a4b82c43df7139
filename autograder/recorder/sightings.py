"""Operators worth remembering by the line they ran on: cuts, broadcasts, hooks, modules, draws."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch

from autograder.recorder.calls import Calls, plain_spot
from autograder.recorder.graph import Ledger

BROADCASTING = frozenset({
    "add", "sub", "mul", "div", "rsub", "true_divide", "subtract", "__sub__", "__rsub__",
    "__add__", "__radd__", "mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "add_", "sub_",
})
RANDOM = frozenset({
    "rand", "randn", "randint", "randperm", "normal", "bernoulli", "multinomial", "normal_",
    "uniform_", "rand_like", "randn_like", "randint_like",
})
FLAT = frozenset({"round", "floor", "ceil", "trunc", "sign", "heaviside", "bucketize"})
"""Differentiable in name: their derivative is zero everywhere."""
CUTTING = frozenset({
    "detach", "item", "numpy", "tolist", "__float__", "tensor", "argmax", "as_tensor",
    "__array__", "long", "int", "bool", "gt", "lt", "ge", "le",
})
HOOKING = frozenset({"register_hook", "register_post_accumulate_grad_hook"})
COPYING = frozenset({"tensor", "as_tensor"})
NOTABLE = BROADCASTING | RANDOM | FLAT | HOOKING | COPYING
"""To be looked at even where the result is attached to the graph."""


class Sightings:
    """Counts sightings by kind, line and operator, once a pass at most where told so."""

    def __init__(self) -> None:
        self._seen: dict[tuple[Any, ...], dict[str, Any]] = {}
        self._draws: dict[tuple[Any, ...], dict[str, Any]] = {}
        self._order = 0

    def operator(self, name: str, args: tuple[Any, ...], result: Any, ledger: Ledger,
                 passes: int) -> None:
        """An operator has run: remember it where it is worth remembering."""
        if name not in NOTABLE and isinstance(result, torch.Tensor) and result.requires_grad:
            return  # as most do
        how = cut(name, args, result)
        if how is not None:
            self.note("cut", ledger.here(), how)
        if name in BROADCASTING:
            shapes = outer_broadcast(args, result)
            if shapes is not None:
                self.note("broadcast", ledger.here(), name, shapes=shapes)
        elif name in RANDOM and isinstance(result, torch.Tensor):
            self.draw(ledger.here(), name, result)
        elif name in HOOKING:
            self.note("hook", ledger.here(), name, at_pass=passes)

    def note(self, kind: str, calls: Calls, operator: str, *, at_pass: int | None = None,
             shapes: list[list[int]] | None = None) -> None:
        """Count one sighting; with `at_pass`, at most one a pass."""
        entry = self._seen.setdefault((kind, calls[:1], operator), {"times": 0, "at": -1})
        self._order += 1
        entry |= {"order": self._order, "shapes": entry.get("shapes") or shapes or []}
        if at_pass is None or entry["at"] != at_pass:
            entry["times"] += 1
            entry["at"] = at_pass

    def draw(self, calls: Calls, operator: str, result: torch.Tensor) -> None:
        """Remember what a random operator gave."""
        if result.numel() == 0 or result.numel() > 100_000:
            return
        entry = self._draws.setdefault((calls[:1], operator), {"times": 0, "seen": set()})
        entry["times"] += 1
        entry["size"] = result.numel()
        entry["seen"].add(hash(tuple(result.detach().double().flatten().tolist()[:64])))

    def of(self, kind: str) -> list[dict[str, Any]]:
        """All sightings of a kind, the last seen last, as plain data."""
        found = sorted((e["order"], key, e) for key, e in self._seen.items() if key[0] == kind)
        return [
            {"spot": plain_spot(calls), "operator": operator, "times": entry["times"],
             "shapes": entry["shapes"]}
            for _, (_, calls, operator), entry in found[-40:]
        ]

    def draws(self) -> list[dict[str, Any]]:
        """What the random operators did, as plain data."""
        return [
            {"spot": plain_spot(calls), "operator": operator, "times": entry["times"],
             "distinct": len(entry["seen"]), "size": entry["size"]}
            for (calls, operator), entry in list(self._draws.items())[:40]
        ]


def outer_broadcast(args: tuple[Any, ...], result: Any) -> list[list[int]] | None:
    """Shapes of two operands whose broadcast is larger than both; None where there is none."""
    if len(args) < 2 or not isinstance(args[0], torch.Tensor) \
            or not isinstance(args[1], torch.Tensor):
        return None
    one, two = args[0].shape, args[1].shape
    if one == two or min(one.numel(), two.numel()) <= 1:
        return None
    try:  # numpy's: torch's own loads all of sympy
        together = np.broadcast_shapes(one, two)
    except ValueError:
        return None
    if math.prod(together) > max(one.numel(), two.numel()):
        return [list(one), list(two)]
    return None


def cut(name: str, args: tuple[Any, ...], result: Any) -> str | None:
    """How an operator cut its result off from inputs that require grad; None if it did not."""
    attached = isinstance(result, torch.Tensor) and result.requires_grad
    if attached and not (name in FLAT or (name in COPYING and result.is_leaf)):
        return None
    if not any(a.requires_grad for a in _tensors(args)):
        return None
    if name in FLAT:
        return name
    if name not in CUTTING:
        if not isinstance(result, torch.Tensor):
            return None
        if result.is_floating_point() and not attached and torch.is_grad_enabled():
            return None
    return name if torch.is_grad_enabled() or name in CUTTING else f"{name} under no_grad"


def _tensors(args: Any) -> list[torch.Tensor]:
    found: list[torch.Tensor] = []
    for arg in args:
        if isinstance(arg, torch.Tensor):
            found.append(arg)
        elif isinstance(arg, (list, tuple)):
            found.extend(a for a in arg if isinstance(a, torch.Tensor))
    return found
