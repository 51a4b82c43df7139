"""Runs of the autograd engine: what each was asked for, what it ran, what lived after it."""

from __future__ import annotations

from typing import Any

import torch
from torch._C._functorch import is_functorch_wrapped_tensor
from torch.autograd.graph import GradientEdge

from autograder.recorder.calls import plain_spot, plain_spots
from autograder.recorder.graph import ACCUMULATE, Ledger, Token, by_line, node_of
from autograder.recorder.leaves import Leaves
from autograder.recorder.runs import Kept, Reruns, behind, judged, leading_to

SECOND_TIME = "backward through the graph a second time"


class Passes:
    """The passes of one recording."""

    def __init__(self, ledger: Ledger, leaves: Leaves) -> None:
        self.kept = Kept(ledger)
        self.clock = 0
        """When the last one ended."""
        self.depth = 0
        """How many are running: a hook may start another."""
        self.root = -1
        """The id of the node that the last one began with."""
        self._ledger = ledger
        self._leaves = leaves
        self._records: list[dict[str, Any]] = []

    def __len__(self) -> int:
        return len(self._records)

    def run(self, kind: str, func: Any, args: Any, kwargs: Any) -> Any:
        """Call `func`, which runs the engine."""
        with torch._C.DisableTorchFunction():
            outputs = _listed(args[0] if args else kwargs.get("outputs", kwargs.get("tensors")))
            roots = [node for each in outputs if (node := _node(each)) is not None]
            facts, tokens = self._before(kind, outputs, roots, _inputs(func, args, kwargs))
            reruns = Reruns(roots, tokens, self._ledger)
        result: Any = None
        self.depth += 1
        try:
            result = func(*args, **kwargs)
            facts["failed"] = False
        except RuntimeError as error:
            if SECOND_TIME in str(error) and reruns.ran:
                facts["torn"] = by_line(reversed(reruns.ran))
            raise
        finally:
            self.depth -= 1
            reruns.close()
            if facts["failed"]:
                tokens = reruns.before_failure(tokens)
            with torch._C.DisableTorchFunction():
                self._after(facts, tokens, result if kind == "grad" else None)
        return result

    def _before(self, kind: str, outputs: list[Any], nodes: list[Any], inputs: Any,
                ) -> tuple[dict[str, Any], list[Token]]:
        ledger, index = self._ledger, len(self._records)
        ledger.passes = index
        self._leaves.before_pass()
        roots = [ledger.token(node) for node in nodes]
        self.root = roots[0].id if roots else -1
        tokens = behind(roots)
        ledger.sketch(tokens)
        span = ledger.span(tokens)
        if inputs is not None:
            tokens = self._leading_to(_listed(inputs), tokens)
        calls = ledger.here()
        return {
            "index": index, "kind": kind, "spot": plain_spot(calls), "calls": plain_spots(calls),
            "value": _value(outputs[0]) if outputs else None, "failed": True, **span,
        }, tokens

    def _leading_to(self, inputs: list[Any], tokens: list[Token]) -> list[Token]:
        if any(isinstance(t, torch.Tensor) and is_functorch_wrapped_tensor(t) for t in inputs):
            return tokens  # a transform asks for all its inputs, and none is a leaf that we know
        goals = {self._ledger.token(n) for each in inputs if (n := _node(each)) is not None}
        wanted = {leaf for each in inputs if (leaf := self._leaves.find(_leaf(each))) is not None}
        return leading_to(goals, wanted, tokens)

    def _after(self, facts: dict[str, Any], ran: list[Token], results: Any) -> None:
        ledger = self._ledger
        facts |= judged(ran, ledger, self._leaves)
        ledger.passes = facts["index"] + 1
        self.clock = ledger.clock
        self._leaves.after_pass()
        for item in results or ():
            if isinstance(item, torch.Tensor):
                ledger.stamp(item)
        for tensor in self._leaves.alive():
            if tensor.grad is not None and node_of(tensor.grad) is not None:
                ledger.stamp(tensor.grad)
        self.kept.look()
        self._records.append(facts | ledger.live_ages())

    def records(self) -> list[dict[str, Any]]:
        """As plain data."""
        received = self._leaves.received()
        return [
            facts if (found := received.get(facts["index"])) is None
            else facts | {"reached": found[0], "gradient": found[1]} for facts in self._records
        ]


def _inputs(func: Any, args: Any, kwargs: Any) -> Any:
    """What the engine is asked for the gradients of; None for all leaves."""
    place = {"grad": 1, "backward": 5 if func is torch.autograd.backward else 4}[func.__name__]
    return args[place] if len(args) > place else kwargs.get("inputs")


def _listed(given: Any) -> list[Any]:
    if isinstance(given, dict):
        return list(given.values())
    return [given] if isinstance(given, (torch.Tensor, GradientEdge)) else list(given or ())


def _node(given: Any) -> Any:
    """The node that a tensor or an edge stands for; None for a leaf."""
    if isinstance(given, torch.Tensor):
        return node_of(given)
    node = given.node if isinstance(given, GradientEdge) else None
    return None if node is None or node.name() == ACCUMULATE else node


def _leaf(given: Any) -> Any:
    """The leaf that a tensor or an edge stands for."""
    return getattr(given.node, "variable", None) if isinstance(given, GradientEdge) else given


def _value(output: Any) -> float | None:
    if isinstance(output, torch.Tensor) and output.numel() == 1:
        try:
            return float(output.detach())
        except RuntimeError:
            return None  # inside a functorch transform
    return None
