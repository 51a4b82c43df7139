"""A report in a terminal: checks with points, then each diagnosis as a code frame."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from autograder.messages import Messages
from autograder.report import Report
from autograder.reports.folding import consequences, places
from autograder.reports.text import cut, padded, shown, wrapped

MARKS = {"passed": ("✓", "green"), "failed": ("✗", "red"), "not-judged": ("–", "yellow")}
WIDTH = 88
NARROWEST = 40


def show(report: Report, console: Console | None = None, messages: Messages | None = None, *,
         seconds: float | None = None, page: Path | None = None) -> None:
    """Print a report; `seconds` it took, and the `page` that tells it in full."""
    console = console or Console(highlight=False)
    _print(console, lines(report.to_plain(), _room(console), messages, seconds=seconds, page=page))


def show_trace(trace: dict[str, Any], console: Console | None = None,
               messages: Messages | None = None) -> None:
    """Print a trace."""
    console, messages = console or Console(highlight=False), messages or Messages()
    _print(console, trace_lines(trace, _room(console), messages))


def _print(console: Console, texts: Iterator[Text]) -> None:
    for text in texts:
        console.print(text, soft_wrap=True)


def _room(console: Console) -> int:
    return max(min(console.width, WIDTH), NARROWEST)


def lines(report: Mapping[str, Any], room: int = WIDTH, messages: Messages | None = None, *,
          seconds: float | None = None, page: Path | None = None) -> Iterator[Text]:
    """The report, line by line."""
    messages = messages or Messages()
    points = messages.label("points", points=_number(report["max_score"]))
    took = [f"{seconds:.1f} s"] if seconds is not None else []
    name = shown(report["submission"])
    yield from _flowing(" · ".join([name, report["assignment"], points, *took]), room)
    yield Text()
    width = max((len(c["id"]) for c in report["checks"]), default=0)
    for check in report["checks"]:
        yield from _row(check, report["assignment"], width, room, messages)
    yield Text()
    folded = consequences(report)
    for diagnosis in report["diagnoses"]:
        after = folded.get(diagnosis["code"], ()) if diagnosis.get("code") else ()
        yield from frame(diagnosis, name, room, messages, after)
    yield from _closing(report, room, messages, page)


def trace_lines(trace: Mapping[str, Any], room: int, messages: Messages) -> Iterator[Text]:
    """A trace, line by line."""
    steps = messages.label("steps-seen", steps=trace["steps"])
    stopped = f" ({messages.label('stopped')})" if trace["stopped"] else ""
    name = shown(trace["submission"])
    yield from _flowing(f"{name} · {steps}{stopped}", room)
    yield Text()
    for diagnosis in trace["diagnoses"]:
        yield from frame(diagnosis, name, room, messages)
    if not trace["diagnoses"]:
        yield from _flowing(messages.label("no-fault"), room, style="green")


def _row(check: Mapping[str, Any], assignment: str, width: int, room: int,
         messages: Messages) -> Iterator[Text]:
    mark, style = MARKS[check["status"]]
    title = messages.check(assignment, check["id"], check["title"])
    if check["status"] == "not-judged":
        title = messages.label("needs", check=check["needs"])
    points = f"{_number(check['score'])} / {_number(check['max_score'])}"
    left = room - width - 6 - cell_len(points) - 2
    first, *more = wrapped(title, left)
    text = Text("  ")
    text.append(mark, style=style)
    yield text.append(f" {check['id']:<{width}}  {padded(first, left)}  {points}")
    for line in more:
        yield Text(" " * (width + 6) + line)


def _closing(report: Mapping[str, Any], room: int, messages: Messages,
             page: Path | None) -> Iterator[Text]:
    told = [f"{_number(report['score'])} / {_number(report['max_score'])}"]
    if report["diagnoses"]:
        told.append(messages.label("first", code=report["diagnoses"][0]["code"]))
    elif report["score"] >= report["max_score"] > 0:
        told.append(messages.label("all-right"))
    if page is not None:
        told.append(messages.label("full-report", path=shown(str(page))))
    yield from _flowing(" · ".join(told), room, style="bold")


def frame(diagnosis: Mapping[str, Any], name: str, room: int = WIDTH,
          messages: Messages | None = None, after: tuple[str, ...] = ()) -> Iterator[Text]:
    """One diagnosis as a code frame; `after` names the checks that it keeps from being judged."""
    messages = messages or Messages()
    head = f"{messages.label('error')}[{diagnosis['code']}]"
    colon = "：" if messages.language == "zh" else ": "
    for number, line in enumerate(wrapped(f"{head}{colon}{shown(diagnosis['message'])}", room)):
        text = Text(line, style="bold")
        if number == 0:
            text.stylize("bold red", 0, len(head))
        yield text
    yield from _code(diagnosis, name, room, messages)
    yield from _notes(diagnosis, room, messages, after)
    yield Text()


def _code(diagnosis: Mapping[str, Any], name: str, room: int,
          messages: Messages) -> Iterator[Text]:
    """The lines to blame: the first place, then the others, each under its own cell's address."""
    found = places(diagnosis)
    if not found:
        return
    gutter = max(len(str(where["line"])) for _, where in found) + 2
    home = diagnosis["where"].get("cell")
    name = cut(name, room - 6 - cell_len(address("", diagnosis["where"], messages)))
    before: int | None = None
    yield Text(f"  --> {address(name, diagnosis['where'], messages)}", style="blue")
    for note, where in found:
        if where.get("cell") != home:
            yield Text(f"  ::: {address(name, where, messages)}", style="blue")
        elif before is not None and where["line"] > before + 1:
            yield Text(" " * (gutter + 1) + "⋮", style="blue")
        before = where["line"]
        yield from _span(note, where, gutter, room)


def _span(note: str, where: Mapping[str, Any], gutter: int, room: int) -> Iterator[Text]:
    """A line of code, and what it is underlined with."""
    code = cut(shown(where["text"]), room - gutter - 3)
    bare = code.lstrip()
    indent = " " * (len(code) - len(bare))
    style = "cyan" if note else "red"
    number = Text(f"{where['line']:>{gutter}} │ ", style="blue")
    yield number.append(code, style="default")
    under = ("─" if note else "^") * max(cell_len(bare), 1)
    edge = Text(" " * gutter + " │ ", style="blue")
    line = f"{indent}{under} {note}".rstrip()
    if gutter + 3 + cell_len(line) <= room:
        yield edge.append(line, style=style)
        return
    yield edge.copy().append(indent + under, style=style)
    for part in wrapped(note, room - gutter - 3 - len(indent)):
        yield edge.copy().append(indent + part, style=style)


def _notes(diagnosis: Mapping[str, Any], room: int, messages: Messages,
           after: tuple[str, ...]) -> Iterator[Text]:
    code = diagnosis["code"]
    told = [("seen", messages.seen(code, diagnosis.get("evidence", {}))),
            ("why", diagnosis.get("why", "")), ("ask", diagnosis.get("ask", ""))]
    if messages.hints != "where":
        told.append(("learn", messages.label("explain", code=code)))
    colon = "：" if messages.language == "zh" else ": "
    width = max(cell_len(messages.label(key)) for key, _ in told) + cell_len(colon)
    for key, words in told:
        if words:
            head = "   = " + padded(messages.label(key) + colon, width)
            first, *more = wrapped(shown(words), room - cell_len(head))
            yield Text(head, style="cyan").append(first, style="default")
            for line in more:
                yield Text(" " * cell_len(head) + line)
    if after:
        yield from _flowing(messages.label("therefore", checks=", ".join(after)), room, "   = ")


def _flowing(text: str, room: int, head: str = "", style: str = "") -> Iterator[Text]:
    first, *more = wrapped(text, room - cell_len(head))
    yield Text(head + first, style=style)
    for line in more:
        yield Text(" " * cell_len(head) + line, style=style)


def address(name: str, where: Mapping[str, Any], messages: Messages | None = None) -> str:
    """file:cell 2:6, as ruff prints it."""
    word = messages.label("cell") if messages else "cell"
    cell = f"{word} {where['cell']}:" if "cell" in where else ""
    return f"{name}:{cell}{where['line']}"


def _number(value: float) -> str:
    return f"{value:g}"
