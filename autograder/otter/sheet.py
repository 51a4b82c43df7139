"""A report as rows that otter can show: one a check, with points and a message."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from autograder.engine import Run, grade_file
from autograder.exercises.registry import EXERCISES
from autograder.grading import DEFAULT, Grading, load
from autograder.judge import unreadable
from autograder.messages import Messages
from autograder.report import Report
from autograder.reports import terminal
from autograder.sandbox.choice import sandbox

PLUGIN = "autograder.otter.plugin.Plugin"
"""What otter_config.json calls our plugin."""


@contextmanager
def processes() -> Iterator[Run]:
    """How a submission's process is opened; the one place where the otter door chooses it."""
    with sandbox() as chosen:
        yield chosen.witness


@dataclass(frozen=True)
class Row:
    """One check: `text` is what the student reads."""

    name: str
    title: str
    passed: bool
    score: float
    max_score: float
    text: str


@dataclass(frozen=True)
class Sheet:
    """All rows, the whole report as text, and its plain data where there is a report."""

    rows: tuple[Row, ...]
    output: str
    report: dict[str, Any] | None = None


@dataclass(frozen=True)
class Marker:
    """Marks one assignment, as otter_config.json says: `grading` is the text of a grading.yml."""

    assignment: str
    grading: str = ""
    language: str = "en"

    def file(self, path: Path) -> Sheet:
        """The sheet for a submitted file. Never raises."""
        def grade(grading: Grading, messages: Messages) -> Report:
            with processes() as run:
                return grade_file(
                    path, grading, messages, assignment=self.assignment, run=run).report

        return self._safely(grade)

    def nothing(self, name: str, reason: str) -> Sheet:
        """The sheet where there is no file to grade, and why."""
        exercise = EXERCISES[self.assignment]
        return self._safely(lambda grading, messages: unreadable(
            name, reason, exercise, grading, messages))

    def _safely(self, make: Callable[[Grading, Messages], Report]) -> Sheet:
        try:
            grading = self._grading()
            messages = Messages(self.language, grading.hints)
            return sheet(make(grading, messages), messages)
        except Exception as error:
            # A fault of ours must not look like a fault of the student's, nor cost the results.
            return self._fault(f"{type(error).__name__}: {error}")

    def _grading(self) -> Grading:
        if not self.grading:
            return load(DEFAULT)
        with TemporaryDirectory() as folder:
            path = Path(folder) / "grading.yml"
            path.write_text(self.grading, encoding="utf-8")
            return load(path)

    def _fault(self, what: str) -> Sheet:
        said = ("not judged: the grader itself failed. Nothing is wrong with your file as far as "
                "is known; tell your instructor, who can grade it again.")
        try:
            points: dict[str, float] = self._grading().settings(self.assignment).points
        except Exception:
            points = load(DEFAULT).settings(self.assignment).points
        rows = tuple(Row(name, name, False, 0.0, most, said) for name, most in points.items())
        return Sheet(rows, f"{said}\n\n{what}")


def sheet(report: Report, messages: Messages) -> Sheet:
    """A report's rows."""
    plain = report.to_plain()
    output = "\n".join(line.plain.rstrip() for line in terminal.lines(plain, messages=messages))
    rows = (Row(check["id"], _title(plain, check, messages), check["status"] == "passed",
                check["score"], check["max_score"], words(plain, check, messages))
            for check in plain["checks"])
    return Sheet(tuple(rows), output, plain)


def words(report: Mapping[str, Any], check: Mapping[str, Any], messages: Messages) -> str:
    """What a student reads of one check: its title, or why it is not passed, with the line."""
    if check["status"] == "passed":
        return _title(report, check, messages)
    if check["status"] == "not-judged":
        return messages.label("needs", check=check["needs"])
    causes = [d for d in report["diagnoses"] if d["code"] in check.get("because", ())]
    lines = [line.plain.rstrip() for cause in causes
             for line in terminal.frame(cause, report["submission"], messages=messages)]
    return "\n".join(lines).strip() or f"✗ {_title(report, check, messages)}"


def _title(report: Mapping[str, Any], check: Mapping[str, Any], messages: Messages) -> str:
    return messages.check(report["assignment"], check["id"], check["title"])
