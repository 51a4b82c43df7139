"""A context manager that watches autograd run and puts everything back when it leaves.

It sees every operator through a `TorchFunctionMode`, every executed graph node through the node's
own pre-hook, every update by value. What it saw comes back as a plain `Recording`.
"""

from __future__ import annotations

from contextlib import ExitStack
from types import TracebackType
from typing import Any

import torch
from torch.nn.modules.module import register_module_parameter_registration_hook
from torch.optim.optimizer import register_optimizer_step_pre_hook
from torch.overrides import TorchFunctionMode

from autograder.evidence import Recording
from autograder.recorder.calls import Here, plain_spot, plain_spots
from autograder.recorder.graph import Ledger, by_line
from autograder.recorder.hooks import Modules, Optimizers
from autograder.recorder.leaves import Leaves
from autograder.recorder.runs import Kept, judged
from autograder.recorder.sightings import BROADCASTING, RANDOM, Sightings, cut, outer_broadcast

SECOND_TIME = "backward through the graph a second time"
WRITING = frozenset({"__setitem__", "__isub__", "__iadd__", "__imul__", "__itruediv__"})
IGNORED = frozenset({
    "_record_function_enter_new", "_record_function_exit._RecordFunction", "_set_grad_enabled",
    "is_grad_enabled", "size", "dim", "numel", "is_floating_point", "is_complex", "__len__",
    "__hash__", "data_ptr", "untyped_storage", "stride", "storage_offset",
})
"""Neither make nor change a tensor: not worth a look."""


class Enough(BaseException):
    """Raised out of the watched program when it has made `max_passes` passes."""


class Recorder(TorchFunctionMode):
    """Watch the calling thread's autograd.

    Args:
        here: gives the watched program's lines now running, innermost first.
        max_passes: stop the program (by raising `Enough`) after so many backward passes.

    Blind inside `torch.compile` and in worker processes. Our own work on tensors runs past every
    function mode: seen by none, and several times faster.
    """

    def __init__(self, here: Here, *, max_passes: int | None = None) -> None:
        super().__init__()
        self._max_passes = max_passes
        self._ledger = Ledger(here, self._meet_accumulator)
        self._leaves = Leaves(self._ledger)
        self._optimizers = Optimizers(self._ledger, self._leaves)
        self._modules = Modules()
        self._sightings = Sightings()
        self._passes: list[dict[str, Any]] = []
        self._kept = Kept(self._ledger)
        self._pass_clock = 0
        self._root = -1
        self._busy = False
        self._stack = ExitStack()

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
            with torch._C.DisableTorchFunction():
                self._settle()
                self.sample()
        finally:
            self._stack.close()

    # -- what the mode sees --------------------------------------------------------------------

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        name = func.__name__
        if self._busy or name in IGNORED or (
                name == "__get__" and func.__self__.__name__ != "data"):
            return func(*args, **kwargs)
        self._ledger.clock += 1
        if func is torch.Tensor.backward or func is torch.autograd.backward:
            return self._pass("backward", func, args, kwargs)
        if func is torch.autograd.grad:
            return self._pass("grad", func, args, kwargs)
        if name == "__get__":
            if args[0].requires_grad and not args[0].is_leaf:
                self._sightings.note("cut", self._ledger.here(), "data")
            return func(*args, **kwargs)
        if name == "__set__":
            return self._set(func.__self__.__name__, func, args)
        writes = name in WRITING or (
            name[-1] == "_" and name[:2] != "__" and name != "requires_grad_")
        if writes:
            with torch._C.DisableTorchFunction():
                for target in args[0] if args and isinstance(args[0], (list, tuple)) else args[:1]:
                    if isinstance(target, torch.Tensor):
                        self._leaves.writing(name, target)
        result = func(*args, **kwargs)
        if result is not None or writes:
            with torch._C.DisableTorchFunction():
                self._observe(name, args, result, writes)
        return result

    def _observe(self, name: str, args: Any, result: Any, writes: bool) -> None:
        ledger = self._ledger
        if isinstance(result, torch.Tensor):
            ledger.stamp(result)
        elif isinstance(result, (tuple, list)):
            for item in result:
                if isinstance(item, torch.Tensor):
                    ledger.stamp(item)
        if writes and args and isinstance(args[0], torch.Tensor):
            ledger.stamp(args[0])
        how = cut(name, args, result)
        if how is not None:
            self._sightings.note("cut", ledger.here(), how)
        if name in BROADCASTING:
            shapes = outer_broadcast(args, result)
            if shapes is not None:
                self._sightings.note("broadcast", ledger.here(), name, shapes=shapes)
        elif name in RANDOM and isinstance(result, torch.Tensor):
            self._sightings.draw(ledger.here(), name, result)
        elif name in ("register_hook", "register_post_accumulate_grad_hook"):
            self._sightings.note("hook", ledger.here(), name, at_pass=len(self._passes))

    def _set(self, attribute: str, func: Any, args: Any) -> Any:
        """An attribute of a tensor is set: `.data` writes to a leaf, `.grad = None` clears."""
        target = args[0]
        leaf = self._leaves.find(target)
        if leaf is None:
            return func(*args)
        with torch._C.DisableTorchFunction():
            if attribute == "data":
                self._leaves.written(leaf)
            elif attribute == "grad" and len(args) > 1 and args[1] is None \
                    and target.grad is not None:
                self._leaves.cleared(leaf)
        result = func(*args)
        with torch._C.DisableTorchFunction():
            self._leaves.index(leaf)
        return result

    def name(self, tensor: Any, name: str) -> None:
        """Call the leaf by that name in the record."""
        leaf = self._leaves.find(tensor)
        if leaf is not None:
            self._leaves[leaf].name = name

    # -- what hooks see ------------------------------------------------------------------------

    def _registered(self, module: Any, name: str, parameter: Any) -> None:
        if parameter is not None and not self._busy:
            self._ledger.clock += 1
            self._modules.registered(module, parameter)
            self._sightings.note("module", self._ledger.here(), type(module).__name__,
                                 at_pass=len(self._passes))

    def _stepping(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        if not self._busy:
            self._ledger.clock += 1
            with torch._C.DisableTorchFunction():
                self._optimizers.stepping(optimizer, bool(args) or "closure" in kwargs)

    def _meet_accumulator(self, node: Any) -> int | None:
        """The leaf behind an AccumulateGrad node, whose gradients are listened to from now on."""
        leaf: int | None = node.metadata.get(self._ledger)
        if leaf is None:
            leaf = self._leaves.meet(node.variable)
            if leaf is not None:
                node.metadata[self._ledger] = leaf
                node.register_prehook(lambda grads, leaf=leaf: self._received(leaf, grads[0]))
        return leaf

    def _received(self, leaf: int, grad: torch.Tensor | None) -> None:
        if self._ledger.running is not None and grad is not None:
            with torch._C.DisableTorchFunction():
                self._leaves.receive(leaf, grad, self._root)

    # -- passes --------------------------------------------------------------------------------

    def _pass(self, kind: str, func: Any, args: Any, kwargs: Any) -> Any:
        outputs = args[0] if args else kwargs.get("outputs", kwargs.get("tensors"))
        with torch._C.DisableTorchFunction():
            facts = self._before_pass(kind, outputs)
        result: Any = None
        try:
            result = func(*args, **kwargs)
            facts["failed"] = False
        except RuntimeError as error:
            ran = self._ledger.running
            if SECOND_TIME in str(error) and ran:
                facts["torn"] = by_line(t for t in reversed(ran) if t.last_pass >= 0)
            raise
        finally:
            with torch._C.DisableTorchFunction():
                self._after_pass(facts, result if kind == "grad" else None)
        if self._max_passes is not None and len(self._passes) >= self._max_passes:
            raise Enough
        return result

    def _settle(self) -> None:
        self._modules.meet(self._leaves)
        self._leaves.settle(self._pass_clock)

    def _before_pass(self, kind: str, outputs: Any) -> dict[str, Any]:
        self._settle()
        ledger, index = self._ledger, len(self._passes)
        ledger.passes = index
        self._leaves.before_pass()
        self._modules.before_pass()
        outputs = outputs if isinstance(outputs, (list, tuple)) else [outputs]
        roots = [ledger.stamp(o) for o in outputs if isinstance(o, torch.Tensor)]
        root = next((r for r in roots if r is not None), None)
        self._root = -1 if root is None else root.id
        calls = ledger.here()
        return {
            "index": index, "kind": kind, "spot": plain_spot(calls), "calls": plain_spots(calls),
            "value": _value(outputs[0]) if outputs else None, "failed": True,
            **ledger.before_pass(root),
        }

    def _after_pass(self, facts: dict[str, Any], results: Any) -> None:
        ledger = self._ledger
        ran, ledger.running = ledger.running or [], None
        facts |= judged(ran, ledger, self._leaves)
        ledger.passes = facts["index"] + 1
        self._pass_clock = ledger.clock
        self._leaves.after_pass()
        for item in results or ():
            if isinstance(item, torch.Tensor):
                ledger.stamp(item)
        for tensor in self._leaves.alive():
            if tensor.grad is not None and tensor.grad.grad_fn is not None:
                ledger.stamp(tensor.grad)
        self.sample()
        self._passes.append(facts | ledger.live_ages())

    def sample(self) -> None:
        """Note which nodes of past steps are alive now."""
        self._kept.look()

    # -- the result ----------------------------------------------------------------------------

    def count_live(self) -> int:
        """How many graph nodes are alive now, those in reference cycles aside."""
        return self._kept.count()

    def recording(self) -> Recording:
        """What was seen, as plain data."""
        see, leaves = self._sightings, self._leaves
        with torch._C.DisableTorchFunction():
            received = leaves.received()
            passes = [
                facts if (found := received.get(facts["index"])) is None
                else facts | {"reached": found[0], "gradient": found[1]} for facts in self._passes
            ]
            return Recording.model_validate({
                "passes": passes, "updates": leaves.record_updates(), "leaves": leaves.record(),
                "clears": leaves.clears, "optimizers": self._optimizers.record(),
                "cuts": see.of("cut"), "broadcasts": see.of("broadcast"), "hooks": see.of("hook"),
                "modules": see.of("module"), "draws": see.draws(), "kept": self._kept.nodes,
                "kept_roots": self._kept.roots, "module_hooks": self._modules.hooks,
                "idle_writes": leaves.idle_writes, "peak_live": self._ledger.peak,
                "born": self._ledger.born, "graph": self._ledger.drawing(),
            })


def _value(output: Any) -> float | None:
    if isinstance(output, torch.Tensor) and output.numel() == 1:
        try:
            return float(output.detach())
        except RuntimeError:
            return None  # inside a functorch transform
    return None
