"""What a submission's process answers, and what came of its start."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from autograder.evidence.plain import Array, Failure, Numbers, Plain, Problem, Text, Warned
from autograder.evidence.recording import Recording


class Training(Plain):
    """The answer to a `Train` question."""

    failure: Failure | None = None
    stage: Literal["make_data", "train", "done"] = "done"
    problems: list[Problem] = []
    X: Array | None = None
    Y: Array | None = None
    labels_attached: bool = False
    layer: str = ""
    weight: Array | None = None
    bias: Array | None = None
    losses: Numbers = []
    steps: int = 0
    own_steps: int | None = None
    """The student's default."""
    lr: float | None = None
    recording: Recording | None = None
    live: list[int] = []
    """Graph nodes alive at a few moments of a run that is not recorded."""
    warnings: list[Warned] = []
    seconds: float = 0.0


class PathStep(Plain):
    """The state of an LQR agent after a step; each list has one number an element."""

    X: float
    w: list[float]
    b: list[float]
    c: list[float]
    tilde_w: list[float]
    tilde_b: list[float]
    tilde_c: list[float]

    @model_validator(mode="after")
    def _even(self) -> Self:
        if len({*map(len, (self.w, self.b, self.c, self.tilde_w, self.tilde_b,
                           self.tilde_c))}) != 1:
            raise ValueError("parameters and sensitivities are not of one size")
        return self


POINTS = (-2.0, -1.0, -0.5, 0.5, 1.0, 2.0)
"""Where a control law is read, through the student's own `forward`."""


class Path(Plain):
    """The answer to a `Walk` question: an LQR agent walked for some steps."""

    failure: Failure | None = None
    stage: Literal["init", "step", "done"] = "done"
    problems: list[Problem] = []
    states: list[PathStep] = []
    """The state before the first step, then after each `every`-th, and the last."""
    steps: int = 0
    forward: list[float] = []
    """The student's `forward` at `POINTS`, after the last step."""
    live: list[int] = []
    """Graph nodes alive: after each step of a recorded walk, a few times in one that is not."""
    C: float | None = None
    recording: Recording | None = None
    warnings: list[Warned] = []
    seconds: float = 0.0

    @model_validator(mode="after")
    def _one_agent(self) -> Self:
        if len({len(state.w) for state in self.states}) > 1:
            raise ValueError("the states are not those of one agent")
        return self


class CorrCase(Plain):
    """The answer to a `Correlate` question."""

    failure: Failure | None = None
    problems: list[Problem] = []
    Y: Array | None = None


class Owners(Plain):
    """The answer to an `AskOwners` question: what the student says, and what torch says."""

    failure: Failure | None = None
    problems: list[Problem] = []
    said: dict[str, bool | None] = {}
    truth: dict[str, bool] = {}


class Loaded(Plain):
    """What came of running the submission's cells."""

    names: list[Text] = []
    errors: list[Failure] = []
    torch: str = ""
    device: str = "cpu"
    output: Annotated[str, Field(max_length=100_000)] = ""


class Traced(Plain):
    """A whole program, run under the recorder; `stopped` when it had made passes enough."""

    loaded: Loaded = Loaded()
    recording: Recording = Recording()
    warnings: list[Warned] = []
    stopped: bool = False
    lost: str | None = None
