"""torch's own errors, told in terms of the course. Matched on kind and a few stable words."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from autograder import blame, graphs, source
from autograder.evidence import Failure, Pass, Recording, Spot
from autograder.report import Diagnosis
from autograder.submission import Submission


@dataclass(frozen=True)
class Rule:
    """An error by its exception's kind and words; `line` asks the failing line for a word too."""

    code: str
    kind: str
    words: str
    line: str = ""

    def fits(self, failure: Failure, text: str) -> bool:
        """Whether the failure is of this kind."""
        return bool(re.fullmatch(self.kind, failure.kind)
                    and re.search(self.words, failure.message, re.IGNORECASE | re.DOTALL)
                    and re.search(self.line, text))


RULES = (
    Rule("leaf-in-place", "RuntimeError", r"leaf variable that requires grad.*in-?place"),
    Rule("deepcopy-non-leaf", "RuntimeError", r"deepcopy protocol"),
    Rule("lost-parameter", "RuntimeError", r"differentiated tensors does not require grad"),
    Rule("no-gradient", "RuntimeError", r"does not require grad"),
    Rule("no-gradient", "RuntimeError", r"not to have been used in the graph"),
    Rule("no-gradient", "RuntimeError", r"inference tensors? cannot be saved"),
    Rule("no-gradient", "AttributeError", r"'(int|float|ndarray|float(32|64))' object has no "
                                          r"attribute '(backward|grad_fn|requires_grad)'"),
    Rule("non-scalar-backward", "RuntimeError", r"implicitly created only for scalar"),
    Rule("grad-is-none", "TypeError|AttributeError|RuntimeError|ValueError", r"NoneType|\bNone\b",
         r"grad"),
    Rule("grad-is-none", "TypeError", r"must be Tensor, not NoneType|unsupported operand.*None"),
    Rule("no-parameters", "ValueError", r"empty parameter list"),
    Rule("lost-parameter", "ValueError", r"non-leaf tensor"),
    Rule("lost-parameter", "TypeError", r"cannot assign .* as parameter"),
    Rule("wrong-device", "RuntimeError|AssertionError|AcceleratorError|ValueError|NotImplemented"
                         "Error", r"not compiled with cuda|nvidia driver|same device|"
                                  r"cuda device|no cuda|cuda error|invalid device|"
                                  r"available devices|mps (backend|device)|cuda.*not available|"
                                  r"device type"),
    Rule("memory-limit", "MemoryError|OutOfMemoryError", ""),
    Rule("memory-limit", "RuntimeError", r"not enough memory|can't allocate memory"),
    Rule("wrong-dtype", "RuntimeError|TypeError|IndexError|ValueError",
         r"same dtype|expected scalar type|dtype .* but (expected|found)|found dtype|"
         r"floating point and complex|not implemented for '(long|int|half|bool|byte)|"
         r"must be (floating|real)|result type \w+ can't be cast|expected .*dtype|"
         r"input dtype should be|different dtypes|type \(.*\) and (bias|weight) type|"
         r"can optimize only floating"),
    Rule("wrong-shape", "RuntimeError|ValueError|IndexError",
         r"shapes? .* cannot be multiplied|size of tensor|must match|shape '.*' is invalid|"
         r"broadcast shape|not broadcastable|size mismatch|expected .*-?d(imensional)? .*input|"
         r"kernel size can't be greater|to have \d+ channels|cannot be converted to scalar|"
         r"different size|shape mismatch|inconsistent tensor|dimension out of range|"
         r"dimension(s)? (specified|must)|same (number of dimensions|size)|expanded size|"
         r"mat1 and mat2|given groups|1d tensors expected|too many indices"),
)


def translate(failure: Failure, recording: Recording | None,
              submission: Submission) -> Diagnosis:
    """The diagnosis that an exception stands for; `crash` where no better code names it."""
    spot = failure.frames[-1] if failure.frames else None
    text = submission.place(spot.cell, spot.line).text if spot else ""
    evidence: dict[str, object] = {"error": failure.kind, "torch_says": failure.message[:400]}
    graph = _graph_error(failure, recording, spot, submission, evidence)
    if graph is not None:
        return graph
    for rule in RULES:
        if rule.fits(failure, text):
            raised = Raised(rule.code, spot, recording, submission, evidence)
            return REFINE.get(rule.code, _plain)(raised)
    return Diagnosis("crash", spot, {"error": failure.kind, "said": failure.message[:300]},
                     evidence, variant=_crash_variant(failure))


def _graph_error(failure: Failure, recording: Recording | None, spot: Spot | None,
                 submission: Submission, evidence: dict[str, object]) -> Diagnosis | None:
    second = re.search(r"backward through the graph a second time", failure.message)
    changed = re.search(r"modified by an inplace operation", failure.message)
    if not second and not changed:
        return None
    passes = [p for p in recording.passes if p.failed] if recording else []
    if second:
        return reuse(passes[-1:], recording, submission, spot, evidence | {"raises": True})
    if passes and (passes[-1].rerun or passes[-1].span > 0):
        return reuse(passes[-1:], recording, submission, spot, evidence | {"raises": True})
    if passes and passes[-1].outdated:
        update = next((u.spot for u in reversed(recording.updates if recording else [])), None)
        related = (("backward-here", spot),) if spot else ()
        return Diagnosis("stale-step", update or spot, {}, evidence, related)
    return Diagnosis("crash", spot, {"error": failure.kind, "said": failure.message[:300]},
                     evidence, variant="inplace")


def reuse(passes: list[Pass], recording: Recording | None, submission: Submission,
          spot: Spot | None, evidence: dict[str, object]) -> Diagnosis:
    """graph-reuse, told from the line that bore the old operations, or carries them on."""
    old, birth, carried = graphs.old_nodes(passes), None, None
    if old:
        at = [s for s in (passes[-1].spot, *passes[-1].calls) if s]
        carried = source.carrier(submission, graphs.boundary(recording)) if recording else None
        birth = carried or source.origin(old[0], at)
    evidence = evidence | {"old_operations": sum(n.count for n in old),
                           "operators": sorted({n.operator for n in old})}
    related = (("backward-here", spot),) if spot and birth and spot != birth else ()
    return Diagnosis("graph-reuse", birth or spot, {}, evidence, related,
                     variant="setup" if old and old[0].setup and not carried else "step")


@dataclass(frozen=True)
class Raised:
    """An error under way to its diagnosis."""

    code: str
    spot: Spot | None
    recording: Recording | None
    submission: Submission
    evidence: dict[str, object]

    def at(self, spot: Spot | None, *, note: str = "", code: str = "",
           variant: str = "") -> Diagnosis:
        """The diagnosis at `spot`, the failing line beside it under a note."""
        related = ((note, self.spot),) if note and self.spot and self.spot != spot else ()
        return Diagnosis(code or self.code, spot or self.spot, {}, self.evidence, related,
                         variant=variant)


def _plain(raised: Raised) -> Diagnosis:
    return raised.at(raised.spot)


def _no_gradient(raised: Raised) -> Diagnosis:
    cut = last_cut(raised.recording)
    off = blame.switched_off(raised.submission, cut) if cut else None
    return raised.at(off or cut, note="backward-here", code="no-gradient")


def _grad_none(raised: Raised) -> Diagnosis:
    """`.grad` is None: was it never filled, or emptied before it was used?"""
    wiped = [c for c in raised.recording.clears if c.unused] if raised.recording else []
    if wiped:
        return raised.at(wiped[-1].spot, note="used-here", code="gradients-cleared-early")
    return raised.at(raised.spot)


def _not_a_leaf(raised: Raised) -> Diagnosis:
    """autograd.grad with respect to a tensor without grad: lost on the way, or never there?"""
    if raised.evidence["error"] != "RuntimeError":
        return _plain(raised)
    recording = raised.recording
    if not (recording and any(not p.failed for p in recording.passes)):
        return _no_gradient(raised)
    return raised.at(blame.rebound(raised.submission) or last_cut(recording), note="used-here")


def _cast(raised: Raised) -> Diagnosis:
    return raised.at(blame.cast(raised.submission, raised.spot), note="used-here")


def _shape(raised: Raised) -> Diagnosis:
    """The layer's own shape, where it is odd; else the failing line."""
    shapes = {tuple(leaf.shape) for leaf in raised.recording.leaves if leaf.parameter} \
        if raised.recording else set()
    odd = bool(shapes) and not shapes & {(1, 5), (1, 1, 1, 2), (1, 2)}
    return raised.at(blame.layer(raised.submission, odd=odd), note="used-here")


def _no_parameters(raised: Raised) -> Diagnosis:
    return raised.at(blame.plain_list(raised.submission), note="used-here")


def last_cut(recording: Recording | None) -> Spot | None:
    """The last line that cut a tensor off from its graph, logging of numbers aside."""
    cuts = [c for c in recording.cuts if c.spot] if recording else []
    strong = [c for c in cuts if c.operator not in ("item", "__float__", "tolist")]
    chosen = (strong or cuts)[-1:]
    return chosen[0].spot if chosen else None


REFINE: dict[str, Callable[[Raised], Diagnosis]] = {
    "no-gradient": _no_gradient, "grad-is-none": _grad_none, "lost-parameter": _not_a_leaf,
    "wrong-dtype": _cast, "wrong-shape": _shape, "no-parameters": _no_parameters,
}


def _crash_variant(failure: Failure) -> str:
    if failure.kind in ("SystemExit", "KeyboardInterrupt"):
        return "exit"
    if failure.kind == "EOFError" and "input()" in failure.message:
        return "input"
    if failure.kind == "RecursionError":
        return "recursion"
    return "syntax" if failure.kind in ("SyntaxError", "IndentationError", "TabError") else ""
