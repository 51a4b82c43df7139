"""Facts about an lqr case that checks and diagnoses both rest on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from autograder import graphs
from autograder.checks.facts import graph_faults_of
from autograder.exercises.control import (
    UpdateFit,
    Vector,
    Walked,
    fit_updates,
    noise,
    policy_gradient,
    relative,
    unrolled,
)

if TYPE_CHECKING:
    from autograder.exercises.lqr import LqrCase

INDEXINGS = ("old", "new", "mixed")


def walked(case: LqrCase) -> bool:
    """Whether the recorded walk came to its end."""
    return case.recorded is not None and case.recorded.stage == "done"


def graph_faults(case: LqrCase) -> set[str]:
    """Which of graph-reuse, graph-growth, graph-leak the recorded walk shows."""
    recorded = case.recorded
    if recorded is None or recorded.recording is None:
        return set()
    found = graph_faults_of(recorded.recording)
    if not found & {"graph-growth", "graph-leak"} and graphs.rises(recorded.live):
        found.add("graph-leak")
    return found


# -- the path ----------------------------------------------------------------------------------

def noise_of(case: LqrCase) -> Vector | None:
    """The noise recovered from the frozen path, (T,); None without one."""
    if case.frozen is None or not np.isfinite(case.frozen.X).all():
        return None
    return noise(case.frozen)


def path_right(case: LqrCase) -> bool:
    """Whether the recovered noise is standard, independent and without repeats."""
    n = noise_of(case)
    if n is None:
        return False
    return (noise_spread(n, case) and noise_repeats(n) < 0.5 and abs(memory(n)) <= 5 / len(n)**.5
            and abs(float(n.mean())) <= 5 / len(n)**0.5)


def noise_spread(n: Vector, case: LqrCase) -> bool:
    """Whether its standard deviation is 1."""
    return abs(float(n.std()) - 1) <= case.settings.noise


def noise_repeats(n: Vector) -> float:
    """The part of the draws that equal another one."""
    return 1 - len(np.unique(n.round(4))) / len(n)


def memory(n: Vector) -> float:
    """Correlation of each draw with the one before."""
    if n.std() < 1e-9:
        return 0.0
    return float(np.corrcoef(n[:-1], n[1:])[0, 1])


# -- the sensitivities -------------------------------------------------------------------------

def sensitivity_errors(case: LqrCase) -> list[float]:
    """Relative errors of the sensitivities to w, b and c over the unrolled steps."""
    path = case.frozen
    if path is None:
        return []
    steps = min(case.settings.unrolled_steps, path.steps)
    right = unrolled(path, steps)
    return [relative(seen, true) for seen, true in zip(
        np.split(path.tilde[:steps + 1], 3, axis=1), np.split(right, 3, axis=1))]


def sensitivity_right(case: LqrCase) -> bool:
    """Whether all three are the derivative of the path, from zero on."""
    path = case.frozen
    errors = sensitivity_errors(case)
    return (path is not None and bool(errors) and max(errors) <= case.settings.sensitivity
            and bool(np.abs(path.tilde[0]).max() < 1e-6))


# -- the updates -------------------------------------------------------------------------------

def update_fit(case: LqrCase) -> UpdateFit | None:
    """The updates against the cost's gradient, in the best consistent time indexing."""
    path = case.updating
    return None if path is None else fit_updates(path, directions(path))


def directions(path: Walked) -> Vector:
    """The policy gradient in each indexing, (T, 3, 3 H)."""
    return np.array([[policy_gradient(path, t, i) for i in INDEXINGS] for t in range(path.steps)])


def update_right(case: LqrCase) -> bool:
    """Whether every step goes down along the gradient with one rate for w, b and c."""
    fit = update_fit(case)
    return fit is not None and fit.residual <= case.settings.residual and fit.positive >= 0.9
