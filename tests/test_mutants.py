"""Every generated mutant is killed (it loses points), or is written down as equivalent."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import accuracy
import mutants
import pytest

from autograder.engine import grade
from autograder.messages import Messages
from autograder.report import Report
from autograder.submission import parse

ALL = mutants.all_mutants()


@pytest.fixture(scope="module")
def reports() -> dict[str, Report]:
    grading, messages = accuracy.quick(), Messages()
    with accuracy.runner() as run, ThreadPoolExecutor(2) as pool:
        def one(mutant: mutants.Mutant) -> Report:
            submission = parse("mutant.py", mutant.source.encode())
            return grade(submission, grading, messages, assignment=mutant.assignment,
                         run=run).report

        return dict(zip((m.name for m in ALL), pool.map(one, ALL), strict=True))


@pytest.mark.parametrize("mutant", ALL, ids=lambda m: m.name)
def test_killed_or_equivalent(mutant: mutants.Mutant, reports: dict[str, Report]) -> None:
    report = reports[mutant.name]
    killed = report.score < report.max_score
    assert killed != (mutant.name in mutants.EQUIVALENT), f"{report.score}\n{mutant.source}"
    assert bool(report.diagnoses) == killed


def test_there_are_many_and_the_list_of_equivalents_is_true() -> None:
    assert len(ALL) >= 50
    assert set(mutants.EQUIVALENT) <= {m.name for m in ALL}
