"""Putting an exercise's questions to a submission's process, and collecting the evidence."""

from __future__ import annotations

import time
from typing import Any, Protocol

import numpy as np
from pydantic import ValidationError

from autograder.evidence import ANSWERS, Evidence, Exchange, Loaded
from autograder.exercises.base import Exercise
from autograder.sandbox.process import Lost
from autograder.settings import Limits


class Witness(Protocol):
    """A process that holds a submission."""

    sandbox: str

    def load(self, seconds: float) -> bytes:
        """Run the cells."""
        ...

    def ask(self, frame: bytes, seconds: float) -> bytes:
        """Answer a question."""
        ...


def examine(witness: Witness, exercise: Exercise, settings: Any, limits: Limits,
            seed: int) -> Evidence:
    """All that the submission's process says, up to where it is lost."""
    until = time.monotonic() + limits.total
    exchanges: list[Exchange] = []
    try:
        loaded = Loaded.model_validate_json(witness.load(limits.load))
    except Lost as lost:
        return Evidence(lost=lost.why, sandbox=witness.sandbox)
    except ValidationError:
        return Evidence(lost="killed", sandbox=witness.sandbox)
    interview = exercise.interview(settings, seed)
    answer: Any = None
    try:
        while True:
            with np.errstate(all="ignore"):  # an interview looks at runs that blew up, too
                label, question = interview.send(answer)
            seconds = max(min(limits.question, until - time.monotonic()), 0.1)
            try:
                frame = witness.ask(question.model_dump_json().encode(), seconds)
                answer = ANSWERS[question.ask].model_validate_json(frame)
            except (Lost, ValidationError) as error:
                why = error.why if isinstance(error, Lost) else "killed"
                exchanges.append(Exchange(label=label, question=question, lost=why))
                break
            exchanges.append(Exchange(label=label, question=question, answer=answer))
    except StopIteration:
        pass
    return Evidence(loaded=loaded, exchanges=exchanges, sandbox=witness.sandbox)
