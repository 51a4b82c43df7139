"""The recorded updates of a layer with weight and bias, as vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.evidence import Contribution, Recording
from autograder.exercises.least_squares import LeastSquares, Vector


@dataclass(frozen=True)
class Step:
    """One recorded update of the layer: all vectors (p,), weight then bias; None if unknown."""

    theta: Vector
    delta: Vector
    buffer: Vector | None
    engine: Vector | None
    parts: tuple[Contribution, ...]


def named(recording: Recording) -> dict[int, str]:
    """Leaf id → weight or bias."""
    return {leaf.id: leaf.name for leaf in recording.leaves if leaf.name}


def trajectory(recording: Recording, weight_size: int) -> tuple[Step, ...]:
    """The layer's updates, where the recorder saw them."""
    names = named(recording)
    value = {leaf.name: leaf.first.values for leaf in recording.leaves if leaf.name and leaf.first}
    if len(value.get("weight", ())) != weight_size:
        return ()
    steps = []
    for update in recording.updates:
        parts = {names.get(p.leaf): p for p in update.parts}
        mine = {n: p for n, p in parts.items() if n and p.delta and p.before}
        if not mine:
            continue
        for name, part in mine.items():
            value[name] = part.before.values if part.before else value[name]
        steps.append(Step(
            theta=_joined(value, weight_size),
            delta=_joined(_field(mine, "delta"), weight_size),
            buffer=_whole(mine, "buffer", weight_size), engine=_whole(mine, "engine", weight_size),
            parts=tuple(mine.values()),
        ))
        for name, part in mine.items():
            if part.delta:
                value[name] = [a + b for a, b in zip(value[name], part.delta.values)]
    return tuple(steps)


def jumps(truth: LeastSquares, steps: Sequence[Step]) -> bool:
    """Whether the last update leads from far off to the very optimum."""
    if len(steps) < 3:
        return False
    before, after = (truth.excess(t) for t in (steps[-1].theta, steps[-1].theta + steps[-1].delta))
    return before > 1e-3 and after < 1e-9


def _joined(value: dict[str, list[float]], weight_size: int) -> Vector:
    weight = value.get("weight") or [0.0] * weight_size
    return np.array([*weight, *(value.get("bias") or [0.0])])


def _whole(parts: dict[str, Contribution], name: str, weight_size: int) -> Vector | None:
    values = _field(parts, name)
    return _joined(values, weight_size) if "weight" in values else None


def _field(parts: dict[str, Any], name: str) -> dict[str, list[float]]:
    found = {key: getattr(part, name) for key, part in parts.items()}
    return {key: array.values for key, array in found.items() if array is not None}
