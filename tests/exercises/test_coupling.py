"""Two walks on the same draws: what is simulated here must come back as factors of the drift."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from autograder.exercises.control import Network, Walked
from autograder.exercises.coupling import couple

TOLERANCE = 1e-4
NETWORK = Network(np.array([1.2, -0.7, 0.4]), np.array([0.3, 0.1, -0.6]),
                  np.array([-0.8, 0.5, 0.3]))
Step = Callable[[float, float, float, float], float]
"""From X, f, delta and N to the next X."""


def walk(step: Step, delta: float, seed: int = 1, steps: int = 100) -> Walked:
    rng, X = np.random.default_rng(seed), [1.0]
    for _ in range(steps):
        X.append(step(X[-1], float(NETWORK.value(X[-1])), delta, rng.normal()))
    theta = np.concatenate([NETWORK.w, NETWORK.b, NETWORK.c])
    return Walked(np.array(X), np.tile(theta, (steps + 1, 1)), np.zeros((steps + 1, 9)), delta)


def euler(decay: float, control: float) -> Step:
    return lambda X, f, delta, N: X + delta * (-decay * X + control * f) + delta**0.5 * N


def both(step: Step, seed: int = 1) -> tuple[Walked, Walked]:
    return walk(step, 0.05), walk(step, 0.1, seed)


def test_the_right_equation_has_no_fault():
    found = couple(*both(euler(1, 1)))
    assert np.abs(found.apart).max() < 1e-12
    assert not (found.wrong_drift(TOLERANCE) or found.jumps(TOLERANCE) or found.wrong_scale())


@pytest.mark.parametrize("factors", [(1, 0), (1, -1), (0, 1), (2, 1), (-1, 1), (1, 0.5), (0, 0)])
def test_a_wrong_drift_comes_back_in_its_factors(factors):
    found = couple(*both(euler(*factors)))
    assert found.wrong_drift(TOLERANCE)
    assert (found.decay, found.control) == pytest.approx(factors, abs=1e-6)
    assert found.fixed == pytest.approx((0, 0), abs=1e-6)


def test_a_drift_that_does_not_know_the_length_of_its_step():
    found = couple(*both(lambda X, f, delta, N: X + 0.3 * (f - X) + delta**0.5 * N))
    assert found.wrong_drift(TOLERANCE)
    assert found.fixed == pytest.approx((-0.3, 0.3), abs=1e-6)


def test_a_state_that_is_cut_off_jumps():
    def cut(X: float, f: float, delta: float, N: float) -> float:
        return float(np.clip(euler(1, 1)(X, f, delta, N), -1, 1))

    assert couple(*both(cut)).jumps(TOLERANCE)


def test_noise_that_does_not_know_the_length_of_its_step():
    found = couple(*both(lambda X, f, delta, N: X + delta * (f - X) + 0.05**0.5 * N))
    assert found.wrong_scale()
    assert found.scale == pytest.approx(0.5**0.5)


@pytest.mark.parametrize("seed", range(2, 12))
def test_other_draws_say_nothing(seed):
    found = couple(*both(euler(1, 1), seed))
    assert not (found.wrong_drift(TOLERANCE) or found.jumps(TOLERANCE) or found.wrong_scale())


def test_the_exact_solution_of_the_linear_part_is_no_fault():
    def exact(X: float, f: float, delta: float, N: float) -> float:
        kept = np.exp(-delta)
        return float(kept * X + (1 - kept) * f + np.sqrt((1 - kept**2) / 2) * N)

    found = couple(*both(exact))
    assert not (found.wrong_drift(TOLERANCE) or found.jumps(TOLERANCE) or found.wrong_scale())
