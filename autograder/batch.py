"""Many submissions, one after another, each in its own process."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

from autograder.engine import Graded, UnknownAssignment, grade_file
from autograder.grading import Grading
from autograder.messages import Messages
from autograder.report import Report

SUFFIXES = (".ipynb", ".py", ".zip")
COLUMNS = ("submission", "assignment", "score", "max_score", "status")


def collect(paths: list[Path]) -> list[Path]:
    """The submissions under the paths, sorted; folders are searched, hidden files passed over."""
    found: set[Path] = set()
    for path in paths:
        if not path.is_dir():
            found.add(path)
            continue
        for each in path.rglob("*"):
            parts = each.relative_to(path).parts
            hidden = any(p.startswith((".", "__")) or p == "tests" for p in parts)
            if each.is_file() and each.suffix in SUFFIXES and not hidden:
                found.add(each)
    return sorted(found)


def run(paths: list[Path], out: Path, grading: Grading, messages: Messages, *,
        assignment: str | None) -> Iterator[tuple[str, Graded | None, str]]:
    """Grade each; yields (name, result, status) as they come, and writes OUT."""
    rows = []
    for name, path in _names(collect(paths)).items():
        try:
            graded = grade_file(path, grading, messages, assignment=assignment)
        except UnknownAssignment as error:
            rows.append([name, "", "", "", "unknown-assignment"])
            yield name, None, str(error)
            continue
        report = graded.report
        folder = out / "students" / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "report.json").write_text(
            json.dumps(report.to_plain(), ensure_ascii=False, indent=2), encoding="utf-8")
        rows.append([name, report.assignment, f"{report.score:g}", f"{report.max_score:g}",
                     status(report)])
        yield name, graded, status(report)
    with (out / "grades.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([COLUMNS, *rows])


def status(report: Report) -> str:
    """full, partial, zero, or what kept it from being judged."""
    codes = {d["code"] for d in report.diagnoses}
    for code in ("unreadable", "timeout", "memory-limit", "killed"):
        if code in codes:
            return code
    if report.score >= report.max_score:
        return "full"
    return "partial" if report.score > 0 else "zero"


def _names(paths: list[Path]) -> dict[str, Path]:
    """A name of its own for each: the stem, with folders before it where two agree."""
    names: dict[str, Path] = {}
    for path in paths:
        name, parents = path.stem, list(path.parents)
        while name in names and parents:
            name = f"{parents.pop(0).name}-{name}"
        names[name] = path
    return names
