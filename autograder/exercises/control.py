"""The truth of lqr: the cost of a controller in closed form, and the derivatives of its path.

The path is X' = X + (-X + f(X)) delta + sqrt(delta) N, the controller a ReLU network
f(x) = sum_j c_j max(0, w_j x + b_j). All in float64; a network is (w, b, c), each (H,).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograder.evidence import PathStep

Vector = NDArray[np.float64]

NO_CONTROL = 0.5
BEST = float(np.sqrt(2) - 1)
"""Least of J(k) = (1 + k^2) / (2 (1 + k)) for f = -k x; reached at k = sqrt(2) - 1."""


@dataclass(frozen=True)
class Network:
    """f and its derivatives. With w, b, c (T, H) it is T networks, each asked at its own x (T,)."""

    w: Vector
    b: Vector
    c: Vector

    def __call__(self, x: Vector | float) -> Vector:
        """f of one network at any number of x, elementwise."""
        pre = np.multiply.outer(np.asarray(x, dtype=float), self.w) + self.b
        value: Vector = np.maximum(pre, 0) @ self.c
        return value

    def value(self, x: Vector | float) -> Vector:
        """f, () or (T,)."""
        result: Vector = (np.maximum(self._pre(x), 0) * self.c).sum(-1)
        return result

    def slope(self, x: Vector | float) -> Vector:
        """df/dx, () or (T,)."""
        result: Vector = ((self._pre(x) > 0) * self.c * self.w).sum(-1)
        return result

    def gradients(self, x: Vector | float) -> Vector:
        """df/dw, df/db, df/dc one after the other, (3 H,) or (T, 3 H)."""
        pre = self._pre(x)
        on = pre > 0
        return np.concatenate(
            [on * self.c * np.expand_dims(x, -1), on * self.c, np.maximum(pre, 0)], axis=-1)

    def _pre(self, x: Vector | float) -> Vector:
        result: Vector = self.w * np.expand_dims(x, -1) + self.b
        return result


def network_of(state: PathStep) -> Network:
    """The controller in a state."""
    return Network(np.array(state.w), np.array(state.b), np.array(state.c))


def cost(network: Network, points: int = 4001) -> float:
    """E[X^2 + f(X)^2] in the stationary state; inf where there is none.

    The stationary density of dX = (-X + f) dt + dW is p(x) ~ exp(2 int_0^x (-s + f(s)) ds); J is
    its quadrature (trapezoidal rule, `points` nodes over the bulk of p).
    """
    if not all(np.isfinite(v).all() for v in (network.w, network.b, network.c)):
        return float("inf")
    ends = [float((network.c * network.w)[sign * network.w > 0].sum()) for sign in (1, -1)]
    slack = [1 - s for s in ends]
    if min(slack) <= 1e-3:
        return float("inf")
    # |f(x) - slope x| <= sum |c b|: beyond this reach only the Gaussian tail is left.
    offset = float(np.abs(network.c * network.b).sum())
    reach = 9 / np.sqrt(2 * min(*slack, 1.0)) + offset / min(slack)
    x = np.linspace(-reach, reach, points)
    f = network(x)
    drift = -x + f
    step = x[1] - x[0]
    potential = np.concatenate([[0.0], np.cumsum((drift[1:] + drift[:-1]) * step / 2)])
    density = np.exp(2 * (potential - potential.max()))
    return float(((x**2 + f**2) * density).sum() / density.sum())


def gain(network: Network) -> float:
    """The part of the possible gain: 0 no control, 1 the best there is, below 0 worse than none."""
    return (NO_CONTROL - cost(network)) / (NO_CONTROL - BEST)


@dataclass(frozen=True)
class Walked:
    """A path as arrays: X (T+1,), theta and tilde (T+1, 3 H), both ordered w, b, c."""

    X: Vector
    theta: Vector
    tilde: Vector
    delta: float

    def network(self, step: int | NDArray[np.signedinteger[Any]]) -> Network:
        """The controller after `step` steps, or those after several."""
        return Network(*np.split(self.theta[step], 3, axis=-1))

    def first(self, states: int) -> Walked:
        """Only so many states."""
        return Walked(self.X[:states], self.theta[:states], self.tilde[:states], self.delta)

    @property
    def steps(self) -> int:
        """How many steps were taken."""
        return len(self.X) - 1


def noise(path: Walked) -> Vector:
    """N_t = (X' - X - delta (-X + f(X))) / sqrt(delta), (T,)."""
    f = path.network(np.arange(path.steps)).value(path.X[:-1])
    drift = path.delta * (-path.X[:-1] + f)
    result: Vector = (np.diff(path.X) - drift) / np.sqrt(path.delta)
    return result


@dataclass(frozen=True)
class Terms:
    """Which terms of the sensitivity equation tilde' = tilde + delta (-tilde + g + f_x tilde)."""

    decay: float = 1.0
    feedback: float = 1.0
    gradient: float = 1.0


def unrolled(path: Walked, steps: int, terms: Terms = Terms(), *, frozen_at: int | None = None
             ) -> Vector:
    """dX/dtheta of the unrolled Euler path with the same noise, (steps+1, 3 H).

    `terms` other than ones give known wrong sensitivities; `frozen_at` evaluates f's derivatives
    at that step for ever.
    """
    at = np.arange(steps) if frozen_at is None else np.full(steps, frozen_at)
    network, x = path.network(at), path.X[at]
    tilde = [path.tilde[0]]
    for gradient, slope in zip(network.gradients(x), network.slope(x)):
        change = (-terms.decay * tilde[-1] + terms.gradient * gradient
                  + terms.feedback * slope * tilde[-1])
        tilde.append(tilde[-1] + path.delta * change)
    return np.array(tilde)


def relative(seen: Vector, right: Vector) -> float:
    """|seen - right| / |right|; inf where something is not finite."""
    if not np.isfinite(seen).all():
        return float("inf")
    return float(np.linalg.norm(seen - right)) / max(float(np.linalg.norm(right)), 1e-12)


@dataclass(frozen=True)
class CostTerms:
    """Which terms of the cost's gradient 2 X tilde + 2 f (g + f_x tilde), in this order:
    2 state X tilde + 2 control f (direct g + chain f_x tilde)."""

    state: float = 1.0
    control: float = 1.0
    direct: float = 1.0
    chain: float = 1.0


def policy_gradients(path: Walked, indexing: str = "old", terms: CostTerms = CostTerms(),
                     tilde: Vector | None = None) -> Vector:
    """2 X tilde + 2 f (g + f_x tilde) at every step, (T, 3 H), in a consistent time indexing.

    `old`: everything before the step; `new`: X, tilde, f after it (theta before); `mixed`: new X
    and tilde with the old f, as in the published code; `lagged`: as `old`, with f evaluated
    before the last update. `terms` other than ones, and another `tilde` (T+1, 3 H) than the
    path's, give known wrong gradients.
    """
    now = np.arange(path.steps)
    state = now if indexing in ("old", "lagged") else now + 1
    seen = now + 1 if indexing == "new" else now
    network = path.network(np.maximum(now - 1, 0) if indexing == "lagged" else now)
    x, X = path.X[seen], path.X[state][:, None]
    S = (path.tilde if tilde is None else tilde)[state]
    f, slope = network.value(x)[:, None], network.slope(x)[:, None]
    inner = terms.direct * network.gradients(x) + terms.chain * slope * S
    result: Vector = 2 * terms.state * X * S + 2 * terms.control * f * inner
    return result


@dataclass(frozen=True)
class UpdateFit:
    """How well the parameter changes go along a direction, over a whole path."""

    residual: float
    """Part of the whole change that is not along the direction."""
    downhill: float
    """Part of the whole change (squared) that goes down it; small steps count little."""


def fit_updates(path: Walked, directions: Vector) -> UpdateFit:
    """Least-squares rate a step for delta theta = -rate * direction, and what it leaves.

    Args:
        directions: (T, K, 3 H), K alternatives a step, of which the best one counts.
    """
    changes = np.diff(path.theta, axis=0)
    floor = 4e-7 * (np.abs(path.theta[:-1]) + 1e-3)  # float32 resolution of theta
    sizes = (directions**2).sum(2)
    along = np.einsum("tn,tkn->tk", changes, directions)
    rates = np.where(sizes > 1e-30, -along / np.where(sizes > 1e-30, sizes, 1), 0)
    rest = np.abs(changes[:, None] + rates[:, :, None] * directions) - floor[:, None]
    left = (np.maximum(rest, 0)**2).sum(2)
    best = left.argmin(1)
    lengths = (changes**2).sum(1)
    whole = float(lengths.sum())
    if not whole:
        return UpdateFit(float("inf"), 0.0)
    steps = np.arange(len(best))
    down = float(lengths[rates[steps, best] > 0].sum())
    return UpdateFit(float(np.sqrt(left[steps, best].sum() / whole)), down / whole)
