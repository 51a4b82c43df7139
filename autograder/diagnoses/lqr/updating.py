"""The updates: which parameter does not go down the cost's gradient, and in what way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from autograder import blame, source
from autograder.checks import path_facts as facts
from autograder.diagnoses.lqr.paths import NAMES
from autograder.evidence import Spot
from autograder.exercises.control import CostTerms, Vector, Walked, fit_updates, policy_gradients
from autograder.report import Diagnosis

if TYPE_CHECKING:
    from autograder.exercises.lqr import LqrCase

MISSING: Mapping[str, CostTerms] = {
    "state-term": CostTerms(state=0), "control-term": CostTerms(control=0),
    "chain": CostTerms(chain=0), "direct": CostTerms(direct=0),
}


def updates(case: LqrCase) -> Iterator[Diagnosis]:
    """The parameters do not go down the cost's gradient: which, and in what way."""
    if not facts.stands_still(case.frozen):
        yield Diagnosis("step-size", _write_of(case, "w"), variant="without-C")
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
                        {"uphill": upward}, variant="one")
        return
    wrong = [n for n, (r, _) in residuals.items() if r > 0.1] or [
        max(residuals, key=lambda n: residuals[n][0])]
    yield Diagnosis(
        "wrong-policy-gradient", source.made_from(case.submission, spot)
        if (spot := _write_of(case, wrong[0])) else None, {"names": ", ".join(wrong)},
        {"residual": round(fit.residual, 4),
         "by_parameter": {n: round(r, 4) for n, (r, _) in residuals.items()}},
        variant=_wrong_direction(walked, wrong))


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


def _write_of(case: LqrCase, name: str) -> Spot | None:
    """Where a parameter is written: by the recorder, else by the source."""
    found = source.writes(case.submission, name)
    seen = next((u.spot for u in case.recording.updates if u.spot), None)
    return found or seen
