"""A batch as a table: one line a submission."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from autograder.batch import Result
from autograder.reports.terminal import address


class Table:
    """Collects results and prints them, sorted by name."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(highlight=False)
        self._rows: dict[str, tuple[str, ...]] = {}

    def add(self, result: Result) -> None:
        """One submission."""
        row, report = result.row, result.report
        if report is None:
            self._rows[row.name] = (row.name, "?", "", "", result.doubt)
            return
        lost = [f"{c['id']} {c['score'] - c['max_score']:g}" for c in report["checks"]
                if c["score"] < c["max_score"]]
        told = [d["code"] + (f" ({address('', d['where']).lstrip(':')})" if d["where"] else "")
                for d in report["diagnoses"]]
        self._rows[row.name] = (row.name, row.assignment, f"{row.score:g} / {row.max_score:g}",
                                "\n".join(lost), "\n".join(told))

    def show(self) -> None:
        """Print it."""
        table = RichTable("submission", "assignment", "points", "lost", "diagnoses")
        for column in table.columns:
            column.overflow = "fold"  # whole names, over two lines if need be
        for _, cells in sorted(self._rows.items()):
            # As Text: a name such as [red] is not markup.
            table.add_row(*(Text(cell) for cell in cells))
        self._console.print(table)
