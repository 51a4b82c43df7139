"""One trainable tensor while a run goes on."""

from __future__ import annotations

import weakref
from dataclasses import dataclass, field
from typing import Any

import torch

from autograder.recorder.calls import Calls
from autograder.recorder.changes import Change


@dataclass(slots=True)
class Write:
    """The first write to a leaf since the last pass."""

    calls: Calls
    clock: int
    buffer: torch.Tensor | None
    optimizer: int | None = None


@dataclass(slots=True)
class Leaf:
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

    def settle(self, unseen_clock: int) -> Change | None:
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
        written = self.written
        self.changed_clock = written.clock if written else unseen_clock
        change = Change(self.id, before, self.value, written.buffer if written else None,
                        self.engine, self.held, self.roots)
        self.engine, self.held, self.roots, self.written = None, None, [], None
        return change


def storage(tensor: Any) -> int | None:
    """The address of a tensor's memory, shared by all its views; None where it has none."""
    try:
        return tensor.untyped_storage().data_ptr() or None
    except (RuntimeError, NotImplementedError, AttributeError):
        return None  # functorch wrappers, sparse and meta tensors


def copied(tensor: torch.Tensor | None) -> torch.Tensor | None:
    """A detached dense copy, or None."""
    if tensor is None:
        return None
    tensor = tensor.detach()
    return tensor.to_dense() if tensor.is_sparse else tensor.clone()


def count_hooks(tensor: torch.Tensor) -> int:
    """How many hooks it carries."""
    own = tensor._backward_hooks or ()
    after = getattr(tensor, "_post_accumulate_grad_hooks", None) or ()
    return len(own) + len(after)
