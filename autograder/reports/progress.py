"""How a batch is coming along: a bar where there is a terminal, plain lines where there is none."""

from __future__ import annotations

import time
from collections import Counter
from types import TracebackType

from rich.console import Console, Group
from rich.live import Live
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from autograder.batch import Result, Row

SHOWN = {
    "full": "full", "partial": "partial", "zero": "zero", "crash": "crashed", "killed": "crashed",
    "memory-limit": "crashed", "timeout": "timed out", "unreadable": "unreadable",
    "unknown-assignment": "unknown", "lost": "lost",
}
INTERVAL = 0.25


class Shown:
    """Use as a context manager; `add` each result."""

    def __init__(self, total: int, console: Console | None = None) -> None:
        self._console = console or Console(stderr=True, highlight=False)
        self._total = total
        self._tally = Tally()
        self._bar = Progress(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
                             TimeElapsedColumn(), TimeRemainingColumn(), console=self._console)
        self._task = self._bar.add_task("grading", total=total)
        self._live: Live | None = None
        self._drawn = 0.0

    def __enter__(self) -> Shown:
        if self._console.is_terminal:
            self._live = Live(self._frame(), console=self._console, auto_refresh=False)
            self._live.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 traceback: TracebackType | None) -> None:
        if self._live is not None:
            self._live.update(self._frame(), refresh=True)
            self._live.stop()
        else:
            self._console.print(Text(self._tally.counts()))

    def add(self, result: Result) -> None:
        """One more is done."""
        self._tally.add(result)
        self._bar.advance(self._task)
        if self._live is None:
            self._console.print(Text(self._line(result.row)), soft_wrap=True)
        elif time.monotonic() - self._drawn > INTERVAL:
            self._drawn = time.monotonic()
            self._live.update(self._frame(), refresh=True)

    def _frame(self) -> Group:
        tally = self._tally
        return Group(self._bar, Text(f"  {tally.counts()}"), Text(f"  {tally.missed()}"))

    def _line(self, row: Row) -> str:
        points = f"{row.score:g}/{row.max_score:g}" if row.graded else "-"
        again = "  (already graded)" if row.reused else ""
        return (f"[{self._tally.total}/{self._total}] {row.name}  {points}  {row.status}"
                f"{'  ' + row.diagnosis if row.diagnosis not in ('', row.status) else ''}{again}")


class Tally:
    """Counts of outcomes, and which checks are missed most."""

    def __init__(self) -> None:
        self.total = 0
        self._outcomes: Counter[str] = Counter()
        self._judged: Counter[str] = Counter()
        self._missed: Counter[str] = Counter()

    def add(self, result: Result) -> None:
        """One more."""
        self.total += 1
        self._outcomes[SHOWN.get(result.row.status, result.row.status)] += 1
        for check in result.report["checks"] if result.report else ():
            self._judged[check["id"]] += 1
            self._missed[check["id"]] += check["status"] == "failed"

    def counts(self) -> str:
        """full 96 · partial 118 · …"""
        order = dict.fromkeys(SHOWN.values())
        return " · ".join(f"{name} {self._outcomes[name]}" for name in order
                          if self._outcomes[name] or name in ("full", "partial", "zero"))

    def missed(self, most: int = 2) -> str:
        """The checks missed most."""
        worst = [(c, n) for c, n in self._missed.most_common(most) if n]
        return "   ".join(f"{c}  {round(100 * n / self._judged[c])} % miss it" for c, n in worst)
