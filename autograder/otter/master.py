"""A master notebook in otter-assign's format, completed by what the exercise's checks say.

The master names its questions after checks and leaves them without points and tests: both come from
grading.yml and the checks themselves, so that no notebook can say another thing than the grader.
"""

from __future__ import annotations

import copy
import hashlib
import html
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from autograder.exercises.registry import EXERCISES
from autograder.grading import Grading

CONFIG, BEGIN, END = "# ASSIGNMENT CONFIG", "# BEGIN QUESTION", "# END QUESTION"
TEST = '''\
""" # BEGIN TEST CONFIG
{config}""" # END TEST CONFIG
def test_{function}(env):
    from autograder.notebook import expect
    expect(env, {assignment!r}, {check!r}, {title!r})'''


class BadMaster(Exception):
    """A master notebook that cannot be built; the message says what to change."""


def read(path: Path) -> dict[str, Any]:
    """The notebook as plain data."""
    try:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        return {**notebook, "cells": [
            {**c, "source": "".join(c["source"])} for c in notebook["cells"]]}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadMaster(f"{path}: not a notebook that can be read: {error}") from None


def complete(master: dict[str, Any], name: str, grading: Grading) -> dict[str, Any]:
    """The master with points and tests in each of its questions."""
    if name not in EXERCISES:
        raise BadMaster(f"{name}: there is no such exercise; known are {', '.join(EXERCISES)}.")
    asked = [check for cell in master["cells"] if (check := question(cell))]
    checks = list(EXERCISES[name].checks)
    if sorted(asked) != sorted(checks):
        raise BadMaster(f"{name}: its questions must be its checks, each once.\n"
                        f"questions: {', '.join(asked)}\nchecks:    {', '.join(checks)}")
    return {**master, "cells": list(_completed(master["cells"], name, grading))}


def configure(master: dict[str, Any], additions: Mapping[str, Any]) -> dict[str, Any]:
    """The master with these keys in its assignment config; mappings are merged."""
    master = copy.deepcopy(master)
    for cell in master["cells"]:
        if cell["cell_type"] == "raw" and cell["source"].startswith(CONFIG):
            config = _merged(yaml.safe_load(cell["source"]) or {}, additions)
            cell["source"] = f"{CONFIG}\n{yaml.safe_dump(config, sort_keys=False)}"
            return master
    raise BadMaster(f"the master has no raw cell that begins with {CONFIG}.")


def digest(notebook: Mapping[str, Any]) -> str:
    """Of what the cells of a notebook say; outputs, ids and metadata apart."""
    said = [[cell["cell_type"], "".join(cell["source"])] for cell in notebook["cells"]]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()


def later(name: str, grading: Grading) -> list[str]:
    """The checks that are judged only after handing in."""
    listed = set(grading.settings(name).judged_later)
    return [check for check in EXERCISES[name].checks if check in listed]


def announcement(name: str, grading: Grading) -> str:
    """What is said of them to whom they are not shown; empty where there are none."""
    checks = later(name, grading)
    points = sum(grading.settings(name).points[check] for check in checks)
    if not checks:
        return ""
    many = len(checks) != 1
    return (f"{len(checks)} more check{'s' * many}, {points:g} point{'s' * (points != 1)}, "
            f"{'are' if many else 'is'} judged after you submit.")


def _completed(cells: list[dict[str, Any]], name: str,
               grading: Grading) -> Iterator[dict[str, Any]]:
    points = grading.settings(name).points
    check: str | None = None
    for cell in cells:
        if begun := question(cell):
            check = begun
            cell = {**cell, "source": f"{cell['source'].rstrip()}\npoints: {points[check]:g}"}
        elif check and cell["cell_type"] == "raw" and cell["source"].startswith(END):
            yield _cell("raw", "# BEGIN TESTS")
            yield _cell("code", _test(name, check, grading))
            yield _cell("raw", "# END TESTS")
            check = None
        yield cell


def question(cell: dict[str, Any]) -> str | None:
    """The name of the question that a cell begins; None where it begins none."""
    if cell["cell_type"] != "raw" or not cell["source"].startswith(BEGIN):
        return None
    return str((yaml.safe_load(cell["source"]) or {}).get("name"))


def _test(name: str, check: str, grading: Grading) -> str:
    title = (EXERCISES[name].checks[check].__doc__ or check).strip()
    # Otter puts the message into a Python string and, unescaped, into HTML.
    told = html.escape(f"{title}. {announcement(name, grading)}".strip(), quote=True)
    config: dict[str, Any] = {"success_message": told}
    if check in later(name, grading):
        config["hidden"] = True
    return TEST.format(config=yaml.safe_dump(config, width=1000, allow_unicode=True),
                       function=check.replace("-", "_"), assignment=name, check=check, title=title)


def _cell(kind: str, source: str) -> dict[str, Any]:
    code: dict[str, Any] = {"outputs": [], "execution_count": None} if kind == "code" else {}
    return {"cell_type": kind, "metadata": {}, "source": source, **code}


def _merged(config: dict[str, Any], additions: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(config)
    for key, value in additions.items():
        old = merged.get(key)
        both = isinstance(old, dict) and isinstance(value, Mapping)
        merged[key] = _merged(old, value) if both else value  # type: ignore[arg-type]
    return merged
