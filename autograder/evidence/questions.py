"""What the judge asks of a submission's process."""

from __future__ import annotations

from typing import Literal

from autograder.evidence.plain import Array, Plain


class Train(Plain):
    """Call `train` on the student's own data (X is None) or on these, for `steps` steps.

    Shapes: X (n, d) and Y (n, 1) for linear, (1, 1, h, w) and (1, 1, h', w') for conv.
    `steps` None means the student's own default.
    """

    ask: Literal["train"] = "train"
    X: Array | None = None
    Y: Array | None = None
    steps: int | None = None
    seed: int = 0
    record: bool = False


class Walk(Plain):
    """Build an agent with `hidden` units from `seed` and take `steps` steps of size `delta`.

    `C` None means the student's own default rate. The first state, the last and each
    `every`-th between them are reported.
    """

    ask: Literal["walk"] = "walk"
    hidden: int
    delta: float = 0.05
    steps: int = 0
    seed: int = 0
    C: float | None = None
    fallback_C: float = 0.1
    """The rate where the student's class has no default of its own."""
    every: int = 1
    record: bool = False


class Correlate(Plain):
    """Call `corr2d(X, K)`."""

    ask: Literal["correlate"] = "correlate"
    X: Array
    K: Array


class AskOwners(Plain):
    """Read the student's `zero_grad_owners` and torch's own truth."""

    ask: Literal["owners"] = "owners"
