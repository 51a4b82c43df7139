"""What each update of a leaf was made from, as numbers: worked out when the run is over.

Small tensors are kept until then and measured all at once: a dozen operators for a whole run, not
for each update. Large ones are measured, and let go of, where they are met.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import torch

MAX_LISTED = 64  # elements up to which values are recorded as numbers
FIELDS = ("before", "after", "buffer", "engine", "held")


@dataclass(slots=True)
class Change:
    """One update of one leaf: see `evidence.Contribution` for what the tensors are."""

    leaf: int
    before: torch.Tensor
    after: torch.Tensor
    buffer: torch.Tensor | None
    engine: torch.Tensor | None
    held: torch.Tensor | None
    roots: list[int]

    def kind(self) -> tuple[Any, ...]:
        """Changes of one kind can be stacked."""
        tensors = (getattr(self, name) for name in FIELDS)
        return tuple(None if t is None else (t.shape, t.dtype, t.device) for t in tensors)


def small(tensor: torch.Tensor) -> bool:
    """Whether its values are recorded."""
    return tensor.numel() <= MAX_LISTED and not tensor.is_complex()


def contributions(changes: Sequence[Change]) -> list[dict[str, Any]]:
    """A `Contribution` for each, as plain data, in order."""
    found: list[dict[str, Any]] = [{} for _ in changes]
    for numbers in _alike(change.kind() for change in changes):
        group = [changes[n] for n in numbers]
        for number, numbered in zip(numbers, _measured(group), strict=True):
            found[number] = numbered
    return found


def _measured(group: list[Change]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = [
        {"leaf": c.leaf, "passes": len(c.roots), "same_root": len(set(c.roots)) < len(c.roots)}
        for c in group
    ]
    shape, has = group[0].before.shape, group[0]
    if has.after.shape != shape:
        return [{"leaf": c.leaf} for c in group]
    before, after, buffer, engine, held = (_stacked([getattr(c, n) for c in group]) for n in FIELDS)
    assert before is not None and after is not None
    delta = after - before
    kept = {"before": (before, has.before), "delta": (delta, has.before),
            "buffer": (buffer, has.buffer), "engine": (engine, has.engine),
            "held": (held, has.held)}
    for name, (stack, one) in kept.items():
        if stack is not None and one is not None and small(one):
            head = {"shape": list(one.shape), "dtype": _dtype(one)}
            for row, values in zip(rows, stack.double().tolist(), strict=True):
                row[name] = head | {"values": values}
    if engine is not None and buffer is not None and buffer.shape == engine.shape:
        scale = _or(_norms(engine), 1e-30)
        _put(rows, "mismatch", _norms(buffer - engine) / scale)
        if held is not None and held.shape == engine.shape:
            _put(rows, "leftover", _norms(held) / scale)
            _put(rows, "carried",
                 _norms(buffer - engine - held) / _or(_norms(buffer), 1e-30))
    used = engine if buffer is None else buffer
    if used is not None and used.shape == delta.shape:
        size = _norms(used) * _norms(delta)
        cosine = (used * delta).sum(1) / size.to(delta.dtype)
        _put(rows, "uphill", cosine, where=size != 0)
    return rows


def norms(tensors: Sequence[torch.Tensor]) -> list[float]:
    """The 2-norm of each."""
    found = [math.nan] * len(tensors)
    for numbers in _alike((t.shape, t.dtype, t.device) for t in tensors):
        stack = _stacked([tensors[n] for n in numbers])
        assert stack is not None
        for number, value in zip(numbers, _norms(stack).tolist(), strict=True):
            found[number] = value
    return found


def listed(tensor: torch.Tensor) -> dict[str, Any] | None:
    """The tensor as numbers if it is small, else None."""
    if not small(tensor):
        return None
    return {"shape": list(tensor.shape), "dtype": _dtype(tensor),
            "values": tensor.detach().double().flatten().tolist()}


def _alike(kinds: Iterable[Any]) -> list[list[int]]:
    groups: dict[Any, list[int]] = {}
    for number, kind in enumerate(kinds):
        groups.setdefault(kind, []).append(number)
    return list(groups.values())


def _stacked(tensors: list[torch.Tensor]) -> torch.Tensor | None:
    """Row by row, (how many, elements); None where there are none."""
    if tensors[0] is None:
        return None
    stack: torch.Tensor = torch.stack(tensors)
    if stack.is_complex():
        stack = torch.view_as_real(stack.resolve_conj())
    return stack.reshape(len(tensors), -1)


def _norms(stack: torch.Tensor) -> torch.Tensor:
    found: torch.Tensor = torch.linalg.vector_norm(stack.double(), dim=1)
    return found


def _or(values: torch.Tensor, instead: float) -> torch.Tensor:
    return torch.where(values == 0, instead, values)


def _put(rows: list[dict[str, Any]], name: str, values: torch.Tensor,
         where: torch.Tensor | None = None) -> None:
    wanted = [True] * len(rows) if where is None else where.tolist()
    for row, value, given in zip(rows, values.tolist(), wanted, strict=True):
        if given:
            row[name] = value


def _dtype(tensor: torch.Tensor) -> str:
    return str(tensor.dtype).removeprefix("torch.")
