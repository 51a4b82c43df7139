"""The check that only conv has."""

from __future__ import annotations

from autograder.checks import facts
from autograder.exercises.trainer import TrainerCase
from autograder.report import Verdict


def zero_grad_owners(case: TrainerCase) -> Verdict:
    """which objects have a zero_grad()"""
    right, wanted = facts.owners(case)
    return Verdict.of("zero-grad-owners", right == wanted, right / wanted if wanted else 0.0)
