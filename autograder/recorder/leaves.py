"""The trainable tensors of a run: who writes to them, what the engine brings, what is cleared."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch

from autograder.recorder.calls import Calls, plain_spot
from autograder.recorder.changes import Change, contributions, listed, norms, small
from autograder.recorder.graph import Ledger
from autograder.recorder.leaf import Leaf, Write, copied, count_hooks, storage

MAX_CLEARS = 2000


@dataclass(slots=True)
class Moved:
    """The leaves that changed between two passes."""

    after_pass: int
    calls: Calls
    optimizer: int | None
    parts: list[Change | dict[str, Any]]


class Leaves:
    """All leaves of one recording. Its methods are to run past every function mode."""

    def __init__(self, ledger: Ledger) -> None:
        self.updates: list[Moved] = []
        self.clears: list[dict[str, Any]] = []
        self.idle_writes = 0
        """Writes that changed nothing."""
        self._ledger = ledger
        self._states: list[Leaf] = []
        self._ids: dict[int, int] = {}
        self._by_storage: dict[int, int] = {}
        self._by_grad: dict[int, int] = {}
        self._brought: list[tuple[int, int, torch.Tensor | float]] = []

    def __iter__(self) -> Iterator[Leaf]:
        return iter(self._states)

    def __getitem__(self, leaf: int) -> Leaf:
        return self._states[leaf]

    def alive(self) -> list[torch.Tensor]:
        """Those that have not been collected."""
        return [t for state in self._states if (t := state.ref()) is not None]

    # -- who is who ----------------------------------------------------------------------------

    def find(self, tensor: Any) -> int | None:
        """The leaf that this tensor is, where it is known."""
        leaf = self._ids.get(id(tensor))
        return leaf if leaf is not None and self._states[leaf].ref() is tensor else None

    def meet(self, tensor: torch.Tensor, *, parameter: bool = False) -> int | None:
        """Know this leaf from now on; None for one that cannot be followed."""
        leaf = self.find(tensor)
        if leaf is not None:
            return leaf
        try:
            value = tensor.detach().clone()
            value.untyped_storage().data_ptr()
        except (RuntimeError, NotImplementedError):
            return None  # a functorch wrapper: it lives inside one transform only
        leaf = len(self._states)
        self._ids[id(tensor)] = leaf
        self._states.append(Leaf(
            leaf, weakref.ref(tensor), value, value,
            parameter or isinstance(tensor, torch.nn.Parameter)))
        self.index(leaf)
        return leaf

    def index(self, leaf: int) -> None:
        """Note where the leaf and its .grad lie in memory."""
        tensor = self._states[leaf].ref()
        if tensor is not None:
            if address := storage(tensor):
                self._by_storage[address] = leaf
            self._index_grad(leaf, tensor)

    def _index_grad(self, leaf: int, tensor: torch.Tensor) -> None:
        if tensor.grad is not None and (address := storage(tensor.grad)):
            self._by_grad[address] = leaf

    # -- passes --------------------------------------------------------------------------------

    def before_pass(self) -> None:
        """Note what every .grad still holds."""
        for state in self._states:
            tensor = state.ref()
            if tensor is not None:
                state.hooks.append(count_hooks(tensor))
                if state.engine is None:
                    state.held = copied(tensor.grad)

    def receive(self, leaf: int, grad: torch.Tensor, root: int) -> None:
        """The engine accumulates `grad` into this leaf."""
        if torch._C._functorch.is_functorch_wrapped_tensor(grad):
            return  # it lives inside one transform only
        # No copy: while we hold it, the engine makes a copy of it to be the leaf's .grad.
        grad = grad.detach() if grad.requires_grad else grad
        if grad.is_sparse:
            grad = grad.to_dense()
        state = self._states[leaf]
        state.engine = grad if state.engine is None else state.engine + grad
        state.roots.append(root)
        self._brought.append((self._ledger.passes, leaf,
                              grad if small(grad) else norms([grad])[0]))

    def after_pass(self) -> None:
        """The engine may have made new .grad tensors."""
        for state in self._states:
            tensor = state.ref()
            if tensor is not None:
                self._index_grad(state.id, tensor)

    # -- writes and updates --------------------------------------------------------------------

    def writing(self, name: str, target: torch.Tensor) -> None:
        """An in-place operator is about to run: does it write to a leaf, or to its .grad?"""
        address = storage(target)
        if address is None:
            return
        leaf = self._by_storage.get(address)
        if leaf is not None and storage(self._states[leaf].ref()) == address:
            self.written(leaf)
        leaf = self._by_grad.get(address)
        if leaf is not None and name in ("zero_", "_foreach_zero_", "fill_"):
            self.cleared(leaf)

    def written(self, leaf: int, optimizer: int | None = None) -> None:
        """Somebody is about to write to this leaf."""
        state = self._states[leaf]
        if state.written is None and (tensor := state.ref()) is not None:
            state.written = Write(
                self._ledger.here(), self._ledger.clock, copied(tensor.grad))
        if state.written is not None and optimizer is not None:
            state.written.optimizer = optimizer

    def cleared(self, leaf: int) -> None:
        """Its .grad is about to be emptied."""
        state = self._states[leaf]
        if len(self.clears) < MAX_CLEARS:
            self.clears.append({
                "after_pass": self._ledger.passes, "spot": plain_spot(self._ledger.here()),
                "leaf": leaf, "unused": state.engine is not None and state.written is None})

    def settle(self, unseen_clock: int) -> None:
        """Find by value what changed since the last pass."""
        parts: list[Change | dict[str, Any]] = []
        calls: Calls = ()
        optimizer = None
        for state in self._states:
            written = state.written
            change = state.settle(unseen_clock)
            if change is None:
                self.idle_writes += written is not None
                continue
            large = not small(change.before)
            parts.append(contributions([change])[0] if large else change)
            if written is None:
                self.index(state.id)  # nobody was seen to write: it may lie elsewhere now
            else:
                calls, optimizer = calls or written.calls, written.optimizer
        if parts:
            self._ledger.epoch += 1
            self.updates.append(Moved(self._ledger.passes, calls, optimizer, parts))

    # -- the result ----------------------------------------------------------------------------

    def record(self) -> list[dict[str, Any]]:
        """Each leaf as plain data."""
        return [
            {"id": s.id, "shape": list(s.first.shape), "name": s.name, "parameter": s.parameter,
             "first": listed(s.first), "last": listed(s.value), "hooks": s.hooks,
             "recovered": s.ref() is not None}
            for s in self._states
        ]

    def record_updates(self) -> list[dict[str, Any]]:
        """Each update as plain data."""
        todo = [p for u in self.updates for p in u.parts if isinstance(p, Change)]
        done = iter(contributions(todo))
        return [
            {"after_pass": u.after_pass, "spot": plain_spot(u.calls), "optimizer": u.optimizer,
             "parts": [next(done) if isinstance(p, Change) else p for p in u.parts]}
            for u in self.updates
        ]

    def received(self) -> dict[int, tuple[list[int], float]]:
        """For each pass: the leaves that received a gradient, and the norm of all of that."""
        kept = [g for _, _, g in self._brought if isinstance(g, torch.Tensor)]
        measured = iter(norms(kept))
        found: dict[int, tuple[set[int], float]] = {}
        for number, group in itertools.groupby(self._brought, key=lambda b: b[0]):
            leaves, square = set(), 0.0
            for _, leaf, grad in group:
                leaves.add(leaf)
                square += (grad if isinstance(grad, float) else next(measured)) ** 2
            found[number] = leaves, square
        return {n: (sorted(leaves), square**0.5) for n, (leaves, square) in found.items()}
