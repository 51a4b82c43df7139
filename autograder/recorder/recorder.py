"""A context manager that watches autograd run and puts everything back when it leaves.

It sees every operator through a `TorchFunctionMode`, every executed graph node through the node's
own pre-hook, every update by value. What it saw comes back as a plain `Recording`.
"""

from __future__ import annotations

import functools
import gc
import itertools
import math
import weakref
from collections.abc import Callable
from contextlib import ExitStack
from types import TracebackType
from typing import Any

import torch
from torch.nn.modules.module import register_module_parameter_registration_hook
from torch.optim.optimizer import register_optimizer_step_pre_hook
from torch.overrides import TorchFunctionMode
from torch.utils.weak import WeakIdKeyDictionary

from autograder.evidence import Clear, Optimizer, Pass, Recording, Spot, Update
from autograder.recorder.calls import Here, spot_of, spots_of
from autograder.recorder.graph import Drawn, Ledger, Token, by_line, draw
from autograder.recorder.leaves import LeafState, Write, small_copy, storage
from autograder.recorder.sightings import BROADCASTING, RANDOM, Sightings, cut, outer_broadcast

SECOND_TIME = "backward through the graph a second time"


def unseen(method: Callable[..., Any]) -> Callable[..., Any]:
    """Run our own tensor work past every function mode: seen by none, and several times faster."""

    @functools.wraps(method)
    def run(*args: Any, **kwargs: Any) -> Any:
        with torch._C.DisableTorchFunction():
            return method(*args, **kwargs)

    return run


class Enough(BaseException):
    """Raised out of the watched program when it has made `max_passes` passes."""


class Recorder(TorchFunctionMode):
    """Watch the calling thread's autograd.

    Args:
        here: gives the watched program's lines now running, innermost first.
        max_passes: stop the program (by raising `Enough`) after so many backward passes.

    Blind inside `torch.compile` and in worker processes.
    """

    def __init__(self, here: Here, *,
                 max_passes: int | None = None) -> None:
        super().__init__()
        self._here = here
        self._max_passes = max_passes
        self._ledger = Ledger(here, self._meet_accumulator)
        self._sightings = Sightings()
        self._leaves: dict[int, LeafState] = {}
        self._leaf_ids: Any = WeakIdKeyDictionary()
        self._by_storage: dict[int, int] = {}
        self._by_grad: dict[int, int] = {}
        self._optimizers: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()
        self._optimizer_records: dict[int, dict[str, Any]] = {}
        self._passes: list[Pass] = []
        self._updates: list[Update] = []
        self._clears: list[Clear] = []
        self._kept_lines: tuple[int, list[Any], list[Any]] = (0, [], [])
        self._graph: list[Drawn] = []
        self._modules: weakref.WeakSet[torch.nn.Module] = weakref.WeakSet()
        self._module_hooks: list[int] = []
        self._registrations: list[weakref.ref[torch.Tensor]] = []
        self._pass_clock = 0
        self._reached: set[int] = set()
        self._received_square: float | None = None
        self._idle_writes = 0
        self._counted = 0
        self._root = -1
        self._busy = False
        self._stack = ExitStack()

    def _spot(self) -> Spot | None:
        return spot_of(self._here())

    # -- in and out ----------------------------------------------------------------------------

    def __enter__(self) -> Recorder:
        hooks = [
            register_module_parameter_registration_hook(self._registered),
            register_optimizer_step_pre_hook(self._stepping),
        ]
        for hook in hooks:
            self._stack.callback(hook.remove)
        self._stack.callback(self._ledger.close)
        super().__enter__()  # type: ignore[no-untyped-call]
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 traceback: TracebackType | None) -> None:
        super().__exit__(kind, error, traceback)  # type: ignore[no-untyped-call]
        self._busy = True
        try:
            self._settle()
            self.sample()
        finally:
            self._stack.close()

    # -- what the mode sees --------------------------------------------------------------------

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if self._busy:
            return func(*args, **kwargs)
        self._ledger.clock += 1
        if func is torch.Tensor.backward or func is torch.autograd.backward:
            return self._pass("backward", func, args, kwargs)
        if func is torch.autograd.grad:
            return self._pass("grad", func, args, kwargs)
        name = func.__name__
        if name == "__get__":
            result = func(*args, **kwargs)
            if func.__self__.__name__ == "data" and args[0].requires_grad and not args[0].is_leaf:
                self._sightings.note("cut", self._spot(), "data")
            return result
        if name == "__set__":
            return self._set(func.__self__.__name__, func, args)
        writes = name[-1] == "_" and (name[:2] != "__" or name == "__setitem__") or name in (
            "__setitem__", "__isub__", "__iadd__", "__imul__", "__itruediv__")
        if writes and name != "requires_grad_":
            self._writing(name, args)
        result = func(*args, **kwargs)
        self._observe(name, args, result, writes)
        return result

    @unseen
    def _observe(self, name: str, args: Any, result: Any, writes: bool) -> None:
        if isinstance(result, torch.Tensor):
            if result.grad_fn is not None:
                self._ledger.stamp(result)
        elif isinstance(result, (tuple, list)):
            for item in result:
                if isinstance(item, torch.Tensor) and item.grad_fn is not None:
                    self._ledger.stamp(item)
        if writes and args and isinstance(args[0], torch.Tensor) and args[0].grad_fn is not None:
            self._ledger.stamp(args[0])
        how = cut(name, args, result)
        if how is not None:
            self._sightings.note("cut", self._spot(), how)
        if name in BROADCASTING:
            shapes = outer_broadcast(args, result)
            if shapes is not None:
                self._sightings.note("broadcast", self._spot(), name, shapes=shapes)
        elif name in RANDOM and isinstance(result, torch.Tensor):
            self._sightings.draw(self._spot(), name, result)
        elif name in ("register_hook", "register_post_accumulate_grad_hook"):
            self._sightings.note("hook", self._spot(), name, at_pass=len(self._passes))

    # -- leaves --------------------------------------------------------------------------------

    @unseen
    def _meet(self, tensor: torch.Tensor, *, parameter: bool = False) -> int | None:
        """Know this leaf from now on; None for one that cannot be followed."""
        known = self._leaf_ids.get(tensor)
        if known is None:
            try:
                value = tensor.detach().clone()
                value.untyped_storage().data_ptr()
            except (RuntimeError, NotImplementedError):
                return None  # a functorch wrapper: it lives inside one transform only
            known = len(self._leaves)
            self._leaf_ids[tensor] = known
            self._leaves[known] = LeafState(
                known, weakref.ref(tensor), value, value, parameter or _is_parameter(tensor))
            self._index(known)
        return int(known)

    def _index(self, leaf: int) -> None:
        tensor = self._leaves[leaf].ref()
        address = storage(tensor)
        if address is not None:
            self._by_storage[address] = leaf
        grad = None if tensor is None else tensor.grad
        address = None if grad is None else storage(grad)
        if address is not None:
            self._by_grad[address] = leaf

    def _meet_accumulator(self, node: Any, variable: torch.Tensor) -> int | None:
        known = node.metadata.get(self._ledger)
        if known is not None:
            return int(known)
        leaf: int | None = self._meet(variable)
        if leaf is not None:
            node.metadata[self._ledger] = leaf
            node.register_prehook(lambda grads, leaf=leaf: self._received(leaf, grads))
        return leaf

    @unseen
    def _received(self, leaf: int, grads: Any) -> None:
        if self._ledger.running is None or grads[0] is None:
            return
        try:
            self._leaves[leaf].receive(grads[0], self._root)
        except (RuntimeError, NotImplementedError):
            return
        self._reached.add(leaf)
        square = float(grads[0].detach().double().square().sum())
        self._received_square = square + (self._received_square or 0.0)

    def name(self, tensor: Any, name: str) -> None:
        """Call the leaf by that name in the record."""
        leaf = self._leaf_ids.get(tensor) if isinstance(tensor, torch.Tensor) else None
        if leaf is not None:
            self._leaves[leaf].name = name

    # -- writes and updates --------------------------------------------------------------------

    def _set(self, attribute: str, func: Any, args: Any) -> Any:
        target = args[0]
        if attribute == "data":
            leaf = self._leaf_ids.get(target)
            if leaf is not None:
                self._written(leaf)
        elif attribute == "grad" and len(args) > 1 and args[1] is None:
            leaf = self._leaf_ids.get(target)
            if leaf is not None and target.grad is not None:
                self._cleared(leaf)
        result = func(*args)
        leaf = self._leaf_ids.get(target)
        if leaf is not None:
            self._index(leaf)
        return result

    @unseen
    def _writing(self, name: str, args: Any) -> None:
        """An in-place operator is about to run: does it write to a leaf, or to its .grad?"""
        targets = args[0] if args and isinstance(args[0], (list, tuple)) else args[:1]
        for target in targets:
            address = storage(target) if isinstance(target, torch.Tensor) else None
            if address is None:
                continue
            leaf = self._by_storage.get(address)
            if leaf is not None and storage(self._leaves[leaf].ref()) == address:
                self._written(leaf)
            leaf = self._by_grad.get(address)
            if leaf is not None and name in ("zero_", "_foreach_zero_", "fill_"):
                self._cleared(leaf)

    @unseen
    def _written(self, leaf: int) -> None:
        state = self._leaves[leaf]
        tensor = state.ref()
        if tensor is not None and state.written is None:
            state.written = Write(self._spot(), self._ledger.clock, small_copy(tensor.grad))

    @unseen
    def _cleared(self, leaf: int) -> None:
        state = self._leaves[leaf]
        unused = state.engine is not None and state.written is None
        if len(self._clears) < 2000:
            self._clears.append(Clear(
                after_pass=len(self._passes), spot=self._spot(), leaf=leaf, unused=unused))
        state.cleared_unused = unused

    @unseen
    def _settle(self) -> None:
        """Find by value what changed since the last pass."""
        for registered in self._registrations:
            parameter = registered()
            if parameter is not None:
                self._meet(parameter, parameter=True)
        self._registrations.clear()
        parts, spot, optimizer = [], None, None
        for state in self._leaves.values():
            written = state.written
            part = state.settle(self._pass_clock)
            self._idle_writes += part is None and written is not None
            if part is not None:
                parts.append(part)
                self._index(state.id)
                if written is not None:
                    spot, optimizer = spot or written.spot, written.optimizer
        if parts:
            self._ledger.epoch += 1
            self._updates.append(Update(
                after_pass=len(self._passes), spot=spot, optimizer=optimizer, parts=parts))

    # -- global hooks --------------------------------------------------------------------------

    def _registered(self, module: Any, name: str, parameter: Any) -> None:
        if parameter is not None and not self._busy:
            self._busy = True
            try:
                # Its values are still uninitialised memory: meet it at the next pass.
                self._registrations.append(weakref.ref(parameter))
                self._modules.add(module)
                self._sightings.note("module", self._spot(), type(module).__name__,
                                     at_pass=len(self._passes))
            finally:
                self._busy = False

    @unseen
    def _stepping(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        if self._busy:
            return
        self._busy = True
        try:
            number = self._optimizers.setdefault(optimizer, len(self._optimizer_records))
            entry = self._optimizer_records.setdefault(number, {
                "kind": type(optimizer).__name__, "spot": self._spot(), "steps": 0, "idle": 0,
                "leaves": [], "stateful": False,
            })
            entry["steps"] += 1
            members = [p for group in optimizer.param_groups for p in group["params"]]
            if all(p.grad is None or not p.grad.any() for p in members) and not args:
                entry["idle"] += 1
            leaves = [self._meet(p) for p in members]
            entry["leaves"] = [leaf for leaf in leaves if leaf is not None][:100]
            entry["stateful"] = entry["stateful"] or _keeps_state(optimizer)
            for leaf in entry["leaves"]:
                self._written(leaf)
                written = self._leaves[leaf].written
                if written is not None:
                    written.optimizer = number
        finally:
            self._busy = False

    # -- passes --------------------------------------------------------------------------------

    def _pass(self, kind: Any, func: Any, args: Any, kwargs: Any) -> Any:
        output = args[0] if args else kwargs.get("outputs", kwargs.get("tensors"))
        facts: dict[str, Any] = self._before_pass(kind, output)
        result: Any = None
        facts["failed"] = True
        try:
            result = func(*args, **kwargs)
            facts["failed"] = False
        except RuntimeError as error:
            ran = self._ledger.running
            if SECOND_TIME in str(error) and ran:
                facts["torn"] = by_line(t for t in reversed(ran) if t.last_pass >= 0)
            raise
        finally:
            self._after_pass(facts, result if kind == "grad" else None)
        if self._max_passes is not None and len(self._passes) >= self._max_passes:
            raise Enough
        return result

    @unseen
    def _before_pass(self, kind: Any, output: Any) -> dict[str, Any]:
        self._settle()
        ledger, index = self._ledger, len(self._passes)
        ledger.passes = index
        for state in self._leaves.values():
            tensor = state.ref()
            if state.engine is None and tensor is not None:
                state.held = small_copy(tensor.grad)
            if tensor is not None:
                state.hooks.append(_count_hooks(tensor))
        self._module_hooks.append(sum(map(_count_module_hooks, self._modules)))
        outputs = list(output) if isinstance(output, (list, tuple)) else [output]
        roots = [ledger.stamp(o) for o in outputs if isinstance(o, torch.Tensor)]
        root = next((r for r in roots if r is not None), None)
        self._root = -1 if root is None else root.id
        self._reached = set()
        self._received_square = None
        self._graph = ledger.sketch(root) or self._graph
        ledger.running = []
        return {
            "index": index, "kind": kind, "spot": self._spot(),
            "calls": spots_of(self._here()), "value": _value(outputs[0]), **ledger.spans(root),
        }

    @unseen
    def _after_pass(self, facts: dict[str, Any], results: Any) -> None:
        ledger = self._ledger
        ran, ledger.running = ledger.running or [], None
        facts |= self._judge_runs(ran)
        ledger.passes = facts["index"] + 1
        self._pass_clock = ledger.clock
        for item in itertools.chain(results or (), (t.grad for t in self._refs())):
            if isinstance(item, torch.Tensor) and item.grad_fn is not None:
                ledger.stamp(item)
        for leaf in self._leaves:
            self._index(leaf)
        self.sample()
        facts |= ledger.live_ages()
        self._passes.append(Pass(
            **facts, reached=sorted(self._reached), gradient=_root(self._received_square),
            live=ledger.live))

    def _refs(self) -> list[torch.Tensor]:
        return [t for s in self._leaves.values() if (t := s.ref()) is not None]

    def _judge_runs(self, ran: list[Token]) -> dict[str, Any]:
        """Which of the executed nodes are re-runs, which are out of date."""
        rerun, outdated = [], []
        index, clock = len(self._passes), self._ledger.clock
        for token in ran:
            changed = max((self._leaves[i].changed_clock for i in token.leaves), default=-1)
            if token.last_pass >= 0:
                if token.last_epoch != self._ledger.epoch:
                    token.epochs += 1
                    # Once more across an update is harmless while nothing below it changed (one
                    # graph, two optimisers); twice more is a graph that is never rebuilt.
                    if changed > token.last_clock or token.epochs >= 2:
                        rerun.append(token)
            elif changed > token.born_clock:
                outdated.append(token)
            token.last_pass, token.last_epoch, token.last_clock = index, self._ledger.epoch, clock
        return {"executed": len(ran), "rerun": by_line(rerun), "outdated": by_line(outdated)}

    @unseen
    def sample(self) -> None:
        """Note which nodes of past steps are alive now."""
        past = self._ledger.past_alive()
        if past:
            gc.collect()  # nodes held by nothing but reference cycles are no leak
            past = self._ledger.past_alive()
        if len(past) >= self._kept_lines[0] and past:
            roots = [t for t in past if t.children == 0]
            self._kept_lines = (len(past), by_line(past), by_line(roots))

    # -- the result ----------------------------------------------------------------------------

    def count_live(self) -> int:
        """How many graph nodes are alive now, those in reference cycles aside."""
        if self._ledger.live > self._counted:
            gc.collect()
        self._counted = self._ledger.live
        return self._counted

    def recording(self) -> Recording:
        """What was seen, as plain data."""
        see = self._sightings
        return Recording(
            passes=self._passes, updates=self._updates,
            leaves=[s.record() for s in self._leaves.values()], clears=self._clears,
            optimizers=[
                Optimizer(id=i, kind=e["kind"], spot=e["spot"], steps=e["steps"],
                          stateful=e["stateful"], leaves=e["leaves"], idle_steps=e["idle"])
                for i, e in self._optimizer_records.items()
            ],
            cuts=see.of("cut"), broadcasts=see.of("broadcast"), hooks=see.of("hook"),
            modules=see.of("module"), draws=see.draws(), kept=self._kept_lines[1],
            kept_roots=self._kept_lines[2], module_hooks=self._module_hooks,
            idle_writes=self._idle_writes, peak_live=self._ledger.peak,
            born=self._ledger.born, graph=[draw(node) for node in self._graph],
        )


def _root(square: float | None) -> float | None:
    return None if square is None else math.sqrt(square)


def _is_parameter(tensor: torch.Tensor) -> bool:
    return isinstance(tensor, torch.nn.Parameter)


def _keeps_state(optimizer: Any) -> bool:
    """Whether building this optimiser anew would lose something (momentum, averages)."""
    if type(optimizer).__name__ != "SGD":
        return True
    return any(group.get("momentum") for group in optimizer.param_groups)


def _count_hooks(tensor: torch.Tensor) -> int:
    own = getattr(tensor, "_backward_hooks", None) or ()
    after = getattr(tensor, "_post_accumulate_grad_hooks", None) or ()
    return len(own) + len(after)


def _count_module_hooks(module: torch.nn.Module) -> int:
    kinds = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks")
    return sum(len(getattr(module, kind, None) or ()) for kind in kinds)


def _value(output: Any) -> float | None:
    if isinstance(output, torch.Tensor) and output.numel() == 1:
        try:
            return float(output.detach())
        except RuntimeError:
            return None  # inside a functorch transform
    return None
