"""Facts about a trainer's case that checks and diagnoses both rest on."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from autograder import graphs
from autograder.evidence import Contribution, CorrCase, Owners, Recording, Training
from autograder.exercises.least_squares import Vector, cosine
from autograder.exercises.trainer import TrainerCase
from autograder.exercises.trajectory import Step

LABELS = 1e-4
"""How far labels may be from what is asked for: far above float32, far below any other rule."""
ALONG, ALIKE = 0.99999, 0.999
"""Cosines: of what is the same but for rounding; of what may be the same by chance."""
OFTEN = 2
"""A fault of the gradient must be seen in at least so many updates."""


def own_data_fine(case: TrainerCase) -> bool:
    """Whether make_data and train on it gave what was asked for; graph faults are judged apart."""
    own = case.own
    if own is None or own.problems or wrong_data_shapes(case) or wrong_labels(case):
        return False
    if own.failure is None:
        return case.fits(own)
    return own.stage != "make_data" and bool(own.recording and graphs.reuses(own.recording))


def wrong_data_shapes(case: TrainerCase) -> bool:
    """Whether make_data gives other shapes than asked for."""
    own = case.own
    if own is None or own.X is None or own.Y is None:
        return False
    return (tuple(own.X.shape), tuple(own.Y.shape)) != case.shapes


def wrong_labels(case: TrainerCase) -> bool:
    """Whether make_data gives other labels than asked for, to X and Y of the right shapes."""
    own = case.own
    if own is None or own.X is None or own.Y is None or wrong_data_shapes(case):
        return False
    X, Y = (np.array(a.values).reshape(a.shape) for a in (own.X, own.Y))
    if not (np.isfinite(X).all() and np.isfinite(Y).all()):
        return True
    off = np.abs(case.labels(X, Y) - Y.flatten()).max()
    return bool(off > LABELS * max(1.0, float(np.abs(Y).max())))


def begins_anew(case: TrainerCase) -> bool:
    """Whether training starts from the same parameters when data and seed are the same."""
    if not case.trajectory or not case.short_trajectory:
        return True
    one, two = case.trajectory[0].theta, case.short_trajectory[0].theta
    return bool(np.allclose(one, two, rtol=1e-4, atol=1e-6, equal_nan=True))


def corr2d_fine(case: TrainerCase) -> bool:
    """Whether corr2d correlates (where the exercise asks for it)."""
    if case.correlation is None:
        return True
    answer = case.evidence.answer("correlate")
    if not isinstance(answer, CorrCase) or answer.Y is None:
        return False
    return (tuple(answer.Y.shape) == case.correlation.shape and bool(np.allclose(
        answer.Y.values, case.correlation.flatten(), rtol=1e-3, atol=1e-4)))


def owners(case: TrainerCase) -> tuple[int, int]:
    """(right entries, entries asked for) of zero_grad_owners."""
    answer = case.evidence.answer("owners")
    if not isinstance(answer, Owners):
        return 0, 1
    return sum(answer.said.get(k) is v for k, v in answer.truth.items()), len(answer.truth)


# -- graphs ------------------------------------------------------------------------------------

def graph_faults(case: TrainerCase) -> set[str]:
    """Which of graph-reuse, graph-growth, graph-leak the recorded runs show."""
    found: set[str] = set()
    for _, recording in case.recorded:
        found |= graph_faults_of(recording)
    if not found & {"graph-growth", "graph-leak"} and (_widens(case) or kept_for_long(case)):
        found.add("graph-leak")
    return found


def kept_for_long(case: TrainerCase) -> Recording | None:
    """The long recording, where graphs pile up in it that do not within a few steps."""
    run = case.recorded_long
    if run is None or run.recording is None:
        return None
    return run.recording if graphs.piles_up_now_and_then(run.recording) else None


def built_graphs(case: TrainerCase) -> bool:
    """Whether the clean run recorded any operation at all, or any pass."""
    recording = case.clean.recording if case.clean else None
    return recording is not None and recording.born > 0


def graph_faults_of(recording: Recording) -> set[str]:
    """The same for one recording, by itself."""
    found = set()
    if graphs.reuses(recording):
        found.add("graph-reuse")
    if graphs.grows(recording):
        found.add("graph-growth")
    elif graphs.piles_up(recording):
        found.add("graph-leak")
    return found


def _widens(case: TrainerCase) -> bool:
    short, clean = case.short, case.clean
    if not short or not clean or not short.recording or not clean.recording:
        return False
    return graphs.widens(short.recording, clean.recording, clean.steps - short.steps)


# -- gradients ---------------------------------------------------------------------------------

def gradient_faults(case: TrainerCase) -> set[str]:
    """Which faults of the gradients the clean run shows."""
    recording = case.clean.recording if case.clean else None
    if recording is None:
        return set()
    tests = {
        "gradients-not-cleared": uncleared(case) >= OFTEN,
        "stale-step": stale(recording) >= OFTEN or delayed(case) >= OFTEN,
        "double-backward": doubled(case) >= OFTEN,
        "hooks-pile-up": piling_hooks(case, recording),
        "optimizer-recreated": recreated(recording),
    }
    return {code for code, true in tests.items() if true}


def uncleared(case: TrainerCase) -> int:
    """Updates made from a `.grad` that still held, unchanged, what the last one was made from."""
    return uncleared_in(step.parts for step in case.trajectory)


def uncleared_in(updates: Iterable[Iterable[Contribution]]) -> int:
    """The same for any updates' contributions, in order."""
    count = 0
    last: dict[int, list[float]] = {}
    for parts in updates:
        old = False
        for part in parts:
            before = last.get(part.leaf)
            old |= bool(part.buffer and part.engine and part.held and before
                        and _close(part.held.values, before)
                        and (part.mismatch or 0) > 1e-3 and (part.carried or 0) < 1e-3)
            if part.buffer:
                last[part.leaf] = part.buffer.values
        count += old
    return count


def stale(recording: Recording) -> int:
    """Passes over a graph whose parameters had been changed since it was built."""
    return sum(1 for p in graphs.outdated(recording) if not p.rerun)


def delayed(case: TrainerCase) -> int:
    """Updates of the weight along the last step's gradient, and not along their own."""
    count = 0
    last: Vector | None = None
    for step in case.trajectory:
        own = None if step.engine is None else step.engine[:case.weight_size]
        delta = step.delta[:case.weight_size]
        if own is not None and last is not None:
            count += cosine(delta, last) < -ALONG and cosine(delta, own) > -ALIKE
        last = own
    return count if count > 0.5 * len(case.trajectory) else 0


def doubled(case: TrainerCase) -> int:
    """Updates into which one graph brought its gradient twice."""
    return sum(any(part.same_root for part in step.parts) for step in case.trajectory)


def piling_hooks(case: TrainerCase, recording: Recording) -> bool:
    """Whether a parameter of the layer, or a module, carries more and more hooks."""
    return _piles(recording.module_hooks) or any(
        leaf.id in case.own_leaves and _piles(leaf.hooks) for leaf in recording.leaves)


def _piles(hooks: list[int]) -> bool:
    return len(hooks) >= 6 and hooks[-1] - hooks[len(hooks) // 2] >= 2


def recreated(recording: Recording) -> bool:
    """Whether optimisers with a memory are built anew again and again."""
    several = [o for o in recording.optimizers if o.stateful and o.steps <= 2]
    return len(several) >= 4 and len(several) >= 0.5 * len(recording.passes) / 4


# -- losses ------------------------------------------------------------------------------------

def dishonest(case: TrainerCase) -> bool:
    """Whether the reported losses have nothing to do with the losses that the run had.

    Only where the recorder saw one pass a step over the whole data: then the reported number must
    be proportional to the loss, its running mean or its running sum, before or after the update.
    """
    clean = case.clean
    if clean is None or clean.recording is None:
        return False
    reported = np.array(clean.losses)
    steps = case.trajectory
    if len(steps) != len(reported) or len(reported) < 6 or not np.isfinite(reported).all():
        return False
    truth = case.recorded_truth
    before = np.array([truth.loss(s.theta) for s in steps])
    after = np.array([truth.loss(s.theta + s.delta) for s in steps])
    seen = np.array([p.value if p.value is not None else np.nan for p in clean.recording.passes])
    candidates = [before, after]
    if len(seen) == len(reported) and np.isfinite(seen).all():
        candidates.append(seen)
    counts = np.arange(1, len(reported) + 1)
    shapes = [f for c in candidates for f in (c, np.cumsum(c), np.cumsum(c) / counts, np.sqrt(
        np.maximum(c, 0)))]
    return not any(_proportional(reported, shape) for shape in shapes)


def _proportional(one: np.ndarray, two: np.ndarray) -> bool:
    return cosine(one, two) > 0.98


def _close(one: list[float], two: list[float]) -> bool:
    return len(one) == len(two) and bool(np.allclose(one, two, rtol=1e-6, atol=1e-12))


def used_gradients(case: TrainerCase) -> list[Step]:
    """Updates whose `.grad` the recorder saw."""
    return [s for s in case.trajectory if s.buffer is not None]


def trainings(case: TrainerCase) -> list[tuple[str, Training]]:
    """The trainings that came back, clean data first: the order in which faults are told."""
    pairs = [("clean", case.clean), ("own", case.own), ("short", case.short), ("long", case.long)]
    return [(label, t) for label, t in pairs if t is not None]
