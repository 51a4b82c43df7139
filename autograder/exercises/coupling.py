"""Two walks on the same draws, in steps of different length: they show what one alone hides.

The noise recovered from one walk, n = N + sqrt(delta) (what the drift lacks), hides a wrong drift:
what it lacks is far smaller than N. In two walks from one seed N is the same and cancels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from autograder.exercises.control import Vector, Walked, noise

SHARED = 0.5
"""Largest median difference of noises that are still the same draws; of others it is 0.95."""
EXPLAINED = 0.9
"""Of the differences, by a wrong drift. 1.00 where it is wrong; measured at most 0.81 elsewhere:
other integrators of the same equation, states that are clamped or set back, other draws."""
JUMP = 0.01
"""A single difference so large, where most are nothing: something else moves the state there."""
SCALE = 0.15
"""How far the spreads may be apart: other integrators of the equation come to 0.07."""


@dataclass(frozen=True)
class Coupling:
    """What sets the recovered noises of two walks apart.

    As far as a linear fit can tell, the state moves by delta (-decay X + control f(X)), and by
    `fixed` times X and f(X) whatever delta is.
    """

    apart: Vector
    """Differences of the noises, (T,)."""
    decay: float
    control: float
    fixed: tuple[float, float]
    explained: float
    """Part of the differences (of their squares) that this drift explains."""
    scale: float
    """Spread of the second walk's noise beside the first's."""

    def wrong_drift(self, tolerance: float) -> bool:
        """Whether the state has another drift; differences below the tolerance are rounding."""
        size = float(np.sqrt(np.mean(self.apart**2)))
        return size > tolerance and self.explained > EXPLAINED

    def jumps(self, tolerance: float) -> bool:
        """Whether the state follows the equation at most steps, and at some it does not."""
        size = np.abs(self.apart)
        return float(np.median(size)) < tolerance and float(size.max()) > JUMP

    def wrong_scale(self) -> bool:
        """Whether the noise does not go with the square root of the step's length."""
        shared = float(np.median(np.abs(self.apart))) < SHARED
        return shared and abs(self.scale - 1) > SCALE


def couple(one: Walked, other: Walked) -> Coupling:
    """Both at rate 0, from the same seed; as many steps as the shorter has."""
    steps = min(one.steps, other.steps)
    first, second = noise(one)[:steps], noise(other)[:steps]
    apart = first - second
    lacks = _drifts(one, steps) - _drifts(other, steps)
    told = np.isfinite(apart) & np.isfinite(lacks).all(axis=1)
    if not told.all():  # what runs away is no walk to compare
        apart, lacks, first, second = (v[told] for v in (apart, lacks, first, second))
    if not len(apart):
        return Coupling(np.zeros(1), 1.0, 1.0, (0.0, 0.0), 0.0, 1.0)
    factors = np.linalg.lstsq(lacks, apart, rcond=None)[0]
    left = float(((apart - lacks @ factors) ** 2).sum())
    whole = float((apart**2).sum())
    along = float(first @ second) / max(float(first @ first), 1e-12)
    return Coupling(apart, 1 - float(factors[0]), 1 + float(factors[1]),
                    (float(factors[2]), float(factors[3])),
                    1 - left / whole if whole else 0.0, along)


def _drifts(path: Walked, steps: int) -> Vector:
    """What X and f(X) add to the recovered noise, times delta and as they are, (steps, 4)."""
    X = path.X[:steps]
    f = path.network(np.arange(steps)).value(X)
    root = np.sqrt(path.delta)
    return np.stack([root * X, root * f, X / root, f / root], axis=1)
