"""The checks of lqr."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.checks import path_facts as facts
from autograder.report import Verdict

if TYPE_CHECKING:
    from autograder.exercises.lqr import LqrCase


def runs(case: LqrCase) -> Verdict:
    """it runs for as many steps as asked and returns what was asked for"""
    return Verdict.of("runs", case.as_asked and facts.stands_still(case.frozen))


def own_graph(case: LqrCase) -> Verdict:
    """every step builds its own graph and lets go of it"""
    if facts.graph_faults(case):
        return Verdict.of("own-graph", False)
    if not facts.walked(case):
        return Verdict.needing("own-graph", "runs")
    return Verdict.passed("own-graph")


def sensitivity(case: LqrCase) -> Verdict:
    """the path follows the equation, and the sensitivities are its derivative"""
    if case.frozen is None:
        return Verdict.needing("sensitivity", _before(case))
    return Verdict.of("sensitivity", facts.path_right(case.frozen, case.coarse, case.settings)
                      and facts.sensitivity_right(case.frozen, case.settings))


def update(case: LqrCase) -> Verdict:
    """w, b and c all move along the cost's gradient"""
    if not case.updating:
        return Verdict.needing("update", _before(case))
    return Verdict.of("update", facts.update_right(case.updating, case.settings))


def loss_falls(case: LqrCase) -> Verdict:
    """the exact expected cost falls"""
    if not case.ran:
        return Verdict.needing("loss-falls", "runs")
    if not case.trained:
        return Verdict.needing("loss-falls", _before(case))
    return Verdict.of("loss-falls", any(after < before for before, after in case.costs))


def converges(case: LqrCase) -> Verdict:
    """the control law arrives where it must, by its exact cost"""
    if not case.ran:
        return Verdict.needing("converges", "runs")
    if not case.trained:
        return Verdict.needing("converges", _before(case))
    for other in (sensitivity, update, loss_falls):
        if other(case).status != "passed":
            return Verdict.needing("converges", other(case).id)
    return Verdict.of("converges", max(case.gains, default=-1.0) >= case.settings.fraction
                      and all(facts.law_right(path) for path in case.controlled))


def _before(case: LqrCase) -> str:
    """What kept the long walks from being asked for."""
    return "own-graph" if facts.graph_faults(case) else "runs"
