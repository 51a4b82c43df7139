"""Measures what the thresholds in grading.yml rest on: right and wrong programs over many seeds.

Everything is simulated with NumPy, all seeds at once, by code that shares nothing with torch:
`python tools/thresholds.py [SEEDS]` prints quantiles and the rates at the thresholds in force.
The output is kept in docs/thresholds.md.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np

from autograder.checks.path_facts import kurtosis, update_fits
from autograder.exercises import conv, linear
from autograder.exercises.control import (
    Network,
    Walked,
    cost,
    gain,
    noise,
    relative,
    unrolled,
)
from autograder.exercises.coupling import EXPLAINED, couple
from autograder.exercises.least_squares import LeastSquares
from autograder.exercises.trainer_interview import Secret
from autograder.grading import load

QUANTILES = (0.0, 0.001, 0.01, 0.05, 0.5, 0.95, 0.99, 0.999, 1.0)


def show(name: str, values: np.ndarray) -> None:
    """One row of quantiles."""
    row = " ".join(f"{q:9.2e}" for q in np.quantile(values, QUANTILES))
    print(f"  {name:34} {row}")


def descend(truth: LeastSquares, steps: int, lr: float, rng: np.random.Generator, *,
            frozen_bias: bool = False, bias_scale: float = 1.0, scale: float = 1.0,
            decay: float = 0.0) -> np.ndarray:
    """Gradient descent in float32 from torch's default initialisation of a layer."""
    A, y = truth.A.astype(np.float32), truth.y.astype(np.float32)
    bound = 1 / np.sqrt(A.shape[1] - 1)
    theta = rng.uniform(-bound, bound, A.shape[1]).astype(np.float32)
    rate = np.full_like(theta, lr * scale)
    rate[-1] *= 0 if frozen_bias else bias_scale
    for _ in range(steps):
        theta = theta - rate * (2 * A.T @ (A @ theta - y) + np.float32(decay) * theta)
    return theta.astype(np.float64)


def trainer(name: str, draw: Callable[[np.random.Generator], Secret], steps: int, lr: float,
            wrong: dict[str, dict[str, float]], seeds: int) -> None:
    """Excess and distance of right and wrong trainers."""
    settings = load().settings(name)
    print(f"\n{name}: excess loss / sum of squares at the end (threshold {settings.excess:g})")
    for label, options in {"right": {}, **wrong}.items():
        excess, distance = [], []
        for seed in range(seeds):
            rng = np.random.default_rng(seed)
            truth = draw(rng).truth
            with np.errstate(all="ignore"):
                if name == "conv":
                    truth = LeastSquares(truth.A, truth.y)
                    options = {"frozen_bias": True, **options} if label == "right" else options
                theta = descend(truth, steps, lr, rng, **options)  # type: ignore[arg-type]
                if name == "conv" and label == "right":
                    theta[-1] = 0
                    theta = _kernel(truth, steps, lr, rng)
                excess.append(truth.excess(theta))
                distance.append(truth.distance(theta))
        e, d = np.nan_to_num(excess, nan=1e9), np.nan_to_num(distance, nan=1e9)
        show(label, e)
        show(f"{label}, distance", d)
        passed = np.mean((e <= settings.excess) & (d <= settings.distance))
        print(f"    passes: {100 * passed:.2f} %")


def _kernel(truth: LeastSquares, steps: int, lr: float, rng: np.random.Generator) -> np.ndarray:
    """A layer without bias."""
    bare = LeastSquares(np.column_stack([truth.A[:, :-1], np.zeros(len(truth.y))]), truth.y)
    theta = descend(bare, steps, lr, rng)
    theta[-1] = 0
    return theta


DRIFTS = {"no-control": (1.0, 0.0), "half-push": (1.0, 0.5), "control-0.8": (1.0, 0.8),
          "control-sign": (1.0, -1.0), "no-decay-of-X": (0.0, 1.0), "double-decay": (2.0, 1.0)}
"""Factors of -X and of f(X) in the state's equation."""


class Agents:
    """`n` LQR agents at once, from torch's default initialisation; costs between the bounds."""

    def __init__(self, n: int, hidden: int, bounds: tuple[float, float], seed: int) -> None:
        rng = np.random.default_rng(seed)
        w, b, c = [], [], []
        while len(w) < n:
            one = (rng.uniform(-1, 1, hidden), rng.uniform(-1, 1, hidden),
                   rng.uniform(-1, 1, hidden) / np.sqrt(hidden))
            if bounds[0] < cost(Network(*one)) < bounds[1]:
                for store, part in zip((w, b, c), one):
                    store.append(part)
        self.rng, self.hidden = rng, hidden
        self.theta = np.concatenate([w, b, c], axis=1)
        self.X = np.ones(n)
        self.tilde = np.zeros_like(self.theta)

    def step(self, C: float, delta: float, variant: str = "") -> None:
        """One Euler step of all of them."""
        H = self.hidden
        w, b, c = self.theta[:, :H], self.theta[:, H:2 * H], self.theta[:, 2 * H:]
        X = self.X[:, None]
        pre = w * X + b
        on = pre > 0
        f = (np.maximum(pre, 0) * c).sum(1, keepdims=True)
        slope = (on * c * w).sum(1, keepdims=True)
        g = np.concatenate([on * c * X, on * c, np.maximum(pre, 0)], axis=1)
        tilde = self.tilde.copy()
        if variant == "c-uses-w":
            tilde[:, 2 * H:] = tilde[:, :H]
        chain = 0.0 if variant == "no-chain" else 1.0
        state = 0.0 if variant == "no-state-term" else 1.0
        control = {"no-control-term": 0.0, "half-control": 0.5}.get(variant, 1.0)
        G = 2 * state * X * tilde + 2 * control * f * (g + chain * slope * tilde)
        if variant == "frozen-bias":
            G[:, H:2 * H] = 0
        feedback = 0.0 if variant == "no-feedback" else 1.0
        decay = 0.0 if variant == "no-decay" else 1.0
        self.tilde = self.tilde + delta * (-decay * self.tilde + g + feedback * slope * self.tilde)
        self.X = self._moved(delta, variant)
        self.theta = self.theta - C * delta * G

    def _moved(self, delta: float, variant: str) -> np.ndarray:
        """The states one step on."""
        X, f, root = self.X, self._push(self.X), np.sqrt(delta)
        N = self.rng.normal(size=X.shape)
        noise = delta * N if variant == "noise-delta" else root * N
        if variant == "exact":  # of the linear part
            kept = np.exp(-delta)
            return kept * X + (1 - kept) * f + np.sqrt((1 - kept**2) / 2) * N
        if variant == "heun":
            there = X + delta * (-X + f) + noise
            return X + delta / 2 * (-X + f - there + self._push(there)) + noise
        if variant == "split":  # the push where the rest has led to
            there = X - delta * X + noise
            return there + delta * self._push(there)
        if variant == "drift-last":
            there = X + noise
            return there + delta * (-there + self._push(there))
        decay, control = DRIFTS.get(variant, (1.0, 1.0))
        moved = X + delta * (-decay * X + control * f) + noise
        if variant.startswith("clamped"):
            bound = float(variant.removeprefix("clamped"))
            moved = np.clip(moved, -bound, bound)
        return moved

    def _push(self, X: np.ndarray) -> np.ndarray:
        H = self.hidden
        w, b, c = self.theta[:, :H], self.theta[:, H:2 * H], self.theta[:, 2 * H:]
        return (np.maximum(w * X[:, None] + b, 0) * c).sum(1)

    def walk(self, steps: int, C: float, delta: float, variant: str = "") -> list[Walked]:
        """Paths with every state, rounded to float32 as a student's are."""
        rows = [(self.X, self.theta, self.tilde)]
        for _ in range(steps):
            with np.errstate(all="ignore"):
                self.step(C, delta, variant)
            self.theta = self.theta.astype(np.float32).astype(np.float64)
            self.tilde = self.tilde.astype(np.float32).astype(np.float64)
            self.X = self.X.astype(np.float32).astype(np.float64)
            rows.append((self.X, self.theta, self.tilde))
        X, theta, tilde = (np.stack(part) for part in zip(*rows))
        return [Walked(X[:, i], theta[:, i], tilde[:, i], delta) for i in range(X.shape[1])]

    def gains(self) -> np.ndarray:
        """The part of the possible gain of each."""
        return np.array([gain(Network(*np.split(t, 3))) for t in self.theta])


def lqr(seeds: int) -> None:
    """Noise, sensitivities, updates, convergence."""
    s = load().settings("lqr")
    print(f"\nlqr: spread of the noise over {s.frozen_steps} steps (|sd - 1| <= {s.noise})")
    for variant in ("", "noise-delta"):
        paths = Agents(seeds, s.hidden[1], s.initial_cost, 1).walk(
            s.frozen_steps, 0.0, s.delta, variant)
        n = [noise(p) for p in paths]
        show(variant or "right", np.array([v.std() for v in n]))
        if not variant:
            bound = 5 / s.frozen_steps**0.5
            memory = np.array([np.corrcoef(v[1:], v[:-1])[0, 1] for v in n])
            bad = (np.abs([v.std() - 1 for v in n]) > s.noise) | (np.abs(memory) > bound) | (
                np.abs([v.mean() for v in n]) > bound)
            print(f"    right paths refused: {100 * bad.mean():.3f} %")
    print(f"lqr: kurtosis of the noise (from {s.kurtosis[0]} to {s.kurtosis[1]})")
    rng = np.random.default_rng(5)
    for name, draws in {"normal": rng.normal(size=(100 * seeds, s.frozen_steps)),
                        "uniform": rng.uniform(size=(seeds, s.frozen_steps))}.items():
        show(name, np.array([kurtosis(row) for row in draws]))
    print(f"lqr: noises of two walks on the same draws (apart at most {s.drift:g}), and the part "
          f"of the difference that another drift explains (at most {EXPLAINED})")
    for variant in ("", "exact", "heun", "split", "drift-last", "clamped1", "clamped2", *DRIFTS):
        both = [couple(*pair) for pair in zip(*(
            Agents(seeds, s.hidden[1], s.initial_cost, 1).walk(s.coarse_steps, 0.0, delta, variant)
            for delta in (s.delta, s.coarse_delta)))]
        show(f"{variant or 'right'}, apart", np.array([np.sqrt(np.mean(c.apart**2))
                                                       for c in both]))
        show(f"{variant or 'right'}, explained", np.array([c.explained for c in both]))
        show(f"{variant or 'right'}, scale", np.array([c.scale for c in both]))
        passed = [not (c.wrong_drift(s.drift) or c.jumps(s.drift) or c.wrong_scale())
                  for c in both]
        print(f"    passes: {100 * np.mean(passed):.2f} %")
    print(f"lqr: relative error of the sensitivities (threshold {s.sensitivity})")
    for variant in ("", "no-feedback", "no-decay"):
        paths = Agents(seeds, s.hidden[1], s.initial_cost, 2).walk(
            s.unrolled_steps, 0.0, s.delta, variant)
        errors = np.array([max(
            relative(a, b) for a, b in zip(
                np.split(p.tilde, 3, axis=1), np.split(unrolled(p, p.steps), 3, axis=1)))
            for p in paths])
        show(variant or "right", errors)
        print(f"    passes: {100 * np.mean(errors <= s.sensitivity):.2f} %")
    print(f"lqr: change not along the gradient, worse of two sizes (threshold {s.residual:g})")
    for variant in ("", "no-chain", "half-control", "no-control-term", "no-state-term",
                    "c-uses-w", "frozen-bias"):
        worst = np.zeros(seeds)
        for hidden in s.hidden:
            paths = Agents(seeds, hidden, (0.6, s.initial_cost[1]), 3 + hidden).walk(
                s.update_steps, s.update_rate, s.delta, variant)
            worst = np.maximum(worst, [_residual(p) for p in paths])
        show(variant or "right", worst)
        print(f"    passes: {100 * np.mean(worst <= s.residual):.2f} %")
    print(f"lqr: part of the possible gain after training (threshold {s.fraction})")
    for C in (0.1, 0.2):
        for variant in ("", "c-uses-w"):
            agents = Agents(seeds, s.hidden[1], s.initial_cost, 9)
            for step in range(s.training_steps):
                with np.errstate(all="ignore"):
                    agents.step(C, s.delta, variant)
                if (step + 1) % 1000 == 0:
                    gains = np.nan_to_num(agents.gains(), nan=-1e9, neginf=-1e9)
                    low = np.mean(gains < s.fraction)
                    print(f"  C={C} {variant or 'right':10} {step + 1} steps: below "
                          f"{100 * low:.2f} %, all of {s.paths} below {100 * low**s.paths:.4f} %, "
                          f"median {np.median(gains):.3f}")


def _residual(path: Walked) -> float:
    with np.errstate(all="ignore"):
        return update_fits([path])[0].residual


def main() -> None:
    """Print everything."""
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    print(f"{seeds} seeds; quantiles {QUANTILES}")
    trainer("linear", linear.secret, 600, 0.01, {
        "frozen-bias": {"frozen_bias": True}, "bias-scaled-by-32": {"bias_scale": 1 / 32},
        "mean-with-the-sum's-rate": {"scale": 1 / 32}, "decay-0.01": {"decay": 0.01},
    }, seeds)
    trainer("conv", conv.secret, 100, 0.03, {
        "frozen-bias": {"frozen_bias": True}, "mean-with-the-sum's-rate": {"scale": 1 / 42},
    }, seeds)
    lqr(seeds)


if __name__ == "__main__":
    main()
