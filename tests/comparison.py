"""What other ways of telling right from wrong say of the same submissions.

`python tests/accuracy.py --compare` prints the table of docs/accuracy.md.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import accuracy
import numpy as np
from accuracy import Result

from autograder.engine import grade
from autograder.evidence import Evidence
from autograder.exercises.registry import EXERCISES
from autograder.grading import load
from autograder.messages import Messages
from autograder.submission import Cell


def show(results: list[Result]) -> None:
    """Accepted right ones and refused wrong ones, by each way of telling."""
    anomaly = anomalous(results)
    ways: dict[str, Callable[[Result], bool]] = {
        "this grader": lambda r: r.full,
        "the loss went down": went_down,
        "the parameters are near": near,
        "torch raised no error": lambda r: not raised(r.graded.evidence),
        "nor did anomaly mode": lambda r: r.case.file not in anomaly,
    }
    print(f"\n{'accepts where':28} {'right accepted':>22} {'wrong refused':>22}")
    for name, accepts in ways.items():
        right = accuracy.rate(accepts(r) for r in results if r.case.verdict == "right")
        wrong = accuracy.rate(not accepts(r) for r in results if r.case.verdict == "wrong")
        print(f"{name:28} {right:>22} {wrong:>22}")


def raised(evidence: Evidence | None) -> bool:
    """Whether anything was raised, lost or missing in any run."""
    if evidence is None or evidence.lost or not evidence.loaded or evidence.loaded.errors:
        return True
    answers = [e.answer for e in evidence.exchanges]
    return any(a is None or getattr(a, "failure", None) or _missing(a) for a in answers)


def _missing(answer: Any) -> bool:
    return any(p.what == "missing" for p in answer.problems)


def went_down(result: Result) -> bool:
    """A person who watches the printed loss: no error, and the last is below the first."""
    evidence = result.graded.evidence
    if raised(evidence):
        return False
    case = _case(result)
    if result.case.assignment == "lqr":
        return any(after < before for before, after in case.costs)
    losses = case.own.losses if case.own else []
    return len(losses) > 1 and bool(np.isfinite(losses).all()) and losses[-1] < losses[0]


def near(result: Result) -> bool:
    """A test of the final parameters on data not seen before."""
    if raised(result.graded.evidence):
        return False
    case = _case(result)
    if result.case.assignment == "lqr":
        return max(case.gains, default=-1.0) >= case.settings.fraction
    return bool(case.arrived)


def _case(result: Result) -> Any:
    name, graded = result.case.assignment, result.graded
    return EXERCISES[name].examine(
        graded.submission, graded.evidence, load().settings(name), graded.seed)  # type: ignore[arg-type]


def anomalous(results: list[Result]) -> set[str]:
    """The files in which something is raised under torch.autograd.set_detect_anomaly(True)."""
    grading, messages = accuracy.quick(), Messages()
    first = "import torch\ntorch.autograd.set_detect_anomaly(True)\n"

    def one(result: Result) -> str | None:
        submission = result.graded.submission
        if submission is None:
            return result.case.file
        number = submission.cells[0].number if submission.cells else None
        cells = (Cell(0 if number is not None else None, first), *submission.cells)
        again = grade(replace(submission, cells=cells), grading, messages,
                      assignment=result.case.assignment, run=run)
        return result.case.file if raised(again.evidence) else None

    with accuracy.runner() as run, ThreadPoolExecutor(2) as pool:
        return {file for file in pool.map(one, results) if file}
