"""The truth of lqr against independent methods: closed forms, torch's autograd, simulation."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from autograder.exercises.control import (
    BEST,
    Network,
    Terms,
    Walked,
    cost,
    fit_updates,
    gain,
    noise,
    policy_gradients,
    relative,
    unrolled,
)


def proportional(k: float) -> Network:
    """f(x) = -k x, as a network of two ReLUs."""
    return Network(np.array([1.0, -1.0]), np.zeros(2), np.array([-k, k]))


def random_network(seed: int, hidden: int = 5) -> Network:
    rng = np.random.default_rng(seed)
    return Network(rng.uniform(-1, 1, hidden), rng.uniform(-1, 1, hidden),
                   rng.uniform(-1, 1, hidden) / np.sqrt(hidden))


def forward(theta: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    w, b, c = theta.chunk(3)
    return (torch.relu(w * x + b) * c).sum()


def walk(network: Network, steps: int = 30, C: float = 0.0, delta: float = 0.05) -> Walked:
    """A right path in float64, sensitivities by the equation."""
    rng = np.random.default_rng(7)
    theta = np.concatenate([network.w, network.b, network.c])
    X, tilde = 1.0, np.zeros_like(theta)
    rows = [(X, theta, tilde)]
    for _ in range(steps):
        now = Network(*np.split(theta, 3))
        f, g, s = float(now(X)), now.gradients(X), now.slope(X)
        direction = 2 * X * tilde + 2 * f * (g + s * tilde)
        tilde = tilde + delta * (-tilde + g + s * tilde)
        X = X + delta * (-X + f) + np.sqrt(delta) * rng.normal()
        theta = theta - C * delta * direction
        rows.append((X, theta, tilde))
    X_, theta_, tilde_ = (np.array(part) for part in zip(*rows, strict=True))
    return Walked(X_, theta_, tilde_, delta)


@pytest.mark.parametrize("k", [-0.5, 0.0, 0.2, 0.41421356, 1.0, 3.0])
def test_cost_of_proportional_control_is_the_closed_form(k: float) -> None:
    assert cost(proportional(k)) == pytest.approx((1 + k * k) / (2 * (1 + k)), rel=1e-5)


def test_best_gain_is_one_and_none_is_zero() -> None:
    assert gain(proportional(BEST)) == pytest.approx(1, abs=1e-5)
    assert gain(proportional(0)) == pytest.approx(0, abs=1e-5)
    assert cost(proportional(-1.5)) == float("inf")


def test_cost_agrees_with_a_simulation() -> None:
    network = random_network(3)
    rng, delta = np.random.default_rng(0), 0.01
    X, total, n = np.zeros(20_000), 0.0, 0
    for step in range(1500):
        X = X + delta * (-X + network(X)) + np.sqrt(delta) * rng.normal(size=X.shape)
        if step >= 700 and step % 20 == 0:
            total, n = total + float(np.mean(X**2 + network(X) ** 2)), n + 1
    assert cost(network) == pytest.approx(total / n, rel=0.02)


def test_network_derivatives_are_autograds() -> None:
    network = random_network(1)
    theta = torch.tensor(np.concatenate([network.w, network.b, network.c]), requires_grad=True)
    x = torch.tensor(0.7, dtype=torch.float64, requires_grad=True)
    f = forward(theta, x)
    g, slope = torch.autograd.grad(f, (theta, x))
    assert float(network(0.7)) == pytest.approx(f.item())
    assert network.gradients(0.7) == pytest.approx(g.numpy())
    assert network.slope(0.7) == pytest.approx(slope.item())


@pytest.mark.parametrize("seed", range(4))
def test_unrolled_is_autograds_derivative_of_the_path(seed: int) -> None:
    """Backprop through the whole Euler path, noise held fixed."""
    path = walk(random_network(seed), 20)
    N = noise(path)
    theta = torch.tensor(path.theta[0], requires_grad=True)
    X = torch.tensor(1.0, dtype=torch.float64)
    for t in range(20):
        X = X + path.delta * (-X + forward(theta, X)) + path.delta**0.5 * float(N[t])
    assert X.item() == pytest.approx(path.X[20])
    (derivative,) = torch.autograd.grad(X, theta)
    assert unrolled(path, 20)[20] == pytest.approx(derivative.numpy(), abs=1e-10)
    assert relative(path.tilde, unrolled(path, 20)) < 1e-12


def test_policy_gradient_is_autograds() -> None:
    """Of X(theta)^2 + f(X(theta), theta)^2, X moving with theta as its sensitivity says."""
    path = walk(random_network(2), 16)
    theta = torch.tensor(path.theta[15], requires_grad=True)
    tilde = torch.tensor(path.tilde[15])
    X = path.X[15] + (theta - theta.detach()) @ tilde
    (derivative,) = torch.autograd.grad(X**2 + forward(theta, X) ** 2, theta)
    assert policy_gradients(path)[15] == pytest.approx(derivative.numpy())


@pytest.mark.parametrize("terms", [Terms(feedback=0), Terms(decay=0), Terms(gradient=0)])
def test_wrong_terms_are_far_off(terms: Terms) -> None:
    path = walk(random_network(5), 40)
    assert relative(unrolled(path, 40, terms), unrolled(path, 40)) > 0.01


def test_updates_fit_one_direction_only() -> None:
    path = walk(random_network(4), 60, C=0.1)
    right = policy_gradients(path)[:, None]
    assert fit_updates(path, right).residual < 1e-6
    assert fit_updates(path, right).downhill == 1
    assert fit_updates(path, -right).downhill == 0
    assert fit_updates(path, right[:, :, ::-1]).residual > 0.1


def test_noise_is_recovered() -> None:
    n = noise(walk(random_network(6), 400))
    assert n.std() == pytest.approx(1, abs=0.17)
    assert n == pytest.approx(np.random.default_rng(7).normal(size=400))
