"""Submissions graded once for all tests of reports."""

from pathlib import Path

import pytest

from autograder.engine import Graded, grade_file
from autograder.grading import load
from autograder.messages import Messages
from autograder.report import Report
from autograder.sandbox.choice import sandbox
from reports.examples import EVIL

ROOT = Path(__file__).parents[2]
FILES = {
    "handout": ROOT / "assignments/linear/linear.ipynb",
    "solution": ROOT / "solutions/linear.ipynb",
    "leak": ROOT / "tests/corpus/conv/w17_outputs_kept.py",
    "sensitivity": ROOT / "tests/corpus/lqr/w08_no_state_feedback.py",
    "dead": ROOT / "tests/corpus/linear/w12_leaf_inplace.py",
}


@pytest.fixture(scope="session")
def grading():
    return load()


@pytest.fixture(scope="session")
def graded(grading):
    """Name → Graded."""
    with sandbox() as chosen:
        return {name: grade_file(path, grading, Messages(), run=chosen.witness)
                for name, path in FILES.items()}


@pytest.fixture(scope="session")
def evil():
    """A report full of markup and control characters, without a submission behind it."""
    plain = {k: v for k, v in EVIL.items() if k != "schema"}
    return Graded(Report(**plain))
