"""Causes that keep parameters, or some of them, where they were."""

from __future__ import annotations

import numpy as np

from autograder import blame
from autograder.diagnoses.errors import last_cut
from autograder.evidence import Recording
from autograder.exercises.trainer import TrainerCase
from autograder.exercises.trainer_interview import parameters
from autograder.report import Diagnosis


def hard_coded(case: TrainerCase, recording: Recording) -> Diagnosis | None:
    """Other data, another seed, more steps: and the very same parameters."""
    if case.written_in:
        return Diagnosis("hard-coded", blame.written_in(case.submission), variant="at-the-end")
    one, two = parameters(case.clean), parameters(case.long)
    if one is None or two is None or not np.array_equal(one, two):
        return None
    return Diagnosis("hard-coded", blame.written_in(case.submission))


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
            rebound = blame.rebinding(case.submission, name)
            return Diagnosis("frozen-parameter",
                             blame.freezing(case.submission) or rebound or built or update,
                             {"name": name}, {"parameter": name})
    if clean.bias is None and case.name == "linear":
        return Diagnosis("frozen-parameter", None, {"name": "bias"}, {"parameter": "bias"},
                         variant="absent")
    return None
