"""A report in a notebook: HTML that stands in a cell's output, in light and in dark themes."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from typing import Any

from autograder.messages import Messages
from autograder.reports import terminal

MARKS = {"passed": ("✓", "#1a7f37", "passed"), "failed": ("✗", "#d1242f", "not passed"),
         "not-judged": ("–", "#9a6700", "not judged")}
# JupyterLab aligns a table's cells to the right and stripes its rows.
CELL = "text-align:left;padding:.15em 1em .15em 0;border:none;background:none"


def render(report: Mapping[str, Any], later: str, messages: Messages) -> str:
    """The report; every text in it is escaped."""
    return "".join(_parts(report, later, messages))


def _parts(report: Mapping[str, Any], later: str, messages: Messages) -> Iterator[str]:
    score = f"{report['score']:g} / {report['max_score']:g}"
    full = report["score"] >= report["max_score"] > 0
    codes = [d["code"] for d in report["diagnoses"]]
    told = messages.label("all-right") if full else messages.label("first", code=codes[0]) \
        if codes else ""
    yield f"<div><p><strong>{_text(report['assignment'])}: {score}</strong> {_text(told)}</p>"
    yield "<table style='border-collapse:collapse'><tbody>"
    for check in report["checks"]:
        yield _row(check, report["assignment"], messages)
    yield "</tbody></table>"
    if later:
        yield f"<p>{_text(later)}</p>"
    for diagnosis in report["diagnoses"]:
        lines = terminal.frame(diagnosis, report["submission"], messages=messages)
        text = "\n".join(line.plain for line in lines).strip()
        yield ("<pre style='border-left:3px solid #d1242f;padding:.3em .8em;margin:.8em 0;"
               f"line-height:1.3;overflow-x:auto'>{_text(text)}</pre>")
    yield "</div>"


def _row(check: Mapping[str, Any], assignment: str, messages: Messages) -> str:
    mark, colour, word = MARKS[check["status"]]
    title = messages.check(assignment, check["id"], check["title"])
    if check["status"] == "not-judged":
        title = messages.label("needs", check=check["needs"])
    points = f"{check['score']:g} / {check['max_score']:g}"
    return (
        f"<tr style='background:none'><td style='{CELL};color:{colour};font-weight:bold'"
        f" title='{word}' aria-label='{word}'>{mark}</td>"
        f"<td style='{CELL}'><code>{_text(check['id'])}</code></td>"
        f"<td style='{CELL}'>{_text(title)}</td><td style='{CELL}'>{points}</td></tr>"
    )


def _text(text: object) -> str:
    return html.escape(str(text), quote=True)
