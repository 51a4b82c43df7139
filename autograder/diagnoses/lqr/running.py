"""What an lqr class raised, what it returned, and the graphs that it left behind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from autograder import source
from autograder.checks import path_facts as facts
from autograder.checks.facts import OFTEN, uncleared_in
from autograder.diagnoses import contract
from autograder.diagnoses import gradients as gradient_diagnoses
from autograder.diagnoses import graphs as graph_diagnoses
from autograder.diagnoses.errors import translate
from autograder.report import Diagnosis

if TYPE_CHECKING:
    from autograder.exercises.lqr import LqrCase


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
    long = facts.kept_for_long(case)
    if long is not None and not told:
        yield graph_diagnoses.leak(long, case.submission, "graph-leak")
    elif facts.graph_faults(case) - told:
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
