"""Diagnoses of a program without a contract: its errors, graphs and gradients."""

from __future__ import annotations

from collections.abc import Iterator

from autograder.checks.facts import uncleared_in
from autograder.diagnoses.errors import translate
from autograder.diagnoses.gradients import uncleared
from autograder.diagnoses.graphs import of_recording
from autograder.diagnoses.ordering import ordered
from autograder.evidence import Traced
from autograder.report import Diagnosis
from autograder.submission import Submission

NEVER_CLEARED = 6
"""So many updates in a row from gradients that nobody cleared are meant by nobody."""


def diagnose(traced: Traced, submission: Submission) -> list[Diagnosis]:
    """At most three, roots first."""
    return ordered(_all(traced, submission))


def _all(traced: Traced, submission: Submission) -> Iterator[Diagnosis]:
    if traced.lost:
        yield Diagnosis(traced.lost, None, {"during": "run"}, variant="load")
        return
    for error in traced.loaded.errors:
        yield translate(error, traced.recording, submission)
    yield from of_recording(traced.recording, submission)
    times = uncleared_in(update.parts for update in traced.recording.updates)
    if times >= NEVER_CLEARED:
        yield uncleared(traced.recording, times)
