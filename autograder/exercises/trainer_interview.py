"""The questions that linear and conv ask of `train`, one after the other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from autograder import graphs
from autograder.evidence import Array, Train, Training
from autograder.exercises.base import Interview
from autograder.exercises.least_squares import LeastSquares, Vector
from autograder.settings import TrainerSettings


@dataclass(frozen=True)
class Secret:
    """Data that the student has not seen, and its truth."""

    X: Array
    Y: Array
    truth: LeastSquares


@dataclass(frozen=True)
class Secrets:
    """One set for the recorded runs and another, with another seed, for the long one."""

    recorded: Secret
    long: Secret
    seed: int


def interview(settings: TrainerSettings, secrets: Secrets) -> Interview:
    """The student's own data, then clean data recorded twice, then the long run, bare."""
    steps, seed = settings.recorded_steps, secrets.seed
    first, last = secrets.recorded, secrets.long
    yield "own", Train(steps=steps, seed=seed, record=True)
    clean = yield "clean", Train(X=first.X, Y=first.Y, steps=steps, seed=seed, record=True)
    if not isinstance(clean, Training) or clean.failure or clean.weight is None:
        return
    short = yield "short", Train(
        X=first.X, Y=first.Y, steps=settings.short_steps, seed=seed, record=True)
    probe = Train(X=last.X, Y=last.Y, steps=None, seed=seed + 1)
    known = yield "long", _bounded(probe, clean, settings)
    if not isinstance(known, Training):
        return
    if known.weight is not None:
        theta = parameters(known)
        if theta is None or not last.truth.excess(theta) <= settings.excess:
            # Is it on its way, or has it settled in the wrong place?
            yield "longer", probe.model_copy(
                update={"steps": min(4 * max(known.steps, 1), settings.max_steps)})
    if graphs.swells(known.live) and isinstance(short, Training) and not _leaks(short, clean):
        yield "recorded-long", probe.model_copy(update={"record": True, "steps": graphs.affordable(
            settings.long_recorded_steps, known.steps, known.seconds, known.live)})


def _leaks(short: Training, clean: Training) -> bool:
    """Whether the short recordings show it already."""
    if not short.recording or not clean.recording:
        return True
    return (graphs.grows(clean.recording) or graphs.piles_up(clean.recording)
            or graphs.widens(short.recording, clean.recording, clean.steps - short.steps))


def _bounded(question: Train, clean: Training, settings: TrainerSettings) -> Train:
    steps = clean.own_steps or settings.default_steps
    return question.model_copy(update={"steps": min(steps, settings.max_steps)})


def parameters(training: Training | None) -> Vector | None:
    """Weight and bias as one vector; a layer without bias has bias 0."""
    if training is None or training.weight is None:
        return None
    bias = training.bias.values[:1] if training.bias else [0.0]
    return np.array([*training.weight.values, *bias])
