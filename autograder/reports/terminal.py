"""A report in a terminal: checks with points, then each diagnosis as a code frame."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.text import Text

from autograder.report import Report

MARKS = {"passed": ("✓", "green"), "failed": ("✗", "red"), "not-judged": ("–", "yellow")}
WIDTH = 88


def show(report: Report, console: Console | None = None) -> None:
    """Print a report."""
    console = console or _console()
    for line in lines(report.to_plain(), min(console.width, WIDTH)):
        console.print(line)


def show_trace(trace: dict[str, Any], console: Console | None = None) -> None:
    """Print a trace."""
    console = console or _console()
    steps = f"{trace['steps']} steps seen" + (" (stopped there)" if trace["stopped"] else "")
    console.print(Text(f"{trace['submission']} · {steps}\n"))
    for diagnosis in trace["diagnoses"]:
        for line in frame(diagnosis, trace["submission"]):
            console.print(line)
    if not trace["diagnoses"]:
        console.print(Text("no fault found: no graph is reused, grows or leaks", style="green"))


def lines(report: dict[str, Any], room: int = WIDTH) -> Iterator[Text]:
    """The report, line by line."""
    yield Text(f"{report['submission']} · {report['assignment']} · "
               f"{_number(report['max_score'])} points\n")
    width = max((len(c["id"]) for c in report["checks"]), default=0)
    for check in report["checks"]:
        yield _row(check, width, room)
    yield Text()
    for diagnosis in report["diagnoses"]:
        yield from frame(diagnosis, report["submission"])
    total = f"{_number(report['score'])} / {_number(report['max_score'])}"
    first = report["diagnoses"][0]["code"] if report["diagnoses"] else None
    yield Text(total + (f" · first thing to mend: {first}" if first else ""), style="bold")


def _row(check: dict[str, Any], width: int, whole: int) -> Text:
    mark, style = MARKS[check["status"]]
    title = check["title"]
    if check["status"] == "not-judged":
        title = f"not judged: needs {check['needs']}"
    points = f"{_number(check['score'])} / {_number(check['max_score'])}"
    room = whole - width - 6 - len(points) - 2
    if len(title) > room:
        title = title[:room - 1] + "…"
    text = Text("  ")
    text.append(mark, style=style)
    return text.append(f" {check['id']:<{width}}  {title:<{room}}  {points}")


def frame(diagnosis: dict[str, Any], name: str) -> Iterator[Text]:
    """One diagnosis as a code frame."""
    head = Text()
    head.append(f"error[{diagnosis['code']}]", style="bold red")
    yield head.append(f": {diagnosis['message']}", style="bold")
    places = [("", diagnosis["where"])] if diagnosis["where"] else []
    places += [(r["note"], r["where"]) for r in diagnosis.get("related", [])]
    if places:
        yield Text(f"  --> {address(name, places[0][1])}", style="blue")
        gutter = max(len(str(w["line"])) for _, w in places) + 1
        for note, where in sorted(places, key=lambda p: (p[1].get("cell", 0), p[1]["line"])):
            text = where["text"]
            bare = text.lstrip()
            yield Text(f"{where['line']:>{gutter}} │ {text}")
            under = " " * (len(text) - len(bare)) + ("^" if not note else "─") * max(len(bare), 1)
            yield Text(" " * gutter + f" │ {under} {note}".rstrip(),
                       style="red" if not note else "cyan")
    for label, key in (("why", "why"), ("ask", "ask")):
        if diagnosis.get(key):
            yield Text(f"   = {label}: {diagnosis[key]}")
    yield Text()


def address(name: str, where: dict[str, Any]) -> str:
    """file:cell 2:6, as ruff prints it."""
    cell = f"cell {where['cell']}:" if "cell" in where else ""
    return f"{name}:{cell}{where['line']}"


def _number(value: float) -> str:
    return f"{value:g}"


def _console() -> Console:
    return Console(highlight=False, width=None)
