"""Checks inside a notebook: `check("linear")`, and what otter's `grader.check` calls."""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from autograder.examination import examine
from autograder.exercises.registry import EXERCISES, infer
from autograder.grading import Grading, load
from autograder.judge import judge
from autograder.live import Live, State, of_globals, of_shell
from autograder.messages import Messages
from autograder.otter import master, sheet
from autograder.report import Report
from autograder.reports import notebook as page
from autograder.reports import terminal


class NotYet(AssertionError):
    """A check that is not passed."""


class NotJudged(NotYet):
    """A check that waits for another one."""


@dataclass(frozen=True)
class Shown:
    """A report as a notebook shows it; `later` announces what is judged after handing in."""

    report: dict[str, Any]
    later: str
    messages: Messages

    def __repr__(self) -> str:
        lines = [line.plain for line in terminal.lines(self.report, messages=self.messages)]
        return "\n".join([*lines, self.later]).rstrip()

    def _repr_html_(self) -> str:
        return page.render(self.report, self.later, self.messages)


def check(assignment: str | None = None) -> Shown:
    """Check the notebook, or the script, that this is called from.

    Args:
        assignment: its name; where it is left out, it is inferred from what is defined.
    """
    shell = _shell()
    state = of_shell(shell) if shell else of_globals(sys._getframe(1).f_globals)
    name = _known(assignment, state)
    grading, messages = _course()
    later = set(master.later(name, grading))
    report = _judged(name, state).to_plain()
    shown = Shown(_without(report, later), master.announcement(name, grading), messages)
    if shell is None:
        print(shown)
    return shown


def expect(env: dict[str, Any], assignment: str, check: str, title: str) -> None:
    """Raise where a check is not passed, saying why; otter's tests consist of this call.

    `title` is for the student, to whom otter shows the line that calls this.
    """
    shell = _shell()
    state = of_shell(shell) if shell and env.keys() >= {"In", "Out"} else of_globals(env)
    report = _judged(assignment, state).to_plain()
    row = next(row for row in report["checks"] if row["id"] == check)
    if row["status"] == "passed":
        return
    kind = NotJudged if row["status"] == "not-judged" else NotYet
    raise kind(inert(sheet.words(report, row, _course()[1])))


def points(assignment: str, check: str) -> float:
    """The points of one check; where some are missing, why is printed. For nbgrader's tests."""
    shell = _shell()
    state = of_shell(shell) if shell else of_globals(sys._getframe(1).f_globals)
    report = _judged(_known(assignment, state), state).to_plain()
    row = next(row for row in report["checks"] if row["id"] == check)
    if row["status"] != "passed":
        print(sheet.words(report, row, _course()[1]))
    return float(row["score"])


def inert(text: str) -> str:
    """Text that is itself in HTML and in a terminal: otter shows the same string in both.

    Nothing is markup after a word joiner, which has no width.
    """
    return text.replace("<", "<\u2060").replace("&", "&\u2060")


@lru_cache(maxsize=1)
def _judged(assignment: str, state: State) -> Report:
    """The report on a state: all its questions are put once, however many checks ask for it."""
    grading, messages = _course()
    exercise = EXERCISES[assignment]
    with Live(state) as witness:
        evidence = examine(witness, exercise, grading.settings(assignment), grading.limits,
                           grading.seed)
    return judge(exercise, state.submission, evidence, grading, messages)


@lru_cache(maxsize=1)
def _course() -> tuple[Grading, Messages]:
    """grading.yml and the words: reading them takes as long as some trainings."""
    grading = load()
    return grading, Messages(os.environ.get("AUTOGRADER_LANG", "en"), grading.hints)


def _known(assignment: str | None, state: State) -> str:
    name = assignment or infer("", set(state.namespace))
    known = ", ".join(f'check("{each}")' for each in EXERCISES)
    if name is None:
        raise ValueError(f"which assignment is it? Say {known}.")
    if name in EXERCISES:
        return name
    near = difflib.get_close_matches(name, EXERCISES, n=1)
    hint = f' Did you mean check("{near[0]}")?' if near else f" There are {known}."
    raise ValueError(f"there is no assignment {name!r}.{hint}")


def _shell() -> Any:
    """The IPython shell that this runs in, or None."""
    module = sys.modules.get("IPython")
    return module.get_ipython() if module else None


def _without(report: Mapping[str, Any], later: set[str]) -> dict[str, Any]:
    """The report without checks that are judged later, and what only they have found."""
    if not later:
        return dict(report)
    rows = [row for row in report["checks"] if row["id"] not in later]
    told = {code for row in rows for code in row.get("because", ())}
    return {
        **report, "checks": rows,
        "diagnoses": [d for d in report["diagnoses"] if d["code"] in told],
        "score": round(sum(row["score"] for row in rows), 4),
        "max_score": sum(row["max_score"] for row in rows),
    }
