"""From evidence to a report: check, diagnose, and put points to it. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from autograder.diagnoses import contract
from autograder.diagnoses.ordering import because, ordered
from autograder.evidence import Evidence
from autograder.exercises.base import Exercise
from autograder.grading import Grading
from autograder.messages import Messages
from autograder.report import Diagnosis, Report, Verdict, where
from autograder.submission import Submission


def judge(exercise: Exercise, submission: Submission, evidence: Evidence, grading: Grading,
          messages: Messages, *, seed: int | None = None) -> Report:
    """The report on one submission.

    Args:
        seed: of the secret cases that the evidence answers; grading.yml's by default.
    """
    settings = grading.settings(exercise.name)
    case = exercise.examine(
        submission, evidence, settings, grading.seed if seed is None else seed)
    found: list[Diagnosis] = []
    with np.errstate(all="ignore"):  # runs that blow up are judged as such
        verdicts = [check(case) for check in exercise.checks.values()]
        if any(v.status != "passed" for v in verdicts):
            found = ordered(_diagnoses(exercise, case))
    rows = [
        _row(verdict, settings.points[verdict.id], exercise, found) for verdict in verdicts
    ]
    return Report(
        assignment=exercise.name, submission=submission.name,
        score=round(sum(r["score"] for r in rows), 4), max_score=settings.max_score,
        checks=tuple(rows),
        diagnoses=tuple(told(d, submission, messages) for d in found),
        environment=environment(evidence, grading),
    )


def _diagnoses(exercise: Exercise, case: Any) -> Iterable[Diagnosis]:
    yield from contract.missing(case, exercise.asks_for)
    for diagnoser in exercise.diagnosers:
        yield from diagnoser(case)


def _row(verdict: Verdict, points: float, exercise: Exercise,
         found: list[Diagnosis]) -> dict[str, Any]:
    row: dict[str, Any] = {
        "id": verdict.id, "title": _title(exercise, verdict.id), "status": verdict.status,
        "score": round(points * verdict.credit, 4), "max_score": points,
    }
    if verdict.needs:
        row["needs"] = verdict.needs
    if verdict.status == "failed":
        row["because"] = because(verdict.id, found)
    return row


def _title(exercise: Exercise, check: str) -> str:
    return (exercise.checks[check].__doc__ or check).strip()


def told(diagnosis: Diagnosis, submission: Submission | None,
         messages: Messages) -> dict[str, Any]:
    """A diagnosis in the JSON shape."""
    words = messages.of(diagnosis)
    result: dict[str, Any] = {
        "code": diagnosis.code, "message": words.message,
        "where": where(diagnosis.spot, submission), "evidence": _plain(diagnosis.evidence),
    }
    result |= {key: text for key, text in (("why", words.why), ("ask", words.ask)) if text}
    if diagnosis.related:
        result["related"] = [
            {"note": messages.note(key), "where": where(spot, submission)}
            for key, spot in diagnosis.related
        ]
    return result


def _plain(value: Any) -> Any:
    """JSON knows no nan and no infinity: told as words."""
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, dict):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    return value


def unreadable(name: str, reason: str, exercise: Exercise | None, grading: Grading,
               messages: Messages) -> Report:
    """The report on a file that holds no submission."""
    diagnosis = Diagnosis("unreadable", None, {"reason": reason})
    rows: list[dict[str, Any]] = []
    if exercise is not None:
        points = grading.settings(exercise.name).points
        rows = [{"id": c, "title": _title(exercise, c), "status": "not-judged", "score": 0.0,
                 "max_score": points[c], "needs": "runs"} for c in exercise.checks]
        rows[0] |= {"status": "failed", "because": ["unreadable"]}
        del rows[0]["needs"]
    return Report(
        assignment=exercise.name if exercise else "", submission=name, score=0.0,
        max_score=sum(r["max_score"] for r in rows), checks=tuple(rows),
        diagnoses=(told(diagnosis, None, messages),), environment={"grading": grading.digest[:12]},
    )


def environment(evidence: Evidence, grading: Grading) -> dict[str, Any]:
    """What the verdict was reached with."""
    import platform

    loaded = evidence.loaded
    return {
        "torch": loaded.torch if loaded else "", "device": loaded.device if loaded else "",
        "python": platform.python_version(), "grading": grading.digest[:12],
        "sandbox": evidence.sandbox,
    }
