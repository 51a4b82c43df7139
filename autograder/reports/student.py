"""What goes into a submission's folder for people and platforms, beside report and evidence."""

from __future__ import annotations

import html
import json

from autograder.engine import Graded
from autograder.grading import Grading
from autograder.messages import Messages
from autograder.reports import gradescope

PAGE = "report.html"
RESULTS = "results.json"


def files(graded: Graded, grading: Grading, messages: Messages, *,
          html: bool) -> dict[str, str]:
    """File name → text."""
    results = gradescope.results(graded.report.to_plain(), messages)
    made = {RESULTS: json.dumps(results, ensure_ascii=False, indent=2) + "\n"}
    if html:
        made[PAGE] = _page(graded, grading, messages)
    return made


def _page(graded: Graded, grading: Grading, messages: Messages) -> str:
    """The page; where it cannot be drawn, one that says so: no score is lost for a picture."""
    try:
        from autograder.reports.html import render

        return render(graded, grading, messages)
    except Exception as error:
        said = html.escape(f"{type(error).__name__}: {error}")
        return ("<!DOCTYPE html><html lang=en><meta charset=utf-8><title>no page</title>"
                f"<p>This page could not be drawn ({said}). The result is in report.json.</p>"
                "</html>\n")
