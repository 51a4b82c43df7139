"""Grading one submission of a batch: bytes in, plain data out. Runs on any machine."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any, Protocol

from autograder.engine import Graded, UnknownAssignment, grade
from autograder.exercises.registry import EXERCISES, infer
from autograder.grading import Grading
from autograder.judge import unreadable
from autograder.messages import Messages
from autograder.reports import student
from autograder.sandbox.choice import Witnesses
from autograder.sandbox.setup import ZygoteLost
from autograder.submission import Submission, Unreadable, parse

ATTEMPTS = 3
"""How often a submission is graded anew whose process was lost through no fault of its own."""


@dataclass(frozen=True)
class Job:
    """A submission to be graded; `key` says with what, for a later run to compare."""

    name: str
    filename: str
    data: bytes
    sha256: str
    key: str


@dataclass(frozen=True)
class Terms:
    """What all submissions of a batch are graded with."""

    grading: Grading
    seed: int
    assignment: str | None = None
    language: str = "en"
    html: bool = False
    """Whether each submission gets a page."""
    device: str = "cpu"


@dataclass(frozen=True)
class Outcome:
    """One submission's result as it goes to disk."""

    name: str
    key: str
    report: dict[str, Any] | None
    evidence: str = ""
    """A JSON object: what regrading needs."""
    log: str = ""
    doubt: str = ""
    """Why there is no report."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Name → text of what else belongs in the submission's folder."""
    status: str = "unknown-assignment"
    """What a row without a report says."""


class Engine(Protocol):
    """Grades jobs, in any order."""

    name: str

    def run(self, jobs: Iterable[Job], terms: Terms) -> Iterator[Outcome]:
        """Outcomes as they come; takes no more jobs than it is about to start."""
        ...


def work(job: Job, terms: Terms, witness: Witnesses) -> Outcome:
    """Grade one."""
    messages = Messages(terms.language, terms.grading.hints)
    for attempt in range(ATTEMPTS):
        log = _Log()
        try:
            return _outcome(job, terms, messages, log, witness)
        except UnknownAssignment as error:
            return Outcome(job.name, job.key, None, doubt=str(error))
        except ZygoteLost:
            if attempt == ATTEMPTS - 1:
                raise
        except Exception as error:  # forged, or our own fault: not the next submission's, nor its
            return Outcome(job.name, job.key, None, status="unjudged", doubt=(
                f"judging it failed, which is a fault of the grader's own, or its answers were "
                f"forged: {type(error).__name__}: {error}"))
    raise AssertionError


def _outcome(job: Job, terms: Terms, messages: Messages, log: _Log,
             witness: Witnesses) -> Outcome:
    head: dict[str, Any] = {
        "sha256": job.sha256, "filename": job.filename, "given": terms.assignment,
        "language": terms.language, "seed": terms.seed}
    try:
        submission = parse(job.filename, job.data)
    except Unreadable as error:
        name = terms.assignment or infer(job.filename, ())
        shown = PurePosixPath(job.filename).name
        report = unreadable(shown, error.reason, EXERCISES[name] if name else None,
                            terms.grading, messages)
        head |= {"assignment": name, "unreadable": error.reason}
        return _made(job, terms, messages, Graded(report), json.dumps(head))
    graded = grade(submission, terms.grading, messages, assignment=terms.assignment,
                   seed=terms.seed, run=log.listening(witness))
    assert graded.evidence is not None
    head |= {"assignment": graded.report.assignment, "submission": submission.to_plain()}
    body = f'{json.dumps(head)[:-1]}, "evidence": {graded.evidence.model_dump_json()}}}'
    return _made(job, terms, messages, graded, body, log.text(graded))


def _made(job: Job, terms: Terms, messages: Messages, graded: Graded, evidence: str,
          log: str = "") -> Outcome:
    files = student.files(graded, terms.grading, messages, html=terms.html)
    return Outcome(job.name, job.key, graded.report.to_plain(), evidence, log, files=files)


@dataclass
class _Log:
    """Remembers the process that a submission ran in, for its log."""

    seen: list[Any] = field(default_factory=list)

    def listening(self, witness: Witnesses) -> Witnesses:
        def open_and_note(submission: Submission) -> Any:
            self.seen.append(witness(submission))
            return self.seen[-1]

        return open_and_note

    def text(self, graded: Graded) -> str:
        """How the process fared, and what it printed."""
        lines = []
        for process in self.seen:
            lines.append(f"sandbox: {process.sandbox}")
            if note := getattr(process, "note", ""):
                lines.append(f"lost: {note}")
            if ending := getattr(process, "ending", None):
                lines.append(f"processor time: {ending.cpu:.2f} s")
        loaded = graded.evidence.loaded if graded.evidence else None
        if loaded and loaded.output:
            lines += ["", "printed by its cells:", loaded.output]
        return "\n".join(lines) + "\n"
