"""The trainable tensors of a run: their values at each pass, and what each update was made from."""

from __future__ import annotations

import weakref
from dataclasses import dataclass, field
from typing import Any

import torch

from autograder.evidence import Array, Contribution, Leaf, Spot

MAX_LISTED = 64  # elements up to which values are recorded as numbers


@dataclass
class Write:
    """The first write to a leaf since the last pass."""

    spot: Spot | None
    clock: int
    buffer: torch.Tensor | None
    optimizer: int | None = None


@dataclass
class LeafState:
    """One leaf while the run goes on."""

    id: int
    ref: weakref.ref[torch.Tensor]
    value: torch.Tensor
    first: torch.Tensor
    parameter: bool
    name: str | None = None
    changed_clock: int = -1
    written: Write | None = None
    engine: torch.Tensor | None = None
    held: torch.Tensor | None = None
    roots: list[int] = field(default_factory=list)
    hooks: list[int] = field(default_factory=list)
    cleared_unused: bool = False

    def record(self) -> Leaf:
        """As plain data."""
        alive = self.ref()
        return Leaf(
            id=self.id, shape=list(self.first.shape), name=self.name, parameter=self.parameter,
            first=listed(self.first), last=listed(self.value), hooks=self.hooks,
            recovered=alive is not None,
        )

    def settle(self, unseen_clock: int) -> Contribution | None:
        """Compare with the last known value; on a change, say what it was made from.

        A change that no operator was seen to make happened in a hook, at `unseen_clock`.
        """
        tensor = self.ref()
        if tensor is None:
            return None
        now = tensor.detach()
        if now.shape == self.value.shape and torch.equal(now, self.value):
            self.written = None
            return None
        before, self.value = self.value, now.clone()
        self.changed_clock = self.written.clock if self.written else unseen_clock
        part = Contribution(leaf=self.id)
        if now.shape == before.shape:
            part = _contribution(self, before, now - before)
        self.engine, self.held, self.roots, self.written = None, None, [], None
        return part

    def receive(self, grad: torch.Tensor, root: int) -> None:
        """The engine accumulates `grad` into this leaf."""
        grad = grad.detach()
        if grad.is_sparse:
            grad = grad.to_dense()
        self.engine = grad.clone() if self.engine is None else self.engine + grad
        self.roots.append(root)


def _contribution(leaf: LeafState, before: torch.Tensor, delta: torch.Tensor) -> Contribution:
    buffer = leaf.written.buffer if leaf.written else None
    engine, held = leaf.engine, leaf.held
    leftover = carried = mismatch = uphill = None
    if engine is not None and buffer is not None and buffer.shape == engine.shape:
        scale = _norm(engine) or 1e-30
        mismatch = _norm(buffer - engine) / scale
        if held is not None and held.shape == engine.shape:
            leftover = _norm(held) / scale
            carried = _norm(buffer - engine - held) / (_norm(buffer) or 1e-30)
    used = engine if buffer is None else buffer
    if used is not None and used.shape == delta.shape:
        size = _norm(used) * _norm(delta)
        uphill = float((used * delta).sum()) / size if size else None
    return Contribution(
        leaf=leaf.id, before=listed(before), delta=listed(delta), buffer=listed(buffer),
        engine=listed(engine), held=listed(held), passes=len(leaf.roots), mismatch=mismatch,
        leftover=leftover, carried=carried, uphill=uphill,
        same_root=len(set(leaf.roots)) < len(leaf.roots),
    )


def small_copy(tensor: torch.Tensor | None) -> torch.Tensor | None:
    """A detached dense copy, or None."""
    if tensor is None:
        return None
    tensor = tensor.detach()
    return tensor.to_dense() if tensor.is_sparse else tensor.clone()


def listed(tensor: torch.Tensor | None) -> Array | None:
    """The tensor as numbers if it is small, else None."""
    if tensor is None or tensor.numel() > MAX_LISTED or tensor.is_complex():
        return None
    return Array(
        shape=list(tensor.shape), values=tensor.detach().double().flatten().tolist(),
        dtype=str(tensor.dtype).removeprefix("torch."),
    )


def storage(tensor: Any) -> int | None:
    """The address of a tensor's memory, shared by all its views; None where it has none."""
    try:
        return int(tensor.untyped_storage().data_ptr()) or None
    except (RuntimeError, NotImplementedError, AttributeError):
        return None  # functorch wrappers, sparse and meta tensors


def _norm(tensor: torch.Tensor) -> float:
    return float(torch.linalg.vector_norm(tensor.double()))
