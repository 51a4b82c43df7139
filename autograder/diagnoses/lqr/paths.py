"""The path and its sensitivities: which equation they follow in place of the right one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from autograder import source
from autograder.checks import path_facts as facts
from autograder.diagnoses import contract
from autograder.evidence import POINTS, Spot
from autograder.exercises.control import (
    Terms,
    Vector,
    Walked,
    network_of,
    noise,
    relative,
    unrolled,
)
from autograder.exercises.coupling import couple
from autograder.report import Diagnosis
from autograder.statements import calls

if TYPE_CHECKING:
    from autograder.exercises.lqr import LqrCase
    from autograder.settings import LqrSettings

NAMES = ("w", "b", "c")
SOME = tuple(some for size in (1, 2, 3) for some in combinations(NAMES, size))
DRIFTS = {"no-control": (1, 0), "control-sign": (1, -1), "no-decay": (0, 1),
          "decay-sign": (-1, 1), "nothing": (0, 0)}
"""Known wrong drifts, as factors of -X and of f(X)."""


def law(case: LqrCase) -> Iterator[Diagnosis]:
    """`forward` is not the network of w, b and c: they were rebound, or it is another function."""
    if _law_detached(case):
        yield _lost(case)
        return
    for seen in case.controlled:
        if not facts.law_right(seen):
            left = next((some for some in SOME if facts.law_right(seen, some)), None)
            if left:
                yield _lost(case, left)
            else:
                yield Diagnosis("bad-return", contract.last_return(case, "forward"),
                                {"function": "forward", "got": "", "wanted": ""}, {},
                                variant="forward")
            return


def path(case: LqrCase) -> Iterator[Diagnosis]:
    """The path does not follow the equation: an old f, repeated or badly scaled noise, a drift."""
    walked = case.frozen
    if walked is None or facts.path_right(walked, case.coarse, case.settings):
        return
    n = noise(walked)
    spot = _noise_line(case)
    if _law_detached(case):
        yield _lost(case)
    elif _stale(case, walked):
        yield _stale_evaluation(case)
    elif facts.noise_repeats(n):
        yield Diagnosis("repeated-draw", source.seeding(case.submission, spot) or spot,
                        {"operator": "normal"},
                        {"draws": len(n), "different": len(np.unique(n.round(4)))})
    elif (drift := _wrong_drift(case, walked)) is not None:
        yield drift
    else:
        spread = float(n.std())
        yield Diagnosis("noise-scale", spot or source.writes(case.submission, "X"),
                        {"spread": f"{spread:.3g}"},
                        {"spread_of_noise_over_sqrt_delta": round(spread, 4),
                         "mean": round(float(n.mean()), 4),
                         "kurtosis": round(facts.kurtosis(n), 4)},
                        variant=_noise(n, case.settings))


def sensitivities(case: LqrCase) -> Iterator[Diagnosis]:
    """Which sensitivity is wrong, and which term of its equation."""
    walked = case.frozen
    if walked is None or facts.sensitivity_right(walked, case.settings):
        return
    if _stale(case, walked):
        yield _stale_evaluation(case)
        return
    errors = facts.sensitivity_errors(walked, case.settings)
    wrong = [n for n, e in zip(NAMES, errors) if not e <= case.settings.sensitivity]
    name = wrong[0] if wrong else "w"
    spot = source.writes(case.submission, f"Xtilde_{name}")
    yield Diagnosis(
        "wrong-sensitivity", spot, {"names": ", ".join(f"Xtilde_{n}" for n in wrong)},
        {"relative_errors": {n: _rounded(e) for n, e in zip(NAMES, errors)}},
        variant=_missing_term(case, walked, NAMES.index(name)))


def _wrong_drift(case: LqrCase, walked: Walked) -> Diagnosis | None:
    """What moves the state beside its noise, where that is not -X + f(X)."""
    if case.coarse is None:
        return None
    both, tolerance = couple(walked, case.coarse), case.settings.drift
    lines: list[Spot | None] = [*source.all_writes(case.submission, "X")] or [None]
    if both.jumps(tolerance):
        off = int((np.abs(both.apart) > tolerance).sum())
        return Diagnosis("wrong-drift", lines[-1], {}, {"steps": len(both.apart), "off": off},
                         variant="jumps")
    if not both.wrong_drift(tolerance):
        return None
    if not np.allclose(both.fixed, 0, atol=0.005):
        return Diagnosis("wrong-drift", lines[0], {}, {
            "fixed_X": _rounded(both.fixed[0]), "fixed_f": _rounded(both.fixed[1])},
            variant="no-delta")
    factors = (both.decay, both.control)
    variant = next((v for v, known in DRIFTS.items() if np.allclose(factors, known, atol=0.05)), "")
    return Diagnosis("wrong-drift", lines[0], {}, {
        "factor_of_X": _rounded(-both.decay), "factor_of_f": _rounded(both.control)},
        variant=variant)


def _noise(n: Vector, settings: LqrSettings) -> str:
    """What is wrong with the noise, where it is not its spread on the path at hand."""
    if abs(float(n.std()) - 1) > settings.noise:
        return ""
    if not settings.kurtosis[0] <= facts.kurtosis(n) <= settings.kurtosis[1]:
        return "shape"
    if abs(float(n.mean())) > facts.sampling_bound(n):
        return "mean"
    return "memory" if abs(facts.memory(n)) > facts.sampling_bound(n) else "length"


def _noise_line(case: LqrCase) -> Spot | None:
    names = ("normal", "randn", "randn_like", "normal_", "gauss", "normalvariate", "Normal")
    return next((s for name in names for s in calls(case.submission, name)), None)


def _law_detached(case: LqrCase) -> bool:
    """Whether `forward` stays with parameters that were updated elsewhere."""
    seen = case.path("update-0")
    if seen is None or len(seen.states) <= case.settings.update_steps or not seen.forward:
        return False
    first, last = (network_of(seen.states[i])(np.array(POINTS)) for i in (0, -1))
    old, new = (float(np.abs(law - np.array(seen.forward)).max()) for law in (first, last))
    return new > 1e-4 and old < 0.01 * new


def _lost(case: LqrCase, names: Sequence[str] = NAMES) -> Diagnosis:
    return Diagnosis("lost-parameter", source.writes(case.submission, names[0]),
                     {"names": ", ".join(names)}, {}, variant="lqr")


def _stale(case: LqrCase, walked: Walked) -> bool:
    """Whether the sensitivities follow f's derivatives as they were at the start."""
    steps = min(case.settings.unrolled_steps, walked.steps)
    old = unrolled(walked, steps, frozen_at=0)
    return (relative(walked.tilde[:steps + 1], old) < 0.01
            and max(facts.sensitivity_errors(walked, case.settings)) > case.settings.sensitivity)


def _stale_evaluation(case: LqrCase) -> Diagnosis:
    spot = source.writes(case.submission, "X") or contract.last_return(case, "step")
    return Diagnosis("stale-evaluation", spot)


def _missing_term(case: LqrCase, walked: Walked, block: int) -> str:
    """The known wrong equation that the sensitivity follows, if one does."""
    steps = min(case.settings.unrolled_steps, walked.steps)
    seen = np.split(walked.tilde[:steps + 1], 3, axis=1)[block]
    known = {
        "no-feedback": Terms(feedback=0), "no-decay": Terms(decay=0),
        "no-gradient": Terms(gradient=0), "decay-sign": Terms(decay=-1),
        "feedback-sign": Terms(feedback=-1), "gradient-sign": Terms(gradient=-1),
    }
    if np.abs(seen).max() < 1e-12:
        return "zero"
    for variant, terms in known.items():
        if relative(seen, np.split(unrolled(walked, steps, terms), 3, axis=1)[block]) < 0.01:
            return variant
    return ""


def _rounded(value: float) -> float | str:
    return round(value, 4) if np.isfinite(value) else "inf"
