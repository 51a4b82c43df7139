"""The files about a batch as a whole, written when it is over."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from autograder.batch import Row
from autograder.handins import Doubt
from autograder.messages import Messages
from autograder.reports import canvas, csv_
from autograder.reports.junit import Suite, junit
from autograder.reports.student import PAGE
from autograder.similarity import groups
from autograder.store import Store, as_json, write

INDEX, JUNIT, CANVAS = "index.html", "junit.xml", "canvas.csv"


@dataclass(frozen=True)
class Batch:
    """A finished batch: its rows, what is doubtful, and what goes into run.json."""

    rows: list[Row]
    doubts: list[Doubt]
    run: dict[str, Any]


def publish(store: Store, batch: Batch, messages: Messages, *, html: bool) -> None:
    """Write grades.csv, needs-review.csv, junit.xml, run.json and the page of the class."""
    out = store.out
    before = last_run(store)
    write(out / "grades.csv", csv_.grades(batch.rows), bom=True)
    write(out / "needs-review.csv", csv_.needs_review(batch.doubts), bom=True)
    write(out / JUNIT, junit(_suites(store, batch.rows)))
    write(out / "run.json", as_json(batch.run))
    if html:
        write(out / INDEX, _index(store, batch, messages, before))
    else:
        (out / INDEX).unlink(missing_ok=True)


def last_run(store: Store) -> dict[str, Any] | None:
    """run.json as it is; None where there is no whole one."""
    try:
        plain: dict[str, Any] = json.loads((store.out / "run.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return plain


def reviewed(store: Store) -> list[Doubt]:
    """needs-review.csv as it is."""
    try:
        text = (store.out / "needs-review.csv").read_text(encoding="utf-8-sig")
    except (OSError, ValueError):
        return []
    return [Doubt(*line) for line in list(csv.reader(text.splitlines()))[1:] if len(line) == 2]


def into_canvas(store: Store, book: canvas.Gradebook, rows: list[Row]) -> canvas.Filled:
    """Write canvas.csv.

    Raises:
        BadGradebook: where the rows are of several assignments, for one column.
    """
    assignments = sorted({r.assignment for r in rows if r.graded})
    if len(assignments) > 1:
        raise canvas.BadGradebook(
            f"one column cannot hold {' and '.join(assignments)}: grade them one by one")
    filled = canvas.fill(book, rows)
    write(store.out / CANVAS, filled.text, bom=True)
    return filled


def _report(store: Store, row: Row) -> dict[str, Any] | None:
    try:
        return store.report(row.name) if row.graded else None
    except (OSError, ValueError):
        return None


def _suites(store: Store, rows: Iterable[Row]) -> Iterator[Suite]:
    for row in sorted(rows, key=lambda r: r.name):
        yield row.name, row.status, _report(store, row)


def _index(store: Store, batch: Batch, messages: Messages, before: dict[str, Any] | None) -> str:
    from autograder.reports.class_page import render

    rows = [_line(store, row) for row in batch.rows]
    submissions = {r.name: s for r in batch.rows if r.graded and (s := store.submission(r.name))}
    return render(rows, messages, before=before, alike=groups(submissions),
                  doubts=[(d.where, d.why) for d in batch.doubts])


def _line(store: Store, row: Row) -> dict[str, Any]:
    """As the page of the class has it: of the report only what that shows."""
    report = _report(store, row)
    if report is not None:
        report = {k: report[k] for k in ("assignment", "score", "max_score", "checks")} | {
            "diagnoses": [{"code": d["code"], "where": d["where"]} for d in report["diagnoses"]]}
    line = {"name": row.name, "status": row.status, "report": report,
            "student": row.student.name, "file": row.where}
    return line if (store.folder(row.name) / PAGE).exists() else line | {"page": ""}
