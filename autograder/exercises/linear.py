"""linear: least squares by gradient descent on X (32, 5), Y (32, 1)."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from autograder.checks import trainer as checks
from autograder.diagnoses import TRAINER
from autograder.evidence import Array, Evidence
from autograder.exercises import trainer_interview
from autograder.exercises.base import Exercise, Interview
from autograder.exercises.least_squares import LeastSquares, Vector
from autograder.exercises.trainer import TrainerCase
from autograder.exercises.trainer_interview import Secret, Secrets
from autograder.settings import TrainerSettings
from autograder.submission import Submission

ROWS, FEATURES = 32, 5


def secret(rng: np.random.Generator) -> Secret:
    """X ~ U(0, 1), random weights and bias, a little noise.

    Drawn again until the curvatures are those that the handout's data usually has: else a right
    repair would now and then diverge, or not arrive, at its own learning rate.
    """
    while True:
        X = rng.uniform(0, 1, (ROWS, FEATURES)).astype(np.float32).astype(np.float64)
        w = rng.uniform(1, 4, FEATURES) * rng.choice([-1, 1], FEATURES)
        b = rng.uniform(1, 4) * rng.choice([-1, 1])
        Y = (X @ w + b + rng.normal(0, 0.01, ROWS)).astype(np.float32).astype(np.float64)
        A = np.column_stack([X, np.ones(ROWS)])
        low, *_, high = np.linalg.eigvalsh(2 * A.T @ A)
        if low >= 2.5 and high <= 170:
            return Secret(
                Array(shape=[ROWS, FEATURES], values=X.flatten().tolist()),
                Array(shape=[ROWS, 1], values=Y.tolist()), LeastSquares(A, Y))


@lru_cache(maxsize=8)  # the same for a whole class
def secrets(seed: int) -> Secrets:
    """Both secret data sets."""
    rng = np.random.default_rng([seed, 1])
    return Secrets(secret(rng), secret(rng), int(rng.integers(1, 2**31 - 2)))


def interview(settings: TrainerSettings, seed: int) -> Interview:
    """The questions."""
    return trainer_interview.interview(settings, secrets(seed))


def labels(X: Vector, Y: Vector) -> Vector:
    """X w + b of the w and b that come nearest to Y, (32,)."""
    A = np.column_stack([X, np.ones(len(X))])
    fitted: Vector = A @ np.linalg.lstsq(A, Y.flatten(), rcond=None)[0]
    return fitted


def examine(submission: Submission, evidence: Evidence, settings: TrainerSettings,
            seed: int) -> TrainerCase:
    """The answers beside the truth."""
    return TrainerCase("linear", submission, evidence, settings, secrets(seed),
                       ((ROWS, FEATURES), (ROWS, 1)), FEATURES, labels, "X w + b")


LINEAR = Exercise(
    name="linear", asks_for=("make_data", "train"), interview=interview, examine=examine,
    checks={
        "runs": checks.runs, "loss-falls": checks.loss_falls, "converges": checks.converges,
        "own-graph": checks.own_graph, "fresh-gradients": checks.fresh_gradients,
    },
    diagnosers=TRAINER,
)
