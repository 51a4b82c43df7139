"""graph-reuse, graph-growth, graph-leak: from the recorder's evidence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from autograder import graphs, source
from autograder.checks import facts
from autograder.diagnoses.errors import reuse
from autograder.evidence import Recording
from autograder.exercises.trainer import TrainerCase
from autograder.report import Diagnosis
from autograder.submission import Submission

LEAKS = ("graph-growth", "graph-leak")


def of_case(case: TrainerCase) -> Iterator[Diagnosis]:
    """One diagnosis a kind of fault over the recorded runs."""
    told = set()
    for training, recording in reversed(case.recorded):
        for found in of_recording(recording, case.submission):
            if found.code not in told:
                told.add(found.code)
                if training is case.own and training.labels_attached and found.code in LEAKS:
                    found = replace(found, spot=source.labels(case.submission) or found.spot)
                yield replace(found, rooted=training is case.clean)
    most = facts.kept_for_long(case) or (case.clean.recording if case.clean else None)
    if facts.graph_faults(case) - told and most:
        yield leak(most, case.submission, "graph-leak")


def of_recording(recording: Recording, submission: Submission) -> Iterator[Diagnosis]:
    """The faults that one recording shows by itself."""
    passes = graphs.reuses(recording)
    if passes:
        each = sum(n.count for n in (passes[-1].torn or passes[-1].rerun))
        evidence: dict[str, object] = {
            "raises": bool(passes[-1].torn), "passes": len(recording.passes),
            "passes_with_old_operations": len(passes), "old_operations_last": each,
        }
        yield reuse(passes, recording, submission, passes[-1].spot, evidence)
    found = facts.graph_faults_of(recording)
    for code in ("graph-growth", "graph-leak"):
        if code in found and not passes:
            yield leak(recording, submission, code)


def leak(recording: Recording, submission: Submission, code: str) -> Diagnosis:
    """graph-leak or graph-growth, at the line that keeps the past alive."""
    live = [p.live for p in recording.passes]
    evidence = {"live_nodes": live[:40], "widest": recording.peak_live,
                "kept": [{"line": n.spot.line if n.spot else None, "operator": n.operator,
                          "nodes": n.count} for n in recording.kept[:5]]}
    spot = source.keeper(submission, recording.kept, recording.kept_roots)
    first, last = (live[0], live[-1]) if live else (0, recording.peak_live)
    return Diagnosis(code, spot, {"first": first, "last": last}, evidence)
