"""The checks that linear and conv share."""

from __future__ import annotations

from autograder.checks import facts
from autograder.exercises.trainer import TrainerCase
from autograder.report import Verdict


def runs(case: TrainerCase) -> Verdict:
    """it runs for as many steps as asked and returns what was asked for"""
    return Verdict.of(
        "runs", case.as_asked and facts.own_data_fine(case) and facts.begins_anew(case)
        and facts.corr2d_fine(case))


def loss_falls(case: TrainerCase) -> Verdict:
    """the loss falls on data not seen before"""
    if not case.ran:
        return Verdict.needing("loss-falls", "runs")
    honest = not facts.dishonest(case)
    return Verdict.of("loss-falls", case.falls and honest)


def converges(case: TrainerCase) -> Verdict:
    """the parameters arrive where they must"""
    if not case.ran:
        return Verdict.needing("converges", "runs")
    if not case.falls:
        return Verdict.needing("converges", "loss-falls")
    return Verdict.of("converges", case.arrived)


def own_graph(case: TrainerCase) -> Verdict:
    """every step builds its own graph and lets go of it"""
    if facts.graph_faults(case):
        return Verdict.of("own-graph", False)
    if not case.ran:
        return Verdict.needing("own-graph", "runs")
    if not case.falls and not facts.built_graphs(case):
        return Verdict.needing("own-graph", "loss-falls")  # nothing done, nothing shown
    return Verdict.passed("own-graph")


def fresh_gradients(case: TrainerCase) -> Verdict:
    """every update uses the gradient of its own step, once"""
    if not case.ran:
        return Verdict.needing("fresh-gradients", "runs")
    if facts.gradient_faults(case):
        return Verdict.of("fresh-gradients", False)
    if not case.moved or not (case.falls or case.trajectory):
        return Verdict.needing("fresh-gradients", "loss-falls")
    return Verdict.passed("fresh-gradients")
