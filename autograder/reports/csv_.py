"""grades.csv and needs-review.csv: for spreadsheets, whose formulas a name must not become."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from autograder.batch import Row
from autograder.handins import Doubt

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_BEFORE = ("submission", "student", "id", "email", "assignment", "status")
_AFTER = ("raw", "penalty", "final", "max_score", "profile", "diagnosis", "file",
          "handed_in")


def grades(rows: Iterable[Row]) -> str:
    """One line a submission, one column a check: empty where its assignment has no such check."""
    rows = sorted(rows, key=lambda r: r.name)
    checks = list(dict.fromkeys(check for row in rows for check in row.checks))
    lines: list[list[object]] = [[*_BEFORE, *checks, *_AFTER]]
    for r in rows:
        points = [number(r.score), number(r.penalty), number(r.final), number(r.max_score)]
        lines.append([
            r.name, r.student.name, r.student.id, r.student.email, r.assignment, r.status,
            *(number(r.checks[c]) if c in r.checks else "" for c in checks),
            *(points if r.graded else [""] * 4), r.profile, r.diagnosis, r.where,
            r.arrival.time.isoformat(" ") if r.arrival.time else "late" if r.arrival.late else ""])
    return table(lines)


def needs_review(doubts: Iterable[Doubt]) -> str:
    """What a person must look at."""
    return table([["file", "why"], *([d.where, d.why] for d in doubts)])


def table(lines: Iterable[Sequence[object]]) -> str:
    """CSV in which no cell is a formula."""
    file = io.StringIO()
    csv.writer(file).writerows([safe(cell) for cell in line] for line in lines)
    return file.getvalue()


def safe(cell: object) -> object:
    """Text as it is, with an apostrophe before what a spreadsheet would take for a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell


def number(value: float) -> float | int:
    """A whole number without its .0."""
    return int(value) if value == int(value) else round(value, 4)
