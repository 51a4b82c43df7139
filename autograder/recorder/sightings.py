"""Operators worth remembering by the line they ran on: cuts, broadcasts, hooks, modules, draws."""

from __future__ import annotations

from typing import Any

import torch

from autograder.evidence import Draw, Sighting, Spot

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


class Sightings:
    """Counts sightings by kind, line and operator, once a pass at most where told so."""

    def __init__(self) -> None:
        self._seen: dict[tuple[Any, ...], dict[str, Any]] = {}
        self._draws: dict[tuple[Any, ...], dict[str, Any]] = {}
        self._order = 0

    def note(self, kind: str, spot: Spot | None, operator: str, *, at_pass: int | None = None,
             shapes: list[list[int]] | None = None) -> None:
        """Count one sighting; with `at_pass`, at most one a pass."""
        key = (kind, None if spot is None else (spot.cell, spot.line), operator)
        entry = self._seen.setdefault(
            key, {"spot": spot, "operator": operator, "times": 0, "shapes": shapes or [], "at": -1}
        )
        self._order += 1
        entry["order"] = self._order
        if at_pass is None or entry["at"] != at_pass:
            entry["times"] += 1
            entry["at"] = at_pass

    def draw(self, spot: Spot | None, operator: str, result: torch.Tensor) -> None:
        """Remember what a random operator gave."""
        if result.numel() == 0 or result.numel() > 100_000:
            return
        key = (None if spot is None else (spot.cell, spot.line), operator)
        entry = self._draws.setdefault(
            key, {"spot": spot, "operator": operator, "times": 0, "seen": set(), "size": 0}
        )
        entry["times"] += 1
        entry["size"] = result.numel()
        entry["seen"].add(hash(tuple(result.detach().double().flatten().tolist()[:64])))

    def of(self, kind: str) -> list[Sighting]:
        """All sightings of a kind, the last seen last."""
        entries = sorted(
            (e for key, e in self._seen.items() if key[0] == kind), key=lambda e: int(e["order"])
        )
        return [
            Sighting(spot=e["spot"], operator=e["operator"], times=e["times"], shapes=e["shapes"])
            for e in entries[-40:]
        ]

    def draws(self) -> list[Draw]:
        """What the random operators did."""
        return [
            Draw(spot=e["spot"], operator=e["operator"], times=e["times"],
                 distinct=len(e["seen"]), size=e["size"])
            for e in list(self._draws.values())[:40]
        ]


def outer_broadcast(args: tuple[Any, ...], result: Any) -> list[list[int]] | None:
    """Shapes of two operands whose broadcast is larger than both; None where there is none."""
    if len(args) < 2 or not all(isinstance(a, torch.Tensor) for a in args[:2]):
        return None
    one, two = args[0].shape, args[1].shape
    if one == two or not one or not two:
        return None
    try:
        together = torch.broadcast_shapes(one, two)  # type: ignore[no-untyped-call]
    except RuntimeError:
        return None
    if together.numel() > max(one.numel(), two.numel()) and min(one.numel(), two.numel()) > 1:
        return [list(one), list(two)]
    return None


def cut(name: str, args: tuple[Any, ...], result: Any) -> str | None:
    """How an operator cut its result off from inputs that require grad; None if it did not."""
    inputs = [a for a in _tensors(args) if a.requires_grad]
    if not inputs:
        return None
    if name in FLAT:
        return name
    if isinstance(result, torch.Tensor):
        if result.requires_grad and not (name in ("tensor", "as_tensor") and result.is_leaf):
            return None
        if result.is_floating_point() and name not in CUTTING and torch.is_grad_enabled():
            return None
    elif name not in CUTTING:
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
