"""The one engine behind every door: a file in, a report out."""

from __future__ import annotations

import ast
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.evidence import Evidence
from autograder.examination import Witness, examine
from autograder.exercises.registry import EXERCISES, infer
from autograder.grading import Grading
from autograder.judge import judge, unreadable
from autograder.messages import Messages
from autograder.report import Report
from autograder.sandbox.process import Process
from autograder.statements import trees
from autograder.submission import Submission, Unreadable, read

Run = Callable[[Submission], AbstractContextManager[Any]]
"""Opens a submission's process: a context manager that gives a Witness."""


class UnknownAssignment(Exception):
    """Which assignment a file belongs to cannot be told."""


@dataclass(frozen=True)
class Graded:
    """A report, and what it rests on (for regrading and for drawing)."""

    report: Report
    submission: Submission | None = None
    evidence: Evidence | None = None
    seed: int = 0


def grade_file(path: Path, grading: Grading, messages: Messages, *, assignment: str | None = None,
               seed: int | None = None, run: Run = Process) -> Graded:
    """Read, examine and judge one file.

    Raises:
        UnknownAssignment: where none is given and none can be inferred.
    """
    try:
        submission = read(path)
    except Unreadable as error:
        name = assignment or infer(path.name, ())
        exercise = EXERCISES[name] if name else None
        return Graded(unreadable(path.name, error.reason, exercise, grading, messages))
    return grade(submission, grading, messages, assignment=assignment, seed=seed, run=run)


def grade(submission: Submission, grading: Grading, messages: Messages, *,
          assignment: str | None = None, seed: int | None = None, run: Run = Process) -> Graded:
    """Examine and judge one submission that was read."""
    name = assignment or infer(submission.name, defined_names(submission))
    if name is None:
        raise UnknownAssignment(
            f"{submission.name} defines nothing that an assignment asks for: "
            "say which one it is with -a linear, -a conv or -a lqr.")
    exercise = EXERCISES[name]
    secret = grading.seed if seed is None else seed
    with run(submission) as witness:
        evidence = _examine(witness, exercise.name, grading, secret)
    report = judge(exercise, submission, evidence, grading, messages, seed=secret)
    return Graded(report, submission, evidence, secret)


def _examine(witness: Witness, name: str, grading: Grading, seed: int) -> Evidence:
    return examine(witness, EXERCISES[name], grading.settings(name), grading.limits, seed)


def defined_names(submission: Submission) -> set[str]:
    """Names bound at the top level of any cell, read off the source without running it."""
    names: set[str] = set()
    for _, tree in trees(submission):
        for node in tree.body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
                names.add(node.name)
            elif isinstance(node, (ast.Assign, ast.AnnAssign)):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                names |= {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)}
    return names
