"""Diagnoses of lqr: errors and graphs first, then path, sensitivities, updates, rate."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder import blame, source
from autograder.checks import path_facts as facts
from autograder.checks.facts import OFTEN, uncleared_in
from autograder.diagnoses import contract
from autograder.diagnoses import gradients as gradient_diagnoses
from autograder.diagnoses import graphs as graph_diagnoses
from autograder.diagnoses.errors import translate
from autograder.evidence import Spot
from autograder.exercises.control import (
    CostTerms,
    Terms,
    Vector,
    Walked,
    fit_updates,
    noise,
    policy_gradients,
    relative,
    unrolled,
)
from autograder.report import Diagnosis

if TYPE_CHECKING:
    from autograder.exercises.lqr import LqrCase

NAMES = ("w", "b", "c")
MISSING: Mapping[str, CostTerms] = {
    "state-term": CostTerms(state=0), "control-term": CostTerms(control=0),
    "chain": CostTerms(chain=0), "direct": CostTerms(direct=0),
}


def failures(case: LqrCase) -> Iterator[Diagnosis]:
    """What the class raised, in the first walk that failed."""
    for _, path in case.asked:
        if path.failure is not None:
            yield translate(path.failure, path.recording, case.submission)
            return


def returned(case: LqrCase) -> Iterator[Diagnosis]:
    """An attribute is missing or has another size."""
    for _, path in case.asked:
        for problem in path.problems:
            if problem.what == "missing":
                continue
            name = problem.got.split(":")[0] if problem.what == "wrong-size" else problem.wanted
            spot = source.writes(case.submission, name, outside="") or contract.last_return(
                case, "step")
            code = "wrong-shape" if problem.what == "wrong-size" else "bad-return"
            yield Diagnosis(code, spot, {"function": "OneD_NN_LQR", "name": name,
                                         "got": problem.got, "wanted": problem.wanted},
                            {"got": problem.got, "wanted": problem.wanted}, variant=problem.what)
            return


def graphs(case: LqrCase) -> Iterator[Diagnosis]:
    """graph-reuse, graph-growth, graph-leak."""
    recorded = case.recorded
    if recorded is None or recorded.recording is None:
        return
    told = set()
    for found in graph_diagnoses.of_recording(recorded.recording, case.submission):
        told.add(found.code)
        yield found
    if facts.graph_faults(case) - told:
        found = graph_diagnoses.leak(recorded.recording, case.submission, "graph-leak")
        yield Diagnosis(found.code, found.spot,
                        {"first": recorded.live[0], "last": recorded.live[-1]},
                        found.evidence | {"live_nodes": recorded.live})


def gradients(case: LqrCase) -> Iterator[Diagnosis]:
    """f's derivatives are read off a .grad that still holds those of earlier steps."""
    if facts.sensitivity_right(case.frozen, case.settings):
        return
    times = uncleared_in(u.parts for u in case.recording.updates)
    if times >= OFTEN:
        yield gradient_diagnoses.uncleared(case.recording, times)


def path(case: LqrCase) -> Iterator[Diagnosis]:
    """The path does not follow the equation: repeated or badly scaled noise, an old f."""
    walked = case.frozen
    if walked is None or facts.path_right(walked, case.settings):
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
    else:
        spread = float(n.std())
        yield Diagnosis("noise-scale", spot or source.writes(case.submission, "X"),
                        {"spread": f"{spread:.3g}"},
                        {"spread_of_noise_over_sqrt_delta": round(spread, 4),
                         "mean": round(float(n.mean()), 4)})


def _noise_line(case: LqrCase) -> Spot | None:
    names = ("normal", "randn", "randn_like", "normal_", "gauss", "normalvariate", "Normal")
    return next((s for name in names for s in source.calls(case.submission, name)), None)


def _law_detached(case: LqrCase) -> bool:
    """Whether `forward` is not the network of w, b and c after they were updated."""
    seen = case.path("update-0")
    if seen is None or not seen.forward or not case.updating:
        return False
    walked = case.updating[0]
    if walked.steps < case.settings.update_steps:
        return False
    law = walked.network(-1)(np.array((-2.0, -1.0, -0.5, 0.5, 1.0, 2.0)))
    moved = float(np.abs(walked.theta[-1] - walked.theta[0]).max())
    return moved > 1e-5 and float(np.abs(law - np.array(seen.forward)).max()) > 1e-3 * moved + 1e-4


def _lost(case: LqrCase) -> Diagnosis:
    return Diagnosis("lost-parameter", source.writes(case.submission, "w"), {"name": "w, b, c"},
                     {}, variant="lqr")


def lost_parameters(case: LqrCase) -> Iterator[Diagnosis]:
    """w, b, c were rebound: `forward` still uses the old ones."""
    if _law_detached(case):
        yield _lost(case)


def _stale(case: LqrCase, walked: Walked) -> bool:
    """Whether the sensitivities follow f's derivatives as they were at the start."""
    steps = min(case.settings.unrolled_steps, walked.steps)
    old = unrolled(walked, steps, frozen_at=0)
    return (relative(walked.tilde[:steps + 1], old) < 0.01
            and max(facts.sensitivity_errors(walked, case.settings)) > case.settings.sensitivity)


def _stale_evaluation(case: LqrCase) -> Diagnosis:
    spot = source.writes(case.submission, "X") or contract.last_return(case, "step")
    return Diagnosis("stale-evaluation", spot)


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


def updates(case: LqrCase) -> Iterator[Diagnosis]:
    """The parameters do not go down the cost's gradient: which, and in what way."""
    if not case.updating or facts.update_right(case.updating, case.settings):
        return
    fits = facts.update_fits(case.updating)
    worst = int(np.argmax([f.residual + (f.downhill < 0.9) for f in fits]))
    walked, fit = case.updating[worst], fits[worst]
    blocks = np.split(np.diff(walked.theta, axis=0), 3, axis=1)
    still = [n for n, b in zip(NAMES, blocks) if not np.abs(b).any()]
    if len(still) == 3:
        yield Diagnosis("no-update", _write_of(case, "w"), {}, {"steps": walked.steps})
        return
    if still:
        moving = next(n for n in NAMES if n not in still)
        yield Diagnosis("frozen-parameter", _write_of(case, moving), {"name": ", ".join(still)},
                        {"parameter": still})
        return
    if fit.residual <= 0.02 and fit.downhill < 0.1:
        yield Diagnosis("uphill-step", _write_of(case, "w"), {}, {"steps": walked.steps})
        return
    residuals = _residuals(walked)
    upward = [n for n, (r, up) in residuals.items() if up and r < 0.1]
    if upward:
        yield Diagnosis("uphill-step", _write_of(case, upward[0]), {"name": ", ".join(upward)},
                        {"uphill": upward})
        return
    wrong = [n for n, (r, _) in residuals.items() if r > 0.1] or [
        max(residuals, key=lambda n: residuals[n][0])]
    yield Diagnosis(
        "wrong-policy-gradient", source.made_from(case.submission, spot)
        if (spot := _write_of(case, wrong[0])) else None, {"names": ", ".join(wrong)},
        {"residual": round(fit.residual, 4),
         "by_parameter": {n: round(r, 4) for n, (r, _) in residuals.items()}},
        variant=_wrong_direction(walked, wrong))


def _residuals(walked: Walked) -> dict[str, tuple[float, bool]]:
    """By parameter: what is not along its part of the gradient, and whether it goes up it."""
    found = {}
    whole = facts.directions(walked)
    for i, name in enumerate(NAMES):
        size = walked.theta.shape[1] // 3
        part = slice(i * size, (i + 1) * size)
        own = Walked(walked.X, walked.theta[:, part], walked.tilde[:, part], walked.delta)
        fit = fit_updates(own, whole[:, :, part])
        found[name] = (fit.residual, fit.downhill < 0.1)
    return found


def _wrong_direction(walked: Walked, wrong: list[str]) -> str:
    """The known wrong direction that the updates follow, if one does."""
    known = {
        f"{one}-uses-{other}": policy_gradients(walked, tilde=_swapped(walked, one, other))
        for one in wrong for other in NAMES if one != other
    }
    known |= {f"no-{name}": policy_gradients(walked, terms=terms)
              for name, terms in MISSING.items()}
    fits = ((variant, fit_updates(walked, g[:, None])) for variant, g in known.items())
    return next((variant for variant, fit in fits if fit.residual < 0.02), "")


def _swapped(walked: Walked, one: str, other: str) -> Vector:
    """The sensitivities with another's in one's place, (T+1, 3 H)."""
    tilde = dict(zip(NAMES, np.split(walked.tilde, 3, axis=1)))
    return np.concatenate(list((tilde | {one: tilde[other]}).values()), axis=1)


def rate(case: LqrCase) -> Iterator[Diagnosis]:
    """Path, sensitivities and updates are right, and it does not arrive."""
    derived = case.frozen is None or facts.sensitivity_right(case.frozen, case.settings)
    if not case.trained or not derived or not facts.update_right(case.updating, case.settings):
        return
    if max(case.gains, default=-1) >= case.settings.fraction:
        return
    wild = any(not np.isfinite(after) for _, after in case.costs)
    yield Diagnosis("step-size", blame.lqr_rate(case.submission) or _write_of(case, "w"),
                    {"steps": case.settings.training_steps}, {},
                    variant="diverges" if wild else "too-small")


def _write_of(case: LqrCase, name: str) -> Spot | None:
    """Where a parameter is written: by the recorder, else by the source."""
    found = source.writes(case.submission, name)
    seen = next((u.spot for u in case.recording.updates if u.spot), None)
    return found or seen


def _rounded(value: float) -> float | str:
    return round(value, 4) if np.isfinite(value) else "inf"


LQR_DIAGNOSERS: tuple[Callable[[Any], Iterable[Diagnosis]], ...] = (
    contract.lost, failures, returned, graphs, gradients, lost_parameters, path, sensitivities,
    updates, rate,
)
