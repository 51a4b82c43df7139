"""conv: learn a 1x2 kernel from an image (1, 1, 6, 8) and its correlation (1, 1, 6, 7)."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from autograder.checks import conv as conv_checks
from autograder.checks import trainer as checks
from autograder.diagnoses import CONV
from autograder.evidence import Array, AskOwners, Correlate, Evidence
from autograder.exercises import trainer_interview
from autograder.exercises.base import Exercise, Interview
from autograder.exercises.least_squares import LeastSquares, Vector
from autograder.exercises.trainer import TrainerCase
from autograder.exercises.trainer_interview import Secret, Secrets
from autograder.settings import TrainerSettings
from autograder.submission import Submission

HEIGHT, WIDTH = 6, 8
STEEPEST = 60.0
"""Largest curvature of the handout's image: a right repair diverges at lr 0.03 from 66.7 on."""


def patches(image: Vector) -> Vector:
    """All 1x2 patches of an image (h, w), as rows (h (w - 1), 2)."""
    return np.stack([image[:, :-1].flatten(), image[:, 1:].flatten()], axis=1)


def secret(rng: np.random.Generator) -> Secret:
    """A random image of the handout's curvature and the labels of a random kernel."""
    while True:
        image = rng.uniform(-1, 1, (HEIGHT, WIDTH)) + rng.uniform(0.3, 0.8)
        low, high = np.linalg.eigvalsh(2 * patches(image).T @ patches(image))
        if 0.18 <= low / high <= 0.5:
            break
    image = (image * np.sqrt(STEEPEST / high)).astype(np.float32).astype(np.float64)
    signs = rng.choice([-1, 1])
    kernel = np.array([rng.uniform(0.5, 1), -rng.uniform(1.2, 2)]) * signs
    A = patches(image)
    y = (A @ kernel).astype(np.float32).astype(np.float64)
    A = np.column_stack([A, np.ones(len(A))])
    return Secret(
        Array(shape=[1, 1, HEIGHT, WIDTH], values=image.flatten().tolist()),
        Array(shape=[1, 1, HEIGHT, WIDTH - 1], values=y.tolist()), LeastSquares(A, y))


@lru_cache(maxsize=8)  # the same for a whole class
def secrets(seed: int) -> Secrets:
    """Both secret images."""
    rng = np.random.default_rng([seed, 2])
    return Secrets(secret(rng), secret(rng), int(rng.integers(1, 2**31 - 2)))


def correlation(seed: int) -> tuple[Array, Array, Vector]:
    """An image (7, 12), larger than the handout's, a kernel (2, 3), their correlation (6, 10)."""
    rng = np.random.default_rng([seed, 3])
    X, K = rng.normal(size=(7, 12)).round(3), rng.normal(size=(2, 3)).round(3)
    windows = np.lib.stride_tricks.sliding_window_view(X, K.shape)
    Y: Vector = np.einsum("ijkl,kl->ij", windows, K)
    return (Array(shape=[7, 12], values=X.flatten().tolist()),
            Array(shape=[2, 3], values=K.flatten().tolist()), Y)


def labels(X: Vector, Y: Vector) -> Vector:
    """The edges of X, (42,)."""
    edges: Vector = patches(X.reshape(HEIGHT, WIDTH)) @ np.array([1.0, -1.0])
    return edges


def interview(settings: TrainerSettings, seed: int) -> Interview:
    """The questions."""
    X, K, _ = correlation(seed)
    yield "owners", AskOwners()
    yield "correlate", Correlate(X=X, K=K)
    yield from trainer_interview.interview(settings, secrets(seed))


def examine(submission: Submission, evidence: Evidence, settings: TrainerSettings,
            seed: int) -> TrainerCase:
    """The answers beside the truth."""
    return TrainerCase("conv", submission, evidence, settings, secrets(seed),
                       ((1, 1, HEIGHT, WIDTH), (1, 1, HEIGHT, WIDTH - 1)), 2, labels,
                       "corr2d(X, [[1, -1]])",
                       correlation=correlation(seed)[2])


CONV_EXERCISE = Exercise(
    name="conv", asks_for=("corr2d", "make_data", "train", "zero_grad_owners"),
    interview=interview, examine=examine,
    checks={
        "runs": checks.runs, "loss-falls": checks.loss_falls, "converges": checks.converges,
        "own-graph": checks.own_graph, "fresh-gradients": checks.fresh_gradients,
        "zero-grad-owners": conv_checks.zero_grad_owners,
    },
    diagnosers=CONV,
)
