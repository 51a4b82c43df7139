"""Causes in how data meet: repeated draws, broadcasts, rows and kernels out of place."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from autograder import blame, source
from autograder.checks import facts
from autograder.diagnoses.arrival.losses import all_alike
from autograder.evidence import Recording
from autograder.exercises.least_squares import LeastSquares, Vector
from autograder.exercises.trainer import TrainerCase
from autograder.report import Diagnosis
from autograder.statements import calls


def repeated_draw(case: TrainerCase, recording: Recording) -> Diagnosis | None:
    """A random operator in the loop gives the same result every time."""
    for draw in recording.draws:
        if draw.times >= 5 and draw.distinct == 1 and draw.size > 1:
            seed = source.seeding(case.submission, draw.spot)
            return Diagnosis("repeated-draw", seed or draw.spot, {"operator": draw.operator},
                             {"draws": draw.times, "different": draw.distinct})
    return None


def broadcast(case: TrainerCase, recording: Recording) -> Diagnosis | None:
    """Two operands of different shapes gave a result larger than both, at every step."""
    often = [b for b in recording.broadcasts if b.times >= 5]
    if not often:
        return None
    one, two = (tuple(s) for s in often[0].shapes)
    return Diagnosis("broadcast", often[0].spot, {"one": str(one), "two": str(two)},
                     {"shapes": [list(one), list(two)], "times": often[0].times})


def flipped(case: TrainerCase, recording: Recording) -> Diagnosis | None:
    """The kernel arrived, mirrored."""
    if case.name != "conv" or case.theta is None or not case.finite:
        return None
    mirrored = np.array([case.theta[1], case.theta[0], case.theta[2]])
    if case.truth.distance(mirrored) > 0.02:
        return None
    spot = next((s for name in ("flip", "flipud", "fliplr", "roll")
                 for s in calls(case.submission, name)), None)
    return Diagnosis("flipped-kernel", spot)


def misaligned(case: TrainerCase, recording: Recording) -> Diagnosis | None:
    """The gradient is that of these rows of X with these labels in another order.

    With the rows permuted the gradient is c (2 AᵀA theta - v): AᵀA and the labels' sum are as
    they must be, and v, the same at every step, is not 2 Aᵀy.
    """
    truth = case.recorded_truth
    steps = [s for s in facts.used_gradients(case)[:6] if s.buffer is not None]
    if len(steps) < 3 or all_alike(steps, truth.gradient):
        return None
    for shift, gradient in _shifted(case):
        if all_alike(steps, gradient):
            return Diagnosis("data-misaligned", blame.shuffling(case.submission), {},
                             {"shift": list(shift)})
    for scale in (1.0, 1 / len(truth.y), 0.5, 0.5 / len(truth.y)):
        seen = [2 * truth.A.T @ truth.A @ s.theta - s.buffer / scale
                for s in steps if s.buffer is not None]
        size = float(np.linalg.norm(seen[0]))
        same = all(np.linalg.norm(v - seen[0]) < 1e-3 * size for v in seen)
        right = 2 * truth.A.T @ truth.y
        if same and abs(seen[0][-1] - right[-1]) <= 1e-2 * abs(right[-1]):
            spot = blame.shuffling(case.submission) or blame.loss(case.submission, recording)
            return Diagnosis("data-misaligned", spot, {},
                             {"off": float(np.linalg.norm(seen[0] - right) / size)})
    return None


def _shifted(case: TrainerCase) -> Iterator[tuple[tuple[int, int], Callable[[Vector], Vector]]]:
    """Gradients with the labels moved by some rows or columns: rolled round, or cut off."""
    truth = case.recorded_truth
    grid = np.arange(len(truth.y)).reshape(
        (len(truth.y), 1) if case.name == "linear" else case.shapes[1][2:])
    for rows in range(-2, 3):
        for columns in range(-2, 3):
            if (rows, columns) == (0, 0) or (grid.shape[1] == 1 and columns):
                continue
            rolled = np.roll(grid, (rows, columns), (0, 1)).flatten()
            yield (rows, columns), LeastSquares(truth.A, truth.y[rolled]).gradient
            here = grid[max(rows, 0):len(grid) + min(rows, 0),
                        max(columns, 0):grid.shape[1] + min(columns, 0)].flatten()
            there = grid[max(-rows, 0):len(grid) + min(-rows, 0),
                         max(-columns, 0):grid.shape[1] + min(-columns, 0)].flatten()
            yield (rows, columns), LeastSquares(truth.A[here], truth.y[there]).gradient


def unpaired(case: TrainerCase, recording: Recording) -> Diagnosis | None:
    """Batches of mixed-up rows: what is learned is the labels' mean, and nothing of X."""
    theta, order = case.theta, blame.shuffling(case.submission)
    if theta is None or order is None or not case.finite or case.name != "linear":
        return None
    truth = case.truth
    mean = float(np.sum((truth.y - truth.y.mean()) ** 2))
    slopes = np.linalg.norm(theta[:-1]) / np.linalg.norm(truth.optimum[:-1])
    if not (0.5 * mean < truth.loss(theta) < 2 * mean and slopes < 0.5):
        return None
    return Diagnosis("data-misaligned", order, {}, {"slopes_learned": round(float(slopes), 3)})
