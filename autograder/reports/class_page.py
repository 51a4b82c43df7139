"""The page of a whole class: out/index.html. Reads without a script; sorts and filters with one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from autograder.messages import Messages
from autograder.reports.html import LANGUAGE_TAGS, environment
from autograder.reports.terminal import MARKS, address
from autograder.reports.text import shown
from autograder.similarity import Group

BAR, GAP, TALL = 26, 6, 120


def render(rows: Sequence[Mapping[str, Any]], messages: Messages, *,
           before: Mapping[str, Any] | None = None,
           doubts: Iterable[tuple[str, str]] = (), alike: Iterable[Group] = ()) -> str:
    """The page.

    Args:
        rows: one a submission, with `name`, `status` and `report` (a report dict, or None); also
            `student` and `file` where they are known, and `page` and `log`, addresses relative to
            the page (the page of a report is `students/<name>/report.html` where none is given).
        before: run.json of the last run, for what changed.
        doubts: (file, why) of what a person must look at.
        alike: groups of the same text, from `similarity.groups`.
    """
    old = {e["name"]: e for e in (before or {}).get("submissions", [])}
    told = [_row(row, old, bool(before)) for row in sorted(rows, key=lambda r: str(r["name"]))]
    assignments = sorted({r["assignment"] for r in told if r["assignment"]})
    return environment().get_template("class.html").render(
        messages=messages, label=messages.label, lang=LANGUAGE_TAGS[messages.language],
        rows=told, statuses=sorted({r["status"] for r in told}),
        sections=[_section(name, rows, messages) for name in assignments],
        counts=Counter(r["status"] for r in told).most_common(),
        changed=[r for r in told if r["change"]], compared=before is not None,
        doubts=[(shown(where), shown(why)) for where, why in doubts], alike=list(alike),
        links={r["name"]: r["page"] for r in told},
    )


def _row(row: Mapping[str, Any], old: Mapping[str, Mapping[str, Any]],
         compared: bool) -> dict[str, Any]:
    report, name = row.get("report"), str(row["name"])
    checks = report["checks"] if report else ()
    now = (report["score"], report["max_score"]) if report else (0.0, 0.0)
    codes = [(d["code"], address("", d["where"]).lstrip(":") if d["where"] else "")
             for d in (report["diagnoses"] if report else ())]
    page = row.get("page", f"students/{quote(name)}/report.html" if report else "")
    return {
        "name": name, "student": row.get("student") or "", "status": str(row["status"]),
        "assignment": report["assignment"] if report else "", "score": now[0], "of": now[1],
        "share": now[0] / now[1] if now[1] else -1.0, "page": page, "log": row.get("log", ""),
        "missed": [(MARKS[c["status"]][0], c["id"]) for c in checks if c["status"] != "passed"],
        "codes": codes, "file": row.get("file") or "",
        "change": _change(old.get(name), row, now[0]) if compared else "",
    }


def _change(old: Mapping[str, Any] | None, row: Mapping[str, Any], score: float) -> str:
    """new, or what it was and what it is."""
    if old is None:
        return "new"
    if old["score"] != score:
        return f"{old['score']:g} → {score:g}"
    return "" if old["status"] == row["status"] else f"{old['status']} → {row['status']}"


def _section(assignment: str, rows: Sequence[Mapping[str, Any]],
             messages: Messages) -> dict[str, Any]:
    """Histogram and failure rates of one assignment."""
    reports = [r["report"] for r in rows if r.get("report")]
    reports = [r for r in reports if r["assignment"] == assignment]
    titles = {c["id"]: messages.check(assignment, c["id"], c["title"])
              for r in reports for c in r["checks"]}
    failed: Counter[str] = Counter()
    unjudged: Counter[str] = Counter()
    for report in reports:
        failed.update(c["id"] for c in report["checks"] if c["status"] == "failed")
        unjudged.update(c["id"] for c in report["checks"] if c["status"] == "not-judged")
    codes = Counter(  # each once a report, in the report's order: a set's differs between runs
        code for r in reports for code in dict.fromkeys(d["code"] for d in r["diagnoses"]))
    scores = sorted(r["score"] for r in reports)
    return {
        "name": assignment, "count": len(reports), "of": max(r["max_score"] for r in reports),
        "mean": sum(scores) / len(scores), "median": _median(scores),
        "checks": [(c, titles[c], failed[c], unjudged[c], len(reports)) for c in titles],
        "codes": [(c, messages.title(c) if c in messages.codes else "", n, len(reports))
                  for c, n in codes.most_common()],
        "bins": bins(scores, max(r["max_score"] for r in reports)),
        "histogram": _histogram(assignment, scores, max(r["max_score"] for r in reports),
                                messages),
    }


def bins(scores: Sequence[float], most: float) -> list[tuple[str, int]]:
    """(points, how many): one bin a point where there are twenty at most, else ten or eleven."""
    size = 1 if most <= 20 else -(-most // 10)
    count = Counter(int(min(score, most) // size) for score in scores)
    last = int(most // size)
    return [(f"{i * size:g}" if size == 1 else f"{i * size:g}–{min((i + 1) * size - 1, most):g}",
             count[i]) for i in range(last + 1)]


def _median(scores: Sequence[float]) -> float:
    middle = len(scores) // 2
    return scores[middle] if len(scores) % 2 else (scores[middle - 1] + scores[middle]) / 2


def _histogram(key: str, scores: Sequence[float], most: float, messages: Messages) -> Markup:
    found = bins(scores, most)
    highest = max(n for _, n in found) or 1
    parts = []
    for i, (label, n) in enumerate(found):
        left, tall = 10 + i * (BAR + GAP), n / highest * TALL
        parts.append(Markup(
            '<rect class="bar" x="{}" y="{:.1f}" width="{}" height="{:.1f}"/>'
            '<text class="tick" x="{}" y="{}" text-anchor="middle">{}</text>'
            '<text class="count" x="{}" y="{:.1f}" text-anchor="middle">{}</text>'
        ).format(left, 20 + TALL - tall, BAR, tall, left + BAR / 2, TALL + 38, label,
                 left + BAR / 2, 15 + TALL - tall, n or ""))
    title = messages.label("histogram-title", assignment=key)
    desc = messages.label("histogram-desc", count=len(scores),
                          mean=f"{sum(scores) / len(scores):.1f}", of=f"{most:g}")
    return Markup(
        '<svg class="plot" viewBox="0 0 {} {}" role="img" aria-labelledby="h-{}-t h-{}-d">'
        '<title id="h-{}-t">{}</title><desc id="h-{}-d">{}</desc>{}</svg>'
    ).format(20 + len(found) * (BAR + GAP), TALL + 46, key, key, key, title, key, desc,
             Markup("").join(parts))
