"""Which line a careful teacher would point at, for faults whose evidence has no line of its own."""

from __future__ import annotations

import ast
import itertools

from autograder.evidence import Recording, Spot
from autograder.statements import (
    called,
    calls,
    first,
    inside,
    last,
    own_nodes,
    statements,
    where,
)
from autograder.submission import Submission

OPTIMIZERS = frozenset({
    "SGD", "Adam", "AdamW", "RMSprop", "Adagrad", "Adadelta", "Adamax", "NAdam", "RAdam", "Rprop",
    "ASGD", "LBFGS", "SparseAdam", "Adafactor", "Muon",
})
SCHEDULERS = frozenset({
    "StepLR", "MultiStepLR", "ExponentialLR", "LambdaLR", "CosineAnnealingLR", "OneCycleLR",
    "LinearLR", "PolynomialLR", "ReduceLROnPlateau", "CyclicLR", "ConstantLR", "MultiplicativeLR",
    "CosineAnnealingWarmRestarts",
})
LOSSES = frozenset({"L1Loss", "SmoothL1Loss", "HuberLoss", "l1_loss", "smooth_l1_loss",
                    "huber_loss"})
CASTS = frozenset({"long", "half", "double", "int", "float", "to", "type", "bfloat16", "short",
                   "astype", "bool"})
LAYERS = frozenset({"Linear", "Conv2d", "LazyLinear", "Conv1d", "Bilinear", "Embedding"})
PLUMBING = ("Addmm", "Mm", "Mv", "T", "Convolution", "View", "Squeeze", "Unsqueeze", "Permute",
            "Transpose", "Reshape", "Select", "Slice", "UnsafeView", "Expand", "Alias", "Bmm",
            "Clone", "Dot", "CopySlices")
"""Operators that layers are made of: not where a loss is written."""


def optimizer(submission: Submission, *, having: str = "") -> Spot | None:
    """The last line that builds an optimiser; with `having`, one that passes that keyword."""

    def test(statement: ast.stmt) -> bool:
        keywords = {n.arg for n in own_nodes(statement) if isinstance(n, ast.keyword)}
        return bool(called(statement) & OPTIMIZERS) and (not having or having in keywords)

    return last(where(submission, test))


def freezing(submission: Submission) -> Spot | None:
    """`requires_grad_(False)` or `.requires_grad = False`."""

    def test(statement: ast.stmt) -> bool:
        text = ast.unparse(statement) if isinstance(statement, (ast.Expr, ast.Assign)) else ""
        return "requires_grad_(False)" in text or "requires_grad = False" in text

    return last(where(submission, test))


def rate(submission: Submission, *, mean: bool) -> Spot | None:
    """What sets the length of a step: a schedule, a mean, or the learning rate itself."""
    schedule = last(where(submission, lambda s: bool(called(s) & SCHEDULERS)))
    return schedule or (averaging(submission) if mean else None) or _default_rate(submission)


def averaging(submission: Submission) -> Spot | None:
    """The line that takes a mean."""
    return first(where(submission, lambda s: bool(called(s) & {"mean", "mse_loss", "MSELoss"})))


def _default_rate(submission: Submission) -> Spot | None:
    def test(statement: ast.stmt) -> bool:
        if not isinstance(statement, ast.FunctionDef):
            return False
        arguments = statement.args.args + statement.args.kwonlyargs
        return any(a.arg in ("lr", "learning_rate") for a in arguments)

    return first(where(submission, test))


def lqr_rate(submission: Submission) -> Spot | None:
    """Where an agent's rate is made: a constant in place of the argument, a method, the default."""

    def constant(statement: ast.stmt) -> bool:
        return (isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant)
                and isinstance(statement.value.value, (int, float))
                and any("C" in ast.unparse(t) or "rate" in ast.unparse(t).lower()
                        or "lr" in ast.unparse(t).lower() for t in statement.targets))

    found = first(where(submission, constant))
    if found is not None:
        return found
    for cell, statement in statements(submission):
        if isinstance(statement, ast.FunctionDef) and (
                "rate" in statement.name or statement.name in ("lr", "alpha")):
            returns = [n.lineno for n in ast.walk(statement) if isinstance(n, ast.Return)]
            if returns:
                return Spot(cell=cell, line=returns[-1])
    return first(where(submission, lambda s: isinstance(s, ast.FunctionDef)
                        and s.name == "__init__"))


def loss(submission: Submission, recording: Recording) -> Spot | None:
    """Where the loss is written: another criterion, or the first operator that is no layer's."""
    criterion = last(where(submission, lambda s: bool(called(s) & LOSSES)))
    if criterion is not None:
        return criterion
    nodes = sorted((n for n in recording.graph if n.spot and n.fresh), key=lambda n: n.id)
    own = [n for n in nodes if not n.operator.removesuffix("Backward0").startswith(PLUMBING)
           or n.operator.startswith(("Sub", "Pow", "Mul", "Mse"))]
    chosen = own or nodes
    return chosen[0].spot if chosen else None


def cast(submission: Submission, failed: Spot | None) -> Spot | None:
    """The nearest line before a failing one, in its cell, that changes a dtype."""
    if failed is None:
        return None
    before = [s for s in where(submission, lambda s: bool(called(s) & CASTS))
              if s.cell == failed.cell and s.line <= failed.line]
    return before[-1] if before else failed


def layer(submission: Submission, *, odd: bool) -> Spot | None:
    """The line that builds the layer, where its shape is odd or it pads or strides."""

    def test(statement: ast.stmt) -> bool:
        keywords = {n.arg for n in own_nodes(statement) if isinstance(n, ast.keyword)}
        return bool(called(statement) & LAYERS) and (
            odd or bool(keywords & {"padding", "stride", "dilation", "groups"}))

    return first(where(submission, test))


def plain_list(submission: Submission) -> Spot | None:
    """Layers kept in a plain list or dict."""

    def test(statement: ast.stmt) -> bool:
        return (isinstance(statement, ast.Assign)
                and isinstance(statement.value, (ast.List, ast.Dict, ast.ListComp, ast.Tuple))
                and any(isinstance(t, ast.Attribute) for t in statement.targets)
                and bool(called(statement) & (LAYERS | {"Parameter"})))

    return first(where(submission, test))


def rebinding(submission: Submission, name: str = "") -> Spot | None:
    """`layer.weight = nn.Parameter(…)`, after an optimiser was built; of that name, if given."""
    built = optimizer(submission)
    lines = where(submission, lambda s: isinstance(s, ast.Assign) and "Parameter" in called(s)
                  and any(isinstance(t, ast.Attribute) for t in s.targets)
                  and "self" not in ast.unparse(s.targets[0])
                  and ast.unparse(s.targets[0]).endswith(name))
    return last(s for s in lines if built and s.cell == built.cell and s.line > built.line)


def not_anew(submission: Submission) -> Spot | None:
    """The layer that is made at top level, once for all; else the seed that is set too late."""
    built = where(submission, lambda s: isinstance(s, ast.Assign) and bool(called(s) & LAYERS)
                  and s.col_offset == 0)
    seeded = (s for s in calls(submission, "manual_seed") if inside(submission, s, "train"))
    return first(itertools.chain(built, seeded))


def uncalled(submission: Submission, name: str) -> Spot | None:
    """A method that is named and not called: `opt.step` alone on a line."""
    return first(where(submission, lambda s: isinstance(s, ast.Expr)
                        and isinstance(s.value, ast.Attribute) and s.value.attr == name))


def detached(submission: Submission, function: str = "train") -> Spot | None:
    """The line that detaches something in a function: a target made from the model's output."""
    return first(s for s in where(submission, lambda s: bool(
        called(s) & {"detach", "clone"}) and isinstance(s, ast.Assign))
        if inside(submission, s, function))


def written_in(submission: Submission) -> Spot | None:
    """Where parameters are written in: a constant tensor copied or assigned, in train."""
    for names in (frozenset({"copy_", "fill_", "full_like"}), frozenset({"tensor", "full"}),
                  frozenset({"lstsq", "pinv", "solve", "inv", "pinverse"})):
        for spot in where(submission, lambda s, n=names: bool(called(s) & n)):  # type: ignore[misc]
            if inside(submission, spot, "train"):
                return spot
    return None


def custom_backward(submission: Submission) -> Spot | None:
    """The return of a custom Function's backward."""
    for cell, statement in statements(submission):
        if isinstance(statement, ast.FunctionDef) and statement.name == "backward":
            returns = [n.lineno for n in ast.walk(statement) if isinstance(n, ast.Return)]
            if returns:
                return Spot(cell=cell, line=returns[-1])
    return None


def hook(submission: Submission) -> Spot | None:
    """The line that registers a hook."""
    names = ("register_forward_hook", "register_hook", "register_forward_pre_hook",
             "register_full_backward_hook", "register_post_accumulate_grad_hook",
             "register_full_backward_pre_hook")
    return next((s for name in names for s in calls(submission, name)), None)


def shuffling(submission: Submission) -> Spot | None:
    """The last line in train that puts rows in another order, or leaves some out."""
    names = {"randperm", "shuffle", "permutation", "sample", "roll", "flip", "sort", "argsort",
             "DataLoader", "flipud"}

    def test(statement: ast.stmt) -> bool:
        return bool(called(statement) & names) or any(
            isinstance(n, ast.Subscript) and any(isinstance(k, ast.Slice) and (k.lower or k.upper)
                                                 for k in ast.walk(n.slice))
            for n in own_nodes(statement))

    lines = [s for s in where(submission, test) if inside(submission, s, "train")]
    named = [s for s in where(submission, lambda s: bool(called(s) & names)) if s in lines]
    return last(iter(named or lines))


def switched_off(submission: Submission, cut: Spot) -> Spot | None:
    """`torch.set_grad_enabled(False)` before the line that lost its graph."""
    lines = where(submission, lambda s: isinstance(s, ast.Expr)
                  and "set_grad_enabled(False)" in ast.unparse(s))
    return last(s for s in lines if s.cell == cut.cell and s.line <= cut.line)


def rebound(submission: Submission) -> Spot | None:
    """`self.w = self.w - …`, or `w = w - lr * w.grad`: a parameter's name bound to a result."""

    def test(statement: ast.stmt) -> bool:
        if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.BinOp):
            return False
        target = statement.targets[0]
        name = ast.unparse(target)
        return (isinstance(target, (ast.Attribute, ast.Name))
                and isinstance(statement.value.op, ast.Sub)
                and ast.unparse(statement.value.left) == name
                and not name.endswith((".data", ".X")))

    return first(where(submission, test))
