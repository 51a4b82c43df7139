"""What an exercise is: a contract, questions to ask, checks and diagnosers."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from autograder.evidence import Answer, Evidence, Question
from autograder.report import Diagnosis, Verdict
from autograder.submission import Submission

Interview = Generator[tuple[str, Question], Answer | None, None]
"""Yields (label, question), is sent the answer: the next question may depend on it."""


class Case(Protocol):
    """One submission's evidence beside the truth: what checks and diagnosers look at."""

    @property
    def submission(self) -> Submission:
        """What was handed in."""
        ...

    @property
    def evidence(self) -> Evidence:
        """What its process said."""
        ...


@dataclass(frozen=True)
class Exercise:
    """One assignment.

    `interview(settings, seed)` asks; `examine(submission, evidence, settings, seed)` puts the
    answers beside the truth; `checks` and `diagnosers` are pure functions of the result.
    """

    name: str
    asks_for: tuple[str, ...]
    interview: Callable[[Any, int], Interview]
    examine: Callable[[Submission, Evidence, Any, int], Any]
    checks: Mapping[str, Callable[[Any], Verdict]]
    diagnosers: tuple[Callable[[Any], Iterable[Diagnosis]], ...]
    defaults: Any = None
    """Settings (a `grading.Settings`) of an exercise from another package: grading.yml may set some
    of them anew under `assignments`."""
