"""Causes told by where it came to rest, or did not: other objectives, lengths of step."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from autograder import blame
from autograder.checks import facts
from autograder.evidence import Recording, Spot
from autograder.exercises.least_squares import Vector
from autograder.exercises.trainer import TrainerCase
from autograder.exercises.trainer_interview import parameters
from autograder.report import Diagnosis
from autograder.statements import called, inside, where


def biased(case: TrainerCase, recording: Recording) -> Diagnosis | None:
    """It rests where the loss's gradient is balanced by a pull to zero."""
    theta, longer = case.theta, parameters(case.longer)
    if theta is None or longer is None or not case.finite or not np.isfinite(longer).all():
        return None
    if np.linalg.norm(longer - theta) > 0.02 * np.linalg.norm(theta):
        return None  # still on its way
    gradient = case.truth.gradient(longer)
    weights = np.append(longer[:-1], 0.0)
    for pull in (longer, weights, np.sign(longer), np.sign(weights)):
        strength = -float(gradient @ pull) / float(pull @ pull or 1)
        left = np.linalg.norm(gradient + strength * pull)
        if strength > 0 and left < 0.05 * np.linalg.norm(gradient):
            spot = blame.optimizer(case.submission, having="weight_decay")
            spot = spot or _penalty(case) or blame.loss(case.submission, recording)
            return Diagnosis("biased-optimum", spot, {},
                             {"pull_towards_zero": round(strength, 4)})
    return None


def _penalty(case: TrainerCase) -> Spot | None:
    """The line that adds a norm of the parameters to the loss."""
    words = ("weight", "bias", "parameters", "norm")
    lines = where(case.submission, lambda s: isinstance(s, (ast.Assign, ast.AugAssign))
                        and any(w in ast.unparse(s) for w in words)
                        and bool(called(s) & {"pow", "sum", "norm", "square", "abs"}))
    return next((s for s in lines if inside(case.submission, s, "train")), None)


def not_finite(case: TrainerCase, recording: Recording) -> Diagnosis | None:
    """nan although the first losses did not grow."""
    if case.finite or case.clean is None:
        return None
    losses = case.clean.losses
    grows = len(losses) > 2 and losses[2] > losses[0]
    if grows or (np.isfinite(losses[:2]).all() and case.trajectory):
        return None
    first = next((i for i, v in enumerate(losses) if not np.isfinite(v)), 0)
    return Diagnosis("non-finite", blame.loss(case.submission, recording), {"step": first + 1},
                     {"step": first + 1})


def step_size(case: TrainerCase, recording: Recording) -> Diagnosis | None:
    """Everything points the right way, and the steps are too large or too small."""
    update = next((u.spot for u in recording.updates if u.spot), None)
    spot = blame.rate(case.submission, mean=_averaged(case)) or update
    data: dict[str, Any] = {"steps": case.long.steps if case.long else 0}
    truth, theta = case.truth, case.theta
    if theta is None or not case.finite or truth.remaining(theta) > 1.0:
        clean = case.clean.losses if case.clean else []
        variant = "diverges"
        evidence = {"losses": [round(v, 4) if np.isfinite(v) else str(v) for v in clean[:8]]}
        return Diagnosis("step-size", spot, data, evidence, variant=variant)
    return Diagnosis("step-size", spot, data, {},
                     variant="at-rest" if _at_rest(case, theta) else "too-small")


def _at_rest(case: TrainerCase, theta: Vector) -> bool:
    """Whether four times as many steps lead to the same wrong place."""
    longer = parameters(case.longer)
    return longer is not None and bool(
        np.linalg.norm(longer - theta) < 1e-3 * np.linalg.norm(theta)
        and case.truth.excess(longer) > 0.5 * case.truth.excess(theta))


def _averaged(case: TrainerCase) -> bool:
    """Whether the gradient used is a mean's: shorter than the summed loss's by the rows."""
    truth = case.recorded_truth
    ratios = [float(np.linalg.norm(s.buffer) / np.linalg.norm(truth.gradient(s.theta)))
              for s in facts.used_gradients(case)[:3] if s.buffer is not None]
    return bool(ratios) and max(ratios) < 0.2
