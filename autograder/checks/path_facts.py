"""Facts about an lqr case that checks and diagnoses both rest on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from autograder import graphs
from autograder.checks.facts import graph_faults_of
from autograder.evidence import POINTS, Path, PathStep, Recording
from autograder.exercises.control import (
    UpdateFit,
    Vector,
    Walked,
    fit_updates,
    network_of,
    noise,
    policy_gradients,
    relative,
    unrolled,
)
from autograder.exercises.coupling import couple

if TYPE_CHECKING:
    from autograder.exercises.lqr import LqrCase
    from autograder.settings import LqrSettings

LAW = 0.02
"""Far above rounding, and above what one late step changes at the end of a training."""
LAW_EXACT, LATE = 1e-3, 3.0
"""Where the last step is known: above rounding (right ones: 1e-7), and so many times that step."""
INDEXINGS = ("old", "new", "mixed", "lagged")


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
    if not found and kept_for_long(case):
        found.add("graph-leak")
    return found


def kept_for_long(case: LqrCase) -> Recording | None:
    """The long recording, where graphs pile up in it that do not within a few steps."""
    long = case.path("recorded-long")
    if long is None or long.recording is None:
        return None
    return long.recording if graphs.piles_up_now_and_then(long.recording) else None


# -- the control law ---------------------------------------------------------------------------

def law_right(path: Path, first: Iterable[str] = ()) -> bool:
    """Whether the student's `forward` is the network of w, b and c, some as they were at first.

    True of what is not finite: nothing can be told of that.
    """
    if len(path.forward) != len(POINTS) or not path.states:
        return True
    now = path.states[-1].model_copy(
        update={name: getattr(path.states[0], name) for name in first})
    law, seen = _law(now), np.array(path.forward)
    if not (np.isfinite(law).all() and np.isfinite(seen).all()):
        return True
    tolerance = LAW * max(1, np.abs(law).max())
    if len(path.states) == path.steps + 1 > 1:
        late = np.abs(_law(path.states[-1]) - _law(path.states[-2])).max()
        tolerance = min(tolerance, max(LAW_EXACT * max(1, np.abs(law).max()), LATE * late))
    return bool(np.abs(law - seen).max() <= tolerance)


def _law(state: PathStep) -> Vector:
    """The network of w, b and c at some points."""
    return network_of(state)(np.array(POINTS))


# -- the path ----------------------------------------------------------------------------------

def noise_right(n: Vector, settings: LqrSettings) -> bool:
    """Whether recovered noise is standard, independent and without repeats."""
    bound = sampling_bound(n)
    return (bool(np.isfinite(n).all()) and abs(float(n.std()) - 1) <= settings.noise
            and not noise_repeats(n) and abs(memory(n)) <= bound and abs(float(n.mean())) <= bound
            and settings.kurtosis[0] <= kurtosis(n) <= settings.kurtosis[1])


def sampling_bound(n: Vector) -> float:
    """Five standard errors of a mean, and of a correlation with nothing."""
    return float(5 / len(n) ** 0.5)


def noise_repeats(n: Vector) -> bool:
    """Whether most draws equal another one, and are not nothing at all."""
    return len(np.unique(n.round(4))) < 0.5 * len(n) and float(np.abs(n).max()) > 1e-3


def memory(n: Vector) -> float:
    """Correlation of each draw with the one before."""
    if n.std() < 1e-9:
        return 0.0
    return float(np.corrcoef(n[:-1], n[1:])[0, 1])


def kurtosis(n: Vector) -> float:
    """Fourth moment over the variance's square: 3 of a normal distribution, 1.8 of a uniform."""
    centred = n - n.mean()
    return float((centred**4).mean() / max(float((centred**2).mean()) ** 2, 1e-12))


def path_right(path: Walked | None, coarse: Walked | None, settings: LqrSettings) -> bool:
    """Whether the frozen path, and one in coarser steps on the same draws, follow the equation."""
    if path is None or not noise_right(noise(path), settings):
        return False
    if coarse is None:
        return True
    both = couple(path, coarse)
    return not (both.wrong_drift(settings.drift) or both.jumps(settings.drift)
                or both.wrong_scale())


# -- the sensitivities -------------------------------------------------------------------------

def sensitivity_errors(path: Walked, settings: LqrSettings) -> list[float]:
    """Relative errors of the sensitivities to w, b and c over the unrolled steps."""
    steps = min(settings.unrolled_steps, path.steps)
    right = unrolled(path, steps)
    return [relative(seen, true) for seen, true in zip(
        np.split(path.tilde[:steps + 1], 3, axis=1), np.split(right, 3, axis=1))]


def sensitivity_right(path: Walked | None, settings: LqrSettings) -> bool:
    """Whether all three are the derivative of the path, from zero on."""
    return (path is not None
            and max(sensitivity_errors(path, settings)) <= settings.sensitivity
            and bool(np.abs(path.tilde[0]).max() < 1e-6))


def stands_still(path: Walked | None) -> bool:
    """Whether the parameters stay as they are where the rate is 0."""
    return path is None or bool(np.abs(path.theta - path.theta[0]).max() < 1e-6)


# -- the updates -------------------------------------------------------------------------------

def update_fits(paths: list[Walked]) -> list[UpdateFit]:
    """The updates against the cost's gradient, in the best consistent time indexing a step."""
    return [fit_updates(path, directions(path)) for path in paths]


def directions(path: Walked) -> Vector:
    """The policy gradient in each indexing, (T, 4, 3 H)."""
    return np.stack([policy_gradients(path, i) for i in INDEXINGS], axis=1)


def update_right(paths: list[Walked], settings: LqrSettings) -> bool:
    """Whether every step goes down along the gradient with one rate for w, b and c."""
    return bool(paths) and all(
        fit.residual <= settings.residual and fit.downhill >= 0.9 for fit in update_fits(paths))
