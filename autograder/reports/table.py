"""A batch as a table: one line a submission, as they come."""

from __future__ import annotations

from types import TracebackType

from rich.console import Console
from rich.table import Table as RichTable

from autograder.engine import Graded
from autograder.reports.terminal import address


class Table:
    """Collects rows and prints the table when it is left."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(highlight=False)
        self._table = RichTable("submission", "assignment", "points", "lost", "diagnoses")

    def __enter__(self) -> Table:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 traceback: TracebackType | None) -> None:
        self._console.print(self._table)

    def add(self, name: str, graded: Graded | None, status: str) -> None:
        """One submission."""
        if graded is None:
            self._table.add_row(name, "?", "", "", status)
            return
        report = graded.report
        lost = [f"{c['id']} {c['score'] - c['max_score']:g}" for c in report.checks
                if c["score"] < c["max_score"]]
        told = [d["code"] + (f" ({address('', d['where']).lstrip(':')})" if d["where"] else "")
                for d in report.diagnoses]
        self._table.add_row(name, report.assignment, f"{report.score:g} / {report.max_score:g}",
                            "\n".join(lost), "\n".join(told))
