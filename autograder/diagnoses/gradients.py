"""Faults of the gradients that updates are made from: evidence of the clean recorded run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from autograder import blame, graphs
from autograder.checks import facts
from autograder.evidence import Recording, Spot
from autograder.exercises.trainer import TrainerCase
from autograder.report import Diagnosis
from autograder.submission import Submission


def of_case(case: TrainerCase) -> Iterator[Diagnosis]:
    """One diagnosis a fault."""
    recording = case.clean.recording if case.clean else None
    if recording is None:
        return
    found = facts.gradient_faults(case)
    if "gradients-not-cleared" in found:
        yield uncleared(recording, facts.uncleared(case))
    if "double-backward" in found:
        yield Diagnosis("double-backward", _second_pass(recording), {},
                        {"updates": facts.doubled(case)})
    if "stale-step" in found:
        yield stale(recording) if facts.stale(recording) >= facts.OFTEN else delayed(
            recording, facts.delayed(case))
    if "hooks-pile-up" in found:
        yield hooks(recording, case.submission)
    if "optimizer-recreated" in found:
        yield optimizers(recording, case.submission)


def uncleared(recording: Recording, times: int) -> Diagnosis:
    """At the backward pass that adds to what earlier steps left."""
    spot = next((p.spot for p in recording.passes if p.kind == "backward"), None)
    return Diagnosis("gradients-not-cleared", spot, {"times": times},
                     {"updates_with_old_gradients": times, "updates": len(recording.updates)})


def stale(recording: Recording) -> Diagnosis:
    """At the update that came between forward and backward."""
    late = graphs.outdated(recording)
    update = _usual(recording)
    related: tuple[tuple[str, Spot], ...] = (
        (("backward-here", late[-1].spot),) if late and late[-1].spot else ())
    return Diagnosis("stale-step", update or (late[-1].spot if late else None), {},
                     {"passes": len(late)}, related)


def delayed(recording: Recording, times: int) -> Diagnosis:
    """At an update that goes along the gradient of the step before."""
    return Diagnosis("stale-step", _usual(recording), {}, {"updates_one_step_late": times},
                     variant="delayed")


def hooks(recording: Recording, submission: Submission) -> Diagnosis:
    """At the line that registers the hook again."""
    often = sorted(recording.hooks, key=lambda s: -s.times)
    piles = [*(leaf.hooks for leaf in recording.leaves), recording.module_hooks]
    counts = max(piles, key=lambda h: h[-1] if h else 0)
    return Diagnosis("hooks-pile-up", often[0].spot if often else blame.hook(submission),
                     {"last": counts[-1] if counts else 0}, {"hooks": counts})


def optimizers(recording: Recording, submission: Submission) -> Diagnosis:
    """At the line that builds the short-lived optimisers."""
    first = next(o for o in recording.optimizers if o.stateful)
    return Diagnosis("optimizer-recreated", blame.optimizer(submission) or first.spot,
                     {"kind": first.kind},
                     {"optimizers": len(recording.optimizers)}, variant="")


def _usual(recording: Recording) -> Spot | None:
    """Where most updates are made; the last may be of another kind."""
    spots = Counter(u.spot for u in recording.updates if u.spot)
    return spots.most_common(1)[0][0] if spots else None


def _second_pass(recording: Recording) -> Spot | None:
    spots = [p.spot for p in recording.passes[:2]]
    return spots[-1] if spots else None
