"""rnn: a recurrent network reads a long sequence in pieces, its state carried from one to the next.

What a submission defines: `make_data(seed) -> (X, Y)`, both (240, 1), Y the next value of X; and
`train(X, Y, *, steps=96, lr=0.01, seed=0) -> (model, losses)`, which takes 20 values a step. The
model may be anything that holds exactly one nn.Linear, its read-out. The handout never detaches
the hidden state.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from pydantic import Field

from autograder.checks.facts import graph_faults_of
from autograder.diagnoses import contract
from autograder.diagnoses.errors import translate
from autograder.diagnoses.graphs import of_recording
from autograder.evidence import Array, Evidence, Train, Training
from autograder.exercises.base import Exercise, Interview
from autograder.report import Diagnosis, Verdict
from autograder.settings import Settings
from autograder.submission import Submission

LENGTH = 240


class RnnSettings(Settings):
    """Settings; those not in grading.yml are these."""

    points: dict[str, float] = {"runs": 1, "loss-falls": 2, "own-graph": 3}
    recorded_steps: int = Field(default=12, ge=6, le=100)
    steps: int = Field(default=96, ge=24)
    falls: float = Field(default=0.5, gt=0, lt=1)
    """The last quarter of the losses is at most this part of the first quarter, on average."""


def secret(seed: int) -> tuple[Array, Array]:
    """A wave that no submission has seen, and its next values."""
    rng = np.random.default_rng([seed, 5])
    t = np.arange(LENGTH + 1) * rng.uniform(0.2, 0.3) + rng.uniform(0, 6)
    wave = (np.sin(t) * rng.uniform(0.7, 1.0)).astype(np.float32).astype(float)
    return (Array(shape=[LENGTH, 1], values=wave[:-1].tolist()),
            Array(shape=[LENGTH, 1], values=wave[1:].tolist()))


def interview(settings: RnnSettings, seed: int) -> Interview:
    """Short runs under the recorder, on their own data and on clean data; then a long, bare one."""
    X, Y = secret(seed)
    yield "own", Train(steps=settings.recorded_steps, record=True)
    yield "clean", Train(X=X, Y=Y, steps=settings.recorded_steps, seed=seed % 1000, record=True)
    yield "long", Train(X=X, Y=Y, steps=settings.steps, seed=seed % 1000)


@dataclass(frozen=True)
class RnnCase:
    """One submission's runs."""

    submission: Submission
    evidence: Evidence
    settings: RnnSettings

    def trainings(self) -> list[Training]:
        """Those that came back, in the order they were asked for."""
        return [e.answer for e in self.evidence.exchanges if isinstance(e.answer, Training)]

    def ran(self) -> bool:
        """Whether all three came to their end with a model and a loss a step."""
        runs = self.trainings()
        return len(runs) == 3 and all(
            t.failure is None and not t.problems and len(t.losses) == t.steps for t in runs)

    def graph_faults(self) -> set[str]:
        """What the recorded runs show."""
        return {code for t in self.trainings() if t.recording
                for code in graph_faults_of(t.recording)}


def runs(case: RnnCase) -> Verdict:
    """it runs for as many steps as asked and returns what was asked for"""
    return Verdict.of("runs", case.ran())


def loss_falls(case: RnnCase) -> Verdict:
    """the loss falls on a sequence not seen before"""
    if not case.ran():
        return Verdict.needing("loss-falls", "runs")
    losses = np.array(case.trainings()[-1].losses)
    quarter = len(losses) // 4
    first, last = losses[:quarter].mean(), losses[-quarter:].mean()
    return Verdict.of("loss-falls", bool(last <= case.settings.falls * first))


def own_graph(case: RnnCase) -> Verdict:
    """a step goes back through its own piece of the sequence and no further"""
    if case.graph_faults():
        return Verdict.of("own-graph", False)
    return Verdict.passed("own-graph") if case.ran() else Verdict.needing("own-graph", "runs")


def diagnose(case: RnnCase) -> Iterator[Diagnosis]:
    """Errors in terms of the course, then graphs; the loss only where nothing explains it."""
    for training in case.trainings():
        if training.failure is not None:
            yield translate(training.failure, training.recording, case.submission)
        elif training.recording is not None:
            yield from of_recording(training.recording, case.submission)
    if case.ran() and not case.graph_faults() and loss_falls(case).status == "failed":
        yield Diagnosis("step-size", contract.last_return(case, "train"),
                        {"steps": case.settings.steps}, variant="too-small")


def examine(submission: Submission, evidence: Evidence, settings: RnnSettings,
            seed: int) -> RnnCase:
    """The answers; there is no truth in closed form to put beside them."""
    return RnnCase(submission, evidence, settings)


RNN = Exercise(
    name="rnn", asks_for=("make_data", "train"), interview=interview, examine=examine,
    checks={"runs": runs, "loss-falls": loss_falls, "own-graph": own_graph},
    diagnosers=(contract.lost, diagnose), defaults=RnnSettings(),
)
