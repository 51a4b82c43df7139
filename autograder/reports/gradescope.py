"""A report as Gradescope's results.json: a row a check, the whole report above the rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autograder.messages import Messages
from autograder.otter.sheet import words
from autograder.reports import terminal


def results(report: Mapping[str, Any], messages: Messages) -> dict[str, Any]:
    """The object to write.

    Every row is visible: where one is hidden, Gradescope shows students no total.
    """
    lines = terminal.lines(report, messages=messages)
    return {
        "score": report["score"],
        "output": "\n".join(line.plain.rstrip() for line in lines),
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [
            {"number": str(number), "name": _name(report, check, messages),
             "score": check["score"], "max_score": check["max_score"],
             "status": "passed" if check["status"] == "passed" else "failed",
             "output": words(report, check, messages), "output_format": "text",
             "visibility": "visible"}
            for number, check in enumerate(report["checks"], 1)
        ],
        "extra_data": {"assignment": report["assignment"], "max_score": report["max_score"],
                       "diagnoses": [d["code"] for d in report["diagnoses"]]},
    }


def _name(report: Mapping[str, Any], check: Mapping[str, Any], messages: Messages) -> str:
    title = messages.check(report["assignment"], check["id"], check["title"])
    return f"{check['id']}: {title}"
