"""A report as one HTML file: no script, no address outside it, the student's text escaped."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup
from rich.cells import cell_len

from autograder.engine import Graded
from autograder.evidence import Path, Recording, Training
from autograder.exercises.registry import EXERCISES
from autograder.grading import Grading
from autograder.messages import Messages
from autograder.reports import curves, step_graph
from autograder.reports.charts import Axes, Series, legend, plot
from autograder.reports.folding import consequences, places
from autograder.reports.terminal import MARKS, address
from autograder.reports.text import shown

LANGUAGE_TAGS = {"en": "en", "zh": "zh-CN"}


def render(graded: Graded, grading: Grading, messages: Messages) -> str:
    """The page of one submission."""
    report = graded.report.to_plain()
    recording = main_recording(graded)
    return environment().get_template("report.html").render(
        report=report, messages=messages, label=messages.label,
        lang=LANGUAGE_TAGS[messages.language], marks={k: v[0] for k, v in MARKS.items()},
        title=f"{report['assignment'] or '?'} · {shown(report['submission'])}",
        checks=[_check(c, report["assignment"], messages) for c in report["checks"]],
        terms=" + ".join(f"{c['score']:g}" for c in report["checks"]),
        found=list(_found(report, messages)),
        figures=[*_figures(graded, grading, messages), *_live(graded, messages)],
        graph=_graph(recording, messages),
        passes=_passes(recording), environment=report["environment"],
        raw=[shown(line) for line in json.dumps(
            [{d["code"]: without_seeds(d["evidence"])} for d in report["diagnoses"]],
            ensure_ascii=False, indent=2).split("\n")],
    )


@cache
def environment() -> Environment:
    """Jinja with everything escaped, and blanks that are not filled an error."""
    env = Environment(loader=PackageLoader("autograder.reports", "templates"), autoescape=True,
                      undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    env.filters["number"] = lambda value: f"{value:g}"
    env.filters["shown"] = shown
    env.globals["quoted"] = shlex.quote
    return env


def without_seeds(value: Any) -> Any:
    """Evidence as it may be shown: the labels of questions may end in a seed."""
    if isinstance(value, Mapping):
        return {k: re.sub(r"-\d+$", "", str(v)) if k == "during" else without_seeds(v)
                for k, v in value.items()}
    return [without_seeds(v) for v in value] if isinstance(value, list) else value


def _check(check: Mapping[str, Any], assignment: str, messages: Messages) -> dict[str, Any]:
    status = messages.label(check["status"])
    if check["status"] == "not-judged":
        status = messages.label("needs", check=check["needs"])
    return {**check, "title": messages.check(assignment, check["id"], check["title"]),
            "said": status}


def _found(report: Mapping[str, Any], messages: Messages) -> Iterator[dict[str, Any]]:
    folded = consequences(report)
    for diagnosis in report["diagnoses"]:
        code = diagnosis["code"]
        yield {
            **diagnosis, "title": messages.title(code),
            "frame": code_frame(diagnosis, report["submission"], messages),
            "seen": messages.seen(code, without_seeds(diagnosis["evidence"])),
            "after": folded.pop(code, ()), "page": explained(code, messages),
        }


def code_frame(diagnosis: Mapping[str, Any], name: str, messages: Messages) -> Markup:
    """The lines to blame, underlined, each under its own cell's address; '' without a line."""
    found = places(diagnosis)
    if not found:
        return Markup("")
    gutter = max(len(str(where["line"])) for _, where in found)
    home, rows = found[0][1].get("cell"), []
    for number, (note, where) in enumerate(found):
        if number == 0 or where.get("cell") != home:
            rows.append(Markup('<span class="file">{} {}</span>').format(
                "-->" if number == 0 else ":::",
                address(shown(name), diagnosis["where"] if number == 0 else where, messages)))
        text = shown(where["text"])
        indent = len(text) - len(text.lstrip())
        rows.append(Markup('<span class="no">{} |</span> {}').format(
            str(where["line"]).rjust(gutter), text))
        under = ("-" if note else "^") * max(cell_len(text.lstrip()), 1)
        rows.append(Markup('<span class="no">{} |</span> {}<span class="{}">{} {}</span>').format(
            " " * gutter, " " * indent, "there" if note else "here", under, note))
    label = Markup('<pre class="frame" tabindex="0"><code>{}</code></pre>')
    return label.format(Markup("\n").join(rows))


def explained(code: str, messages: Messages) -> Markup:
    """The page of a code as HTML, without its title, headings from level 4 down."""
    _, _, body = messages.page(code).partition("\n")
    rendered = str(MarkdownIt("commonmark", {"html": False}).render(body))
    rendered = rendered.replace("<h2>", "<h4>").replace("</h2>", "</h4>")
    return Markup(re.sub(r'<pre><code[^>]*>', '<pre tabindex="0"><code>', rendered))


def _figures(graded: Graded, grading: Grading,
             messages: Messages) -> Sequence[curves.Figure]:
    if graded.submission is None or graded.evidence is None:
        return []
    exercise = EXERCISES[graded.report.assignment]
    case = exercise.examine(graded.submission, graded.evidence,
                            grading.settings(exercise.name), graded.seed)
    return list(curves.figures(case, messages))


def recordings(graded: Graded) -> list[Recording]:
    """All recordings that saw a backward pass."""
    answers = [e.answer for e in graded.evidence.exchanges] if graded.evidence else []
    return [a.recording for a in answers
            if isinstance(a, (Training, Path)) and a.recording and a.recording.passes]


def main_recording(graded: Graded) -> Recording | None:
    """The recording to draw: the first with a fault of reuse, else the first that saw a pass."""
    seen = recordings(graded)
    faulty = [r for r in seen if any(p.rerun or p.torn for p in r.passes)]
    return next(iter(faulty or seen), None)


def _live(graded: Graded, messages: Messages) -> Iterator[dict[str, Any]]:
    """Live nodes by step: for a walk as counted after each step, else at each backward pass."""
    answers = [e.answer for e in graded.evidence.exchanges] if graded.evidence else []
    walks = [a.live for a in answers if isinstance(a, Path) and a.live]
    longest = max(recordings(graded), key=lambda r: len(r.passes), default=Recording())
    live = walks[0] if walks else [p.live for p in longest.passes]
    if len(live) < 2:
        return
    line = Series(messages.label("live"), [(i + 1.0, float(n)) for i, n in enumerate(live)],
                  "one", "circle")
    title, note = messages.label("live-title"), messages.label("live-note")
    head = messages.label("step"), messages.label("live")
    yield {"key": "live", "title": title, "note": note, "legend": legend([line]), "head": head,
           "svg": plot("live", title, note, Axes(*head, counts=True), [line]),
           "rows": [(i + 1, n) for i, n in enumerate(live)][:40]}


def _graph(recording: Recording | None, messages: Messages) -> dict[str, Any] | None:
    if recording is None or not recording.graph:
        return None
    nodes = recording.graph
    old = sum(not n.fresh for n in nodes)
    desc = messages.label("graph-desc", count=len(nodes), old=old)
    return {
        "desc": desc, "old": old,
        "svg": step_graph.draw("graph", messages.label("graph-title"), desc, nodes, messages),
        "rows": [(n.operator, step_graph.address(n.spot, messages),
                  messages.label("new" if n.fresh else "old")) for n in nodes[:60]],
    }


def _passes(recording: Recording | None) -> list[tuple[Any, ...]]:
    passes = recording.passes[:40] if recording else []
    return [(p.index, p.kind, p.executed, sum(n.count for n in p.torn or p.rerun), p.live)
            for p in passes]
