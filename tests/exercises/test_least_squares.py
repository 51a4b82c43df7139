"""The truth of linear and conv: normal equations against differences, training and torch."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from autograder.exercises import conv, linear
from autograder.exercises.least_squares import LeastSquares, cosine

SEEDS = range(30)


@pytest.mark.parametrize("draw", [linear.secret, conv.secret])
def test_gradient_by_finite_differences(draw) -> None:  # type: ignore[no-untyped-def]
    truth = draw(np.random.default_rng(0)).truth
    theta = np.random.default_rng(1).normal(size=truth.A.shape[1])
    for i, slope in enumerate(truth.gradient(theta)):
        step = np.eye(len(theta))[i] * 1e-5
        assert slope == pytest.approx(
            (truth.loss(theta + step) - truth.loss(theta - step)) / 2e-5, rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("draw", [linear.secret, conv.secret])
def test_optimum_is_least_and_nothing_else_arrives(draw, seed: int) -> None:  # type: ignore[no-untyped-def]
    truth = draw(np.random.default_rng(seed)).truth
    assert np.abs(truth.gradient(truth.optimum)).max() < 1e-6
    assert truth.excess(truth.optimum) == pytest.approx(0, abs=1e-12)
    assert truth.remaining(np.zeros_like(truth.optimum)) == pytest.approx(1)
    assert truth.excess(truth.optimum * 1.05) > 1e-5


@pytest.mark.parametrize("seed", SEEDS)
def test_secret_images_are_as_steep_as_the_handouts(seed: int) -> None:
    edge = np.ones((6, 8))
    edge[:, 2:6] = 0
    handout = np.linalg.eigvalsh(2 * conv.patches(edge).T @ conv.patches(edge))
    drawn = conv.secret(np.random.default_rng(seed)).truth.curvatures
    assert handout[-1] == pytest.approx(conv.STEEPEST)
    assert drawn[-1] == pytest.approx(conv.STEEPEST, rel=1e-4)
    assert drawn[0] >= 0.17 * drawn[-1]


def test_secret_labels_are_torchs_own_convolution() -> None:
    secret = conv.secret(np.random.default_rng(3))
    X = torch.tensor(secret.X.values).reshape(secret.X.shape).double()
    kernel = torch.tensor(secret.truth.optimum[:2]).reshape(1, 1, 1, 2)
    labels = torch.nn.functional.conv2d(X, kernel).flatten().numpy()
    assert labels == pytest.approx(np.array(secret.Y.values), abs=1e-5)


def test_torch_trains_to_the_optimum() -> None:
    secret = linear.secret(np.random.default_rng(4))
    A, y = torch.tensor(secret.truth.A), torch.tensor(secret.truth.y)
    theta = torch.zeros(6, dtype=torch.float64, requires_grad=True)
    for _ in range(600):
        (gradient,) = torch.autograd.grad(((A @ theta - y) ** 2).sum(), theta)
        with torch.no_grad():
            theta -= 0.01 * gradient
    assert secret.truth.distance(theta.detach().numpy()) < 1e-5


def test_secrets_differ_from_seed_to_seed_and_stay_for_one() -> None:
    one, again, other = linear.secrets(1), linear.secrets(1), linear.secrets(2)
    assert one.recorded.X == again.recorded.X
    assert one.recorded.X != other.recorded.X
    assert one.recorded.X != one.long.X


def test_cosine_of_nothing_is_nothing() -> None:
    assert cosine(np.zeros(2), np.ones(2)) == 0
    assert cosine(np.array([np.nan, 1]), np.ones(2)) == 0
    assert cosine(np.ones(2), -np.ones(2)) == pytest.approx(-1)
    assert isinstance(LeastSquares(np.eye(2), np.ones(2)).excess(np.zeros(2)), float)
