"""A context manager that watches autograd run and puts everything back when it leaves.

It sees every operator through a `TorchFunctionMode`, every gradient through the pre-hook of the
node that accumulates it, every update by value. What it saw comes back as a plain `Recording`.
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
from autograder.recorder.calls import Here
from autograder.recorder.graph import Ledger
from autograder.recorder.hooks import Modules, Optimizers
from autograder.recorder.leaves import Leaves
from autograder.recorder.passes import Passes
from autograder.recorder.sightings import Sightings

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

    Blind inside `torch.compile`, in worker processes, and to a pass that is given edges in place of
    tensors (torch tells no mode of it). Our own work on tensors runs past every function mode:
    seen by none, and several times faster.
    """

    def __init__(self, here: Here, *, max_passes: int | None = None) -> None:
        super().__init__()
        self._max_passes = max_passes
        self._ledger = Ledger(here, self._meet_accumulator)
        self._leaves = Leaves(self._ledger)
        self._passes = Passes(self._ledger, self._leaves)
        self._optimizers = Optimizers(self._ledger, self._leaves)
        self._modules = Modules()
        self._sightings = Sightings()
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
        name = func.__name__
        kwargs = kwargs or {}
        if name == "__get__" and func.__self__.__name__ != "data" or name in IGNORED or self._busy:
            return func(*args, **kwargs)
        self._ledger.clock += 1
        if name == "backward" and func in (torch.Tensor.backward, torch.autograd.backward):
            return self._pass("backward", func, args, kwargs)
        if name == "grad" and func is torch.autograd.grad:
            return self._pass("grad", func, args, kwargs)
        if name == "__get__":
            if args[0].requires_grad and not args[0].is_leaf:
                self._sightings.note("cut", self._ledger.here(), "data")
            return func(*args, **kwargs)
        if name == "__set__":
            return self._set(func.__self__.__name__, func, args)
        writes = name[-1] == "_" and (
            name in WRITING or (name[:2] != "__" and name != "requires_grad_"))
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
        self._sightings.operator(name, args, result, ledger, len(self._passes))

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

    def _pass(self, kind: str, func: Any, args: Any, kwargs: Any) -> Any:
        with torch._C.DisableTorchFunction():
            self._settle()
            self._modules.before_pass()
        result = self._passes.run(kind, func, args, kwargs)
        if self._max_passes is not None and len(self._passes) >= self._max_passes:
            raise Enough
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
            if module._parameters.get(name) is None:  # else `layer.weight -= …`: no new module
                self._sightings.note("module", self._ledger.here(), type(module).__name__,
                                     at_pass=len(self._passes))

    def _stepping(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        if not self._busy:
            self._ledger.clock += 1
            with torch._C.DisableTorchFunction():
                self._optimizers.stepping(optimizer, bool(args) or "closure" in kwargs)

    def _meet_accumulator(self, node: Any) -> int | None:
        """The leaf behind an AccumulateGrad node, whose gradients are listened to from now on."""
        leaf = self._leaves.meet(node.variable)
        if leaf is not None:
            node.register_prehook(lambda grads, leaf=leaf: self._received(leaf, grads[0]))
        return leaf

    def _received(self, leaf: int, grad: torch.Tensor | None) -> None:
        if self._passes.depth and grad is not None:
            with torch._C.DisableTorchFunction():
                self._leaves.receive(leaf, grad, self._passes.root)

    # -- between passes ------------------------------------------------------------------------

    def _settle(self) -> None:
        self._modules.meet(self._leaves)
        self._leaves.settle(self._passes.clock)

    def sample(self) -> None:
        """Note which nodes of past steps are alive now."""
        self._passes.kept.look()

    def count_live(self) -> int:
        """How many graph nodes are alive now, those in reference cycles aside."""
        return self._passes.kept.count()

    # -- the result ----------------------------------------------------------------------------

    def recording(self) -> Recording:
        """What was seen, as plain data."""
        see, leaves, kept = self._sightings, self._leaves, self._passes.kept
        with torch._C.DisableTorchFunction():
            return Recording.model_validate({
                "passes": self._passes.records(), "updates": leaves.record_updates(),
                "leaves": leaves.record(), "clears": leaves.clears,
                "optimizers": self._optimizers.record(), "cuts": see.of("cut"),
                "broadcasts": see.of("broadcast"), "hooks": see.of("hook"),
                "modules": see.of("module"), "draws": see.draws(), "kept": kept.nodes,
                "kept_roots": kept.roots, "module_hooks": self._modules.hooks,
                "idle_writes": leaves.idle_writes, "peak_live": self._ledger.peak,
                "born": self._ledger.born, "graph": self._ledger.drawing(),
            })
