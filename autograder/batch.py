"""A class of submissions: graded once each, results kept as they come, taken up again later."""

from __future__ import annotations

import hashlib
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from autograder.engines.work import Engine, Job, Outcome, Terms
from autograder.grading import Grading
from autograder.handins import Doubt, Handin, Student
from autograder.lateness import Arrival
from autograder.store import Store, grader, key

UNSAFE = "process"
"""The sandbox that is none."""


@dataclass(frozen=True)
class Row:
    """One submission's line in every table."""

    name: str
    where: str
    student: Student = Student()
    assignment: str = ""
    status: str = ""
    checks: dict[str, float] = field(default_factory=dict)
    score: float = 0.0
    max_score: float = 0.0
    profile: str = ""
    diagnosis: str = ""
    reused: bool = False
    """Whether the result is an earlier run's."""
    arrival: Arrival = Arrival()
    penalty: float = 0.0
    """Points taken off for handing in late."""

    @property
    def final(self) -> float:
        """What counts."""
        return max(self.score - self.penalty, 0.0)

    @property
    def graded(self) -> bool:
        """Whether there is a score at all."""
        return bool(self.assignment)


@dataclass(frozen=True)
class Result:
    """A row, and the report it stands for where there is one."""

    row: Row
    report: dict[str, Any] | None = None
    doubt: str = ""


def run(handins: Iterable[Handin], store: Store, terms: Terms, engine: Engine, *,
        force: bool = False, strict: bool = False) -> Iterator[Result]:
    """Grade each that is not yet done, and save it; results as they come.

    Args:
        force: grade again what is done.
        strict: grade again what was graded without a sandbox.
    """
    known: dict[str, Handin] = {}
    ready: deque[Result] = deque()

    def jobs() -> Iterator[Job]:
        for handin in handins:
            known[handin.name] = handin
            try:
                data = handin.read()
            except Exception as error:  # a damaged archive raises all sorts
                said = f"it cannot be opened: {error}"
                ready.append(Result(Row(handin.name, handin.where, handin.student,
                                        status="unreadable"), doubt=said))
                continue
            sha256 = hashlib.sha256(data).hexdigest()
            wanted = key(sha256, handin.filename, terms)
            report = None if force else store.done(handin.name, wanted, html=terms.html)
            if report is None or (strict and profile(report) == UNSAFE):
                yield Job(handin.name, handin.filename, data, sha256, wanted)
            else:
                ready.append(Result(row(handin, report, terms.grading, reused=True), report))

    for outcome in engine.run(jobs(), terms):
        store.save(outcome)
        while ready:
            yield ready.popleft()
        yield _result(known.pop(outcome.name), outcome, terms.grading)
    yield from ready


def _result(handin: Handin, outcome: Outcome, grading: Grading) -> Result:
    if outcome.report is None:
        return Result(Row(handin.name, handin.where, handin.student, status=outcome.status),
                      doubt=outcome.doubt)
    return Result(row(handin, outcome.report, grading), outcome.report)


def row(handin: Handin, report: dict[str, Any], grading: Grading, *,
        reused: bool = False) -> Row:
    """A report's line."""
    diagnoses = report["diagnoses"]
    return Row(
        name=handin.name, where=handin.where, student=handin.student,
        assignment=report["assignment"], status=status(report),
        checks={c["id"]: c["score"] for c in report["checks"]}, score=report["score"],
        max_score=report["max_score"], profile=profile(report),
        diagnosis=diagnoses[0]["code"] if diagnoses else "", reused=reused,
        arrival=handin.arrival, penalty=grading.late.penalty(report["assignment"], handin.arrival))


def status(report: dict[str, Any]) -> str:
    """full, partial, zero, or what kept it from being judged."""
    codes = {d["code"] for d in report["diagnoses"]}
    for code in ("unreadable", "timeout", "memory-limit", "killed"):
        if code in codes:
            return code
    if report["score"] >= report["max_score"]:
        return "full"
    return "partial" if report["score"] > 0 else "crash" if "crash" in codes else "zero"


def profile(report: dict[str, Any]) -> str:
    """The sandbox it ran in; empty where nothing ran."""
    return str(report["environment"].get("sandbox", ""))


def doubled(rows: Iterable[Row]) -> Iterator[Doubt]:
    """Students with more than one submission for one assignment: which counts, a person says."""
    seen: dict[tuple[str, str], list[Row]] = {}
    for each in rows:
        if each.student.id and each.assignment:
            seen.setdefault((each.student.id, each.assignment), []).append(each)
    for (student, assignment), several in seen.items():
        if len(several) > 1:
            names = ", ".join(r.name for r in several)
            yield Doubt(several[0].where, f"student {student} has {len(several)} submissions "
                                          f"for {assignment}: {names}")


def summary(rows: list[Row], terms: Terms, profiles: list[str], started: float) -> dict[str, Any]:
    """run.json: what was graded, with what, and how it came out."""
    return {
        "schema": 1, "grader": grader(), "grading": terms.grading.digest, "seed": terms.seed,
        "assignment": terms.assignment, "language": terms.language, "sandbox": profiles,
        "started": round(started), "finished": round(time.time()), **counted(rows),
    }


def counted(rows: list[Row]) -> dict[str, Any]:
    """Of run.json, what depends on the scores."""
    return {
        "counts": dict(Counter(r.status for r in rows)),
        "submissions": [
            {"name": r.name, "file": r.where, "student": r.student.name, "id": r.student.id,
             "email": r.student.email, "assignment": r.assignment, "status": r.status,
             "score": r.score, "max_score": r.max_score, "reused": r.reused,
             "handed_in": r.arrival.time and r.arrival.time.isoformat(), "late": r.arrival.late}
            for r in sorted(rows, key=lambda r: r.name)
        ],
    }


def handin_of(entry: dict[str, Any]) -> Handin:
    """The submission that an entry of run.json stands for; its bytes are not there any more."""
    def gone() -> bytes:
        raise FileNotFoundError(entry["file"])

    student = Student(entry["student"], entry["id"], entry["email"])
    time = entry.get("handed_in")
    arrival = Arrival(time and datetime.fromisoformat(time), entry.get("late", False))
    return Handin(entry["name"], entry["file"], entry["file"], gone, student, arrival)
