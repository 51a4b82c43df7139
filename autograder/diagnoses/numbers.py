"""Why the parameters did not arrive: a list of causes, tried in order; the first that fits is it.

Every test compares numbers with a hypothesis in closed form: the gradient that was used with the
gradients of right and wrong losses, the place of arrival with the optima of other objectives.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from autograder import blame, source
from autograder.checks import facts
from autograder.diagnoses.errors import last_cut
from autograder.evidence import Recording, Spot
from autograder.exercises.least_squares import LeastSquares, Vector, cosine
from autograder.exercises.trainer import Step, TrainerCase, parameters
from autograder.report import Diagnosis

ALIKE = 0.999
"""Cosine from which two gradients count as the same direction."""


def not_arrived(case: TrainerCase) -> Iterator[Diagnosis]:
    """The first cause that fits, where the run was bare of errors and did not arrive."""
    if not case.ran or case.arrived:
        return
    recording = case.clean.recording if case.clean and case.clean.recording else Recording()
    for cause in CAUSES:
        found = cause(case, recording)
        if found is not None:
            yield found
            return


def dishonest(case: TrainerCase) -> Iterator[Diagnosis]:
    """The reported losses are not the run's."""
    if case.ran and facts.dishonest(case) and case.moved:
        spot = next(iter(source.calls(case.submission, "append")), None)
        yield Diagnosis("dishonest-loss", spot)


# -- the causes, in order ----------------------------------------------------------------------

def hard_coded(case: TrainerCase, recording: Recording) -> Diagnosis | None:
    """Other data, another seed, more steps: and the very same parameters."""
    one, two = parameters(case.clean), parameters(case.long)
    if one is None or two is None or not np.array_equal(one, two):
        return None
    return Diagnosis("hard-coded", blame.written_in(case.submission))


def not_moved(case: TrainerCase, recording: Recording) -> Diagnosis | None:
    """No parameter of the returned layer ever changes: by what?"""
    if case.moved:
        return None
    mine = set(case.own_leaves)
    passes = [p for p in recording.passes if p.kind == "backward"]
    last = passes[-1].spot if passes else None
    built = [m for m in recording.modules if m.times >= 4]
    if built:
        return Diagnosis("model-recreated", built[-1].spot, {}, {"times": built[-1].times})
    if passes and not any(mine & set(p.reached) for p in passes):
        return Diagnosis("no-gradient", last_cut(recording) or last, {}, {"passes": len(passes)})
    if not passes and not recording.updates and not recording.passes:
        cut = last_cut(recording)
        if cut is not None:
            return Diagnosis("no-gradient", cut, {}, {"passes": 0})
    wiped = [c for c in recording.clears if c.unused and c.leaf in mine]
    idle = sum(o.idle_steps for o in recording.optimizers) + recording.idle_writes
    if len(wiped) >= 3 and idle >= 3:
        return Diagnosis("gradients-cleared-early", wiped[-1].spot, {}, {"times": len(wiped)})
    trained = _trained_inputs(case, recording)
    if trained is not None:
        return trained
    if passes and all(p.gradient == 0 for p in passes):
        return Diagnosis("no-gradient", last_cut(recording) or last, {}, {"gradient": 0.0},
                         variant="flat")
    rebound = blame.rebinding(case.submission)
    if rebound is not None:
        return Diagnosis("lost-parameter", rebound)
    idle_optimizer = blame.optimizer(case.submission) if recording.optimizers else None
    stepping = idle_optimizer or blame.uncalled(case.submission, "step")
    others = [u.spot for u in recording.updates if u.spot]
    return Diagnosis(
        "no-update", stepping or (others[-1] if others else last), {},
        {"passes": len(passes), "optimizer_steps_without_gradient":
            sum(o.idle_steps for o in recording.optimizers)},
        variant="optimizer" if idle_optimizer else "")


def _trained_inputs(case: TrainerCase, recording: Recording) -> Diagnosis | None:
    size = list(case.shapes[0])
    leaves = {leaf.id for leaf in recording.leaves if leaf.shape == size}
    updates = [u for u in recording.updates if any(p.leaf in leaves for p in u.parts)]
    if len(updates) < 2:
        return None
    spot = blame.optimizer(case.submission) if recording.optimizers else updates[-1].spot
    return Diagnosis("trains-inputs", spot, {}, {"updates_of_inputs": len(updates)})


def self_target(case: TrainerCase, recording: Recording) -> Diagnosis | None:
    """The loss is nothing from the start, although the parameters are far from the truth."""
    values = [p.value for p in recording.passes]
    theta = parameters(case.clean)
    if len(values) < 3 or theta is None or not np.isfinite(theta).all():
        return None
    size = case.secrets.recorded.truth.loss(theta)
    if not all(v is not None and abs(v) < 1e-6 * size for v in values):
        return None
    spot = blame.detached(case.submission) or blame.loss(case.submission, recording)
    return Diagnosis("self-target", spot, {}, {"losses": values[:5]})


def model_recreated(case: TrainerCase, recording: Recording) -> Diagnosis | None:
    """A model is built in the loop; what is returned has learned one step at most."""
    built = [m for m in recording.modules if m.times >= 4]
    return Diagnosis("model-recreated", built[-1].spot, {}, {"times": built[-1].times}) \
        if built else None


def frozen(case: TrainerCase, recording: Recording) -> Diagnosis | None:
    """Weight or bias keeps its first value, bit for bit."""
    clean = case.clean
    if clean is None:
        return None
    for name in ("weight", "bias"):
        if getattr(clean, name) is not None and not case.changed(name):
            update = next((u.spot for u in recording.updates if u.spot), None)
            built = blame.optimizer(case.submission) if recording.optimizers else None
            return Diagnosis("frozen-parameter",
                             blame.freezing(case.submission) or built or update,
                             {"name": name}, {"parameter": name})
    if clean.bias is None and case.name == "linear":
        return Diagnosis("frozen-parameter", None, {"name": "bias"}, {"parameter": "bias"},
                         variant="absent")
    return None


def repeated_draw(case: TrainerCase, recording: Recording) -> Diagnosis | None:
    """A random operator in the loop gives the same result every time."""
    for draw in recording.draws:
        if draw.times >= 5 and draw.distinct == 1 and draw.size > 1:
            seed = source.seeding(case.submission, draw.spot)
            return Diagnosis("repeated-draw", seed or draw.spot, {"operator": draw.operator},
                             {"draws": draw.times, "different": draw.distinct})
    return None


def broadcast(case: TrainerCase, recording: Recording) -> Diagnosis | None:
    """Two operands of different shapes gave a result larger than both, at every step."""
    often = [b for b in recording.broadcasts if b.times >= 5]
    if not often:
        return None
    one, two = (tuple(s) for s in often[0].shapes)
    return Diagnosis("broadcast", often[0].spot, {"one": str(one), "two": str(two)},
                     {"shapes": [list(one), list(two)], "times": often[0].times})


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
        return None
    if used and right and max(right) < -0.9:
        return None  # up a gradient that was itself turned round: down the loss
    spot = next((u.spot for u in recording.updates if u.spot), None)
    if right and max(right) < -0.9:  # down a gradient turned round: the loss has the wrong sign
        spot = blame.loss(case.submission, recording)
    spot = blame.optimizer(case.submission, having="maximize") or spot
    return Diagnosis("uphill-step", spot, {}, {"updates": len(ups)})


def flipped(case: TrainerCase, recording: Recording) -> Diagnosis | None:
    """The kernel arrived, mirrored."""
    if case.name != "conv" or case.theta is None or not case.finite:
        return None
    mirrored = np.array([case.theta[1], case.theta[0], case.theta[2]])
    if case.truth.distance(mirrored) > 0.02:
        return None
    spot = next((s for name in ("flip", "flipud", "fliplr", "roll")
                 for s in source.calls(case.submission, name)), None)
    return Diagnosis("flipped-kernel", spot)


def wrong_loss(case: TrainerCase, recording: Recording) -> Diagnosis | None:
    """The gradient that was used belongs to another loss."""
    truth = case.recorded_truth
    steps = [s for s in facts.used_gradients(case)[:8] if np.isfinite(s.theta).all()]
    if len(steps) < 2 or _all_alike(steps, truth.gradient):
        return None
    for name, gradient in _other_losses(truth).items():
        if _all_alike(steps, gradient):
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


def _all_alike(steps: list[Step], gradient: Callable[[Vector], Vector]) -> bool:
    return all(cosine(s.buffer, gradient(s.theta)) > ALIKE
               for s in steps if s.buffer is not None)


def misaligned(case: TrainerCase, recording: Recording) -> Diagnosis | None:
    """The gradient is that of these rows of X with these labels in another order.

    With the rows permuted the gradient is c (2 AᵀA theta - v): AᵀA and the labels' sum are as
    they must be, and v, the same at every step, is not 2 Aᵀy.
    """
    truth = case.recorded_truth
    steps = [s for s in facts.used_gradients(case)[:6] if s.buffer is not None]
    if len(steps) < 3 or _all_alike(steps, truth.gradient):
        return None
    for shift, gradient in _shifted(case):
        if _all_alike(steps, gradient):
            return Diagnosis("data-misaligned", blame.shuffling(case.submission), {},
                             {"shift": list(shift)})
    for scale in (1.0, 1 / len(truth.y), 0.5, 0.5 / len(truth.y)):
        seen = [2 * truth.A.T @ truth.A @ s.theta - s.buffer / scale
                for s in steps if s.buffer is not None]
        size = float(np.linalg.norm(seen[0]))
        same = all(np.linalg.norm(v - seen[0]) < 1e-3 * size for v in seen)
        right = 2 * truth.A.T @ truth.y
        if same and abs(seen[0][-1] - right[-1]) <= 1e-2 * abs(right[-1]):
            spot = blame.shuffling(case.submission) or blame.loss(case.submission, recording)
            return Diagnosis("data-misaligned", spot, {},
                             {"off": float(np.linalg.norm(seen[0] - right) / size)})
    return None


def _shifted(case: TrainerCase) -> Iterator[tuple[tuple[int, int], Callable[[Vector], Vector]]]:
    """Gradients with the labels moved by some rows or columns: rolled round, or cut off."""
    truth = case.recorded_truth
    grid = np.arange(len(truth.y)).reshape(
        (len(truth.y), 1) if case.name == "linear" else case.shapes[1][2:])
    for rows in range(-2, 3):
        for columns in range(-2, 3):
            if (rows, columns) == (0, 0) or (grid.shape[1] == 1 and columns):
                continue
            rolled = np.roll(grid, (rows, columns), (0, 1)).flatten()
            yield (rows, columns), LeastSquares(truth.A, truth.y[rolled]).gradient
            here = grid[max(rows, 0):len(grid) + min(rows, 0),
                        max(columns, 0):grid.shape[1] + min(columns, 0)].flatten()
            there = grid[max(-rows, 0):len(grid) + min(-rows, 0),
                         max(-columns, 0):grid.shape[1] + min(-columns, 0)].flatten()
            yield (rows, columns), LeastSquares(truth.A[here], truth.y[there]).gradient


def unpaired(case: TrainerCase, recording: Recording) -> Diagnosis | None:
    """Batches of mixed-up rows: what is learned is the labels' mean, and nothing of X."""
    theta, order = case.theta, blame.shuffling(case.submission)
    if theta is None or order is None or not case.finite or case.name != "linear":
        return None
    truth = case.truth
    mean = float(np.sum((truth.y - truth.y.mean()) ** 2))
    slopes = np.linalg.norm(theta[:-1]) / np.linalg.norm(truth.optimum[:-1])
    if not (0.5 * mean < truth.loss(theta) < 2 * mean and slopes < 0.5):
        return None
    return Diagnosis("data-misaligned", order, {}, {"slopes_learned": round(float(slopes), 3)})


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
    lines = blame.where(case.submission, lambda s: isinstance(s, (ast.Assign, ast.AugAssign))
                        and any(w in ast.unparse(s) for w in words)
                        and bool(blame.called(s) & {"pow", "sum", "norm", "square", "abs"}))
    return next((s for s in lines if blame.inside(case.submission, s, "train")), None)


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


def scaled_gradient(case: TrainerCase, recording: Recording) -> Diagnosis | None:
    """What the engine brought and what the update used point in different directions."""
    odd = [s for s in case.trajectory if s.buffer is not None and s.engine is not None
           and np.isfinite(s.engine).all() and cosine(s.buffer, s.engine) < ALIKE]
    if len(odd) < 3:
        return None
    spot = next((u.spot for u in recording.updates if u.spot), None)
    return Diagnosis("wrong-gradient", spot, {}, {"updates": len(odd)})


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
    return Diagnosis("step-size", spot, data, {}, variant="too-small")


def _averaged(case: TrainerCase) -> bool:
    """Whether the gradient used is a mean's: shorter than the summed loss's by the rows."""
    truth = case.recorded_truth
    ratios = [float(np.linalg.norm(s.buffer) / np.linalg.norm(truth.gradient(s.theta)))
              for s in facts.used_gradients(case)[:3] if s.buffer is not None]
    return bool(ratios) and max(ratios) < 0.2


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


CAUSES: tuple[Callable[[TrainerCase, Recording], Diagnosis | None], ...] = (
    hard_coded, self_target, not_moved, model_recreated, frozen, repeated_draw, broadcast, uphill,
    flipped, wrong_loss, misaligned, unpaired, biased, scaled_gradient, wrong_gradient, not_finite,
    step_size,
)
