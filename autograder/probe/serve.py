"""The student's side of the protocol: a strict state machine over two descriptors.

In comes the submission, out go its names and errors; then questions in, answers out, one for one,
until the judge closes the stream. Where `max_passes` is set the program is traced instead.
"""

from __future__ import annotations

import json
from typing import Any

from pydantic import TypeAdapter

from autograder import frames
from autograder.evidence import Question
from autograder.probe.session import Session
from autograder.submission import Submission

QUESTION: TypeAdapter[Any] = TypeAdapter(Question)


def serve(inward: int, outward: int) -> None:
    """Serve one submission."""
    first = frames.read(inward)
    if first is None:
        return
    start = json.loads(first)
    submission = Submission.from_plain(start["submission"])
    session = Session(submission, device=start["device"])
    if start["max_passes"]:
        frames.write(outward, session.trace(start["max_passes"]).model_dump_json().encode())
        return
    with session:
        frames.write(outward, session.loaded.model_dump_json().encode())
        while (frame := frames.read(inward)) is not None:
            question = QUESTION.validate_json(frame)
            frames.write(outward, session.answer(question).model_dump_json().encode())
