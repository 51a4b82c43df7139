"""A master notebook as nbgrader's source notebook, for courses on nbgrader 0.9.

nbgrader gives partial credit where a test cell's last expression is a number: ours is the points.
Students' code runs in nbgrader's kernel: only its own isolation, which is none, protects marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from autograder.grading import Grading
from autograder.otter import master

TEST = "from autograder.notebook import points\npoints({assignment!r}, {check!r})"
CONFIG = '''\
"""Beside source/: what a student finds in the place of a solution."""

c = get_config()  # noqa: F821
c.ClearSolutions.code_stub = {"python": "# Mend the program above."}
'''
PAIR = re.compile(r'# BEGIN SOLUTION NO PROMPT\n(?P<solution>.*?)# END SOLUTION\n'
                  r'""" # BEGIN PROMPT\n(?P<prompt>.*?)""" # END PROMPT', re.DOTALL)


def source(original: dict[str, Any], name: str, grading: Grading) -> dict[str, Any]:
    """The source notebook: the handout's program, the solution after it, and a test a check."""
    master.complete(original, name, grading)  # refuses a master that lacks a question
    cells = list(_cells(original["cells"], name, grading))
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number:02d}"
    metadata = {k: v for k, v in original["metadata"].items() if k in ("kernelspec",
                                                                       "language_info")}
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": cells}


def _cells(cells: list[dict[str, Any]], name: str, grading: Grading) -> Iterator[dict[str, Any]]:
    check: str | None = None
    for cell in cells:
        text = cell["source"]
        if cell["cell_type"] == "raw":
            check = master.question(cell) or check
            if check and text.startswith(master.END):
                yield _test(name, check, grading)
                check = None
        elif cell["cell_type"] == "markdown":
            yield _cell("markdown", text.replace("`grader.check(…)`", "`points(…)`"))
        elif pair := PAIR.search(text):
            both = (f"{pair['prompt'].rstrip()}\n### BEGIN SOLUTION\n"
                    f"{pair['solution'].rstrip()}\n### END SOLUTION")
            defined = re.search(r"(?:def|class) (\w+)|^(\w+) =", pair["solution"], re.MULTILINE)
            named = next((n for n in defined.groups() if n), "") if defined else ""
            yield _cell("code", text[:pair.start()] + both + text[pair.end():],
                        grade_id=f"program-{named}", solution=True)
        else:
            yield _cell("code", text)


def _test(name: str, check: str, grading: Grading) -> dict[str, Any]:
    text = TEST.format(assignment=name, check=check)
    if check in master.later(name, grading):
        text = f"### BEGIN HIDDEN TESTS\n{text}\n### END HIDDEN TESTS"
    return _cell("code", text, grade_id=f"test-{check}", grade=True, locked=True,
                 points=grading.settings(name).points[check])


def _cell(kind: str, text: str, *, grade_id: str = "", **marks: Any) -> dict[str, Any]:
    code: dict[str, Any] = {"outputs": [], "execution_count": None} if kind == "code" else {}
    metadata: dict[str, Any] = {}
    if grade_id:
        metadata["nbgrader"] = {
            "schema_version": 3, "grade_id": grade_id, "grade": False, "solution": False,
            "locked": False, "task": False, **marks}
    return {"cell_type": kind, "metadata": metadata, "source": text, **code}
