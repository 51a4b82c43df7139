"""New points or tolerances put to stored evidence: nobody's code is run again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from autograder.engine import Graded
from autograder.evidence import Evidence
from autograder.exercises.base import Exercise
from autograder.exercises.registry import EXERCISES
from autograder.grading import Grading
from autograder.judge import judge, unreadable
from autograder.messages import Messages
from autograder.report import Report
from autograder.submission import Submission


class Stored(BaseModel):
    """What lies in a submission's evidence.json."""

    sha256: str
    filename: str
    given: str | None
    language: str
    seed: int
    assignment: str | None
    submission: dict[str, Any] | None = None
    evidence: Evidence | None = None
    unreadable: str | None = None


class Stale(Exception):
    """With the new settings the submission would be asked something else: it must run again."""


@dataclass(frozen=True)
class Change:
    """What became of a score, and through which checks."""

    name: str
    before: float
    after: float
    why: tuple[str, ...]


def rejudge(stored: Stored, grading: Grading) -> Report:
    """The report under other settings; see `regrade`."""
    return regrade(stored, grading).report


def regrade(stored: Stored, grading: Grading) -> Graded:
    """The report under other settings, and what it rests on.

    Raises:
        Stale: where those settings ask other questions than were answered.
    """
    messages = Messages(stored.language, grading.hints)
    exercise = EXERCISES[stored.assignment] if stored.assignment else None
    if stored.evidence is None or stored.submission is None or exercise is None:
        return Graded(unreadable(stored.filename, stored.unreadable or "", exercise, grading,
                                 messages))
    if question := _unasked(stored.evidence, exercise, grading, stored.seed):
        raise Stale(f"the question {question!r} would be another one")
    submission = Submission.from_plain(stored.submission)
    report = judge(exercise, submission, stored.evidence, grading, messages, seed=stored.seed)
    return Graded(report, submission, stored.evidence, stored.seed)


def _unasked(evidence: Evidence, exercise: Exercise, grading: Grading, seed: int) -> str | None:
    """The first question of a new interview that is not the one answered; None if there is none."""
    if evidence.loaded is None:
        return None
    interview = exercise.interview(grading.settings(exercise.name), seed)
    answer: Any = None
    try:
        for exchange in evidence.exchanges:
            label, question = interview.send(answer)
            if (label, question) != (exchange.label, exchange.question):
                return label
            if exchange.lost:
                return None
            answer = exchange.answer
        label, _ = interview.send(answer)
    except StopIteration:
        return None
    return label


def change(name: str, old: dict[str, Any], new: dict[str, Any]) -> Change | None:
    """How the score changed; None if it did not."""
    if old["score"] == new["score"] and old["max_score"] == new["max_score"]:
        return None
    return Change(name, old["score"], new["score"], tuple(_reasons(old, new)))


def _reasons(old: dict[str, Any], new: dict[str, Any]) -> Iterator[str]:
    before = {check["id"]: check for check in old["checks"]}
    for check in new["checks"]:
        was = before.get(check["id"])
        if was is None:
            yield f"{check['id']} is new: {check['score']:g}"
        elif was["status"] != check["status"]:
            yield f"{check['id']} {was['status']} -> {check['status']}"
        elif was["score"] != check["score"]:
            yield f"{check['id']} {was['score']:g} -> {check['score']:g}"
        elif was["max_score"] != check["max_score"]:
            yield f"{check['id']} out of {was['max_score']:g} -> {check['max_score']:g}"
