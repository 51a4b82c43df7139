"""Causes in the loss and its gradient: what was used beside what other losses would give."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder import blame, source
from autograder.checks import facts
from autograder.evidence import Recording
from autograder.exercises.least_squares import LeastSquares, Vector, cosine
from autograder.exercises.trainer import TrainerCase
from autograder.exercises.trajectory import Step
from autograder.report import Diagnosis

ALIKE = 0.999
"""Cosine from which two gradients count as the same direction."""


def uphill(case: TrainerCase, recording: Recording) -> Diagnosis | None:
    """The change goes up the gradient that was used, or up the true one."""
    truth = case.recorded_truth
    ups = [p.uphill for u in recording.updates for p in u.parts
           if p.leaf in case.own_leaves and p.uphill is not None]
    used = len(ups) >= 2 and sum(c > 0.5 for c in ups) > 0.8 * len(ups)
    along = [cosine(s.delta, truth.gradient(s.theta)) for s in case.trajectory[:3]]
    right = [cosine(s.buffer, truth.gradient(s.theta)) for s in case.trajectory[:3]
             if s.buffer is not None]
    true = bool(along) and min(along) > 0.9
    if not used and not true:
        return _one_uphill(case, recording)
    if used and right and max(right) < -0.9:
        return None  # up a gradient that was itself turned round: down the loss
    spot = next((u.spot for u in recording.updates if u.spot), None)
    if right and max(right) < -0.9:  # down a gradient turned round: the loss has the wrong sign
        spot = blame.loss(case.submission, recording)
    spot = blame.optimizer(case.submission, having="maximize") or spot
    return Diagnosis("uphill-step", spot, {}, {"updates": len(ups)})


def _one_uphill(case: TrainerCase, recording: Recording) -> Diagnosis | None:
    """Weight or bias goes up its own gradient at nearly every update, the other one down."""
    for leaf, name in case.own_leaves.items():
        updates = [(u, p.uphill) for u in recording.updates for p in u.parts
                   if p.leaf == leaf and p.uphill is not None]
        if len(updates) >= 6 and sum(c > 0.5 for _, c in updates) > 0.9 * len(updates):
            spot = source.writes(case.submission, name) or updates[-1][0].spot
            return Diagnosis("uphill-step", spot, {"name": name}, {"updates": len(updates)},
                             variant="one")
    return None


def wrong_loss(case: TrainerCase, recording: Recording) -> Diagnosis | None:
    """The gradient that was used belongs to another loss."""
    truth = case.recorded_truth
    steps = [s for s in facts.used_gradients(case)[:8] if np.isfinite(s.theta).all()]
    if len(steps) < 2 or all_alike(steps, truth.gradient):
        return None
    for name, gradient in _other_losses(truth).items():
        if all_alike(steps, gradient):
            if _squared(case, recording):
                return _odd_gradient(case, steps)
            return Diagnosis("wrong-loss", blame.loss(case.submission, recording), {},
                             {"it_is_like": name}, variant=name)
    return None


def _squared(case: TrainerCase, recording: Recording) -> bool:
    """Whether the numbers driven back are squared errors after all, up to a factor."""
    steps = case.trajectory
    values = [p.value for p in recording.passes]
    if len(values) != len(steps) or any(v is None or not np.isfinite(v) for v in values):
        return False
    right = np.array([case.recorded_truth.loss(s.theta) for s in steps])
    ratio = np.array(values, dtype=float) / np.maximum(right, 1e-12)
    return bool(np.ptp(ratio) < 1e-2 * abs(ratio.mean()))


def _odd_gradient(case: TrainerCase, steps: list[Step]) -> Diagnosis:
    truth = case.recorded_truth
    spot = blame.hook(case.submission) or blame.custom_backward(case.submission)
    return Diagnosis("wrong-gradient", spot, {}, {
        "cosine_with_true_gradient": [round(cosine(s.buffer, truth.gradient(s.theta)), 3)
                                      for s in steps if s.buffer is not None]})


def _other_losses(truth: LeastSquares) -> dict[str, Callable[[Vector], Vector]]:
    """Gradients of losses that learners write instead of the squared error."""
    A, y = truth.A, truth.y

    def residual(theta: Vector) -> Vector:
        result: Vector = A @ theta - y
        return result

    return {
        "not-squared": lambda t: A.sum(axis=0),
        "not-squared-negative": lambda t: -A.sum(axis=0),
        "absolute": lambda t: A.T @ np.sign(residual(t)),
        "square-of-mean": lambda t: residual(t).sum() * A.sum(axis=0),
        "fourth-power": lambda t: A.T @ residual(t) ** 3,
        "huber": lambda t: A.T @ np.clip(residual(t), -1, 1),
        "cubed": lambda t: A.T @ residual(t) ** 2,
        "label-sign": lambda t: A.T @ (A @ t + y),
    }


def all_alike(steps: list[Step], gradient: Callable[[Vector], Vector]) -> bool:
    """Whether every gradient that was used has the direction that `gradient` gives."""
    return all(cosine(s.buffer, gradient(s.theta)) > ALIKE
               for s in steps if s.buffer is not None)


def scaled_gradient(case: TrainerCase, recording: Recording) -> Diagnosis | None:
    """What the engine brought and what the update used point in different directions."""
    odd = [s for s in case.trajectory if s.buffer is not None and s.engine is not None
           and np.isfinite(s.engine).all() and cosine(s.buffer, s.engine) < ALIKE]
    if len(odd) < 3:
        return None
    spot = next((u.spot for u in recording.updates if u.spot), None)
    return Diagnosis("wrong-gradient", spot, {}, {"updates": len(odd)})


def wrong_gradient(case: TrainerCase, recording: Recording) -> Diagnosis | None:
    """The gradient that arrives is not that of the loss, on the whole data, at any step."""
    truth = case.recorded_truth
    steps = facts.used_gradients(case)[:8]
    if len(steps) < 3 or _random_batches(recording):
        return None
    if any(cosine(s.buffer, truth.gradient(s.theta)) > ALIKE
           for s in steps if s.buffer is not None):
        return None
    if blame.hook(case.submission) or blame.custom_backward(case.submission):
        return _odd_gradient(case, steps)
    return Diagnosis("wrong-loss", blame.loss(case.submission, recording), {}, {},
                     variant="unlike")


def _random_batches(recording: Recording) -> bool:
    return any(d.times >= 5 and d.distinct > 1 for d in recording.draws)
