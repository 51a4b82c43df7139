"""`trace`: a program without a contract, run under the recorder in a process of its own."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from autograder.diagnoses.programs import diagnose
from autograder.evidence import Traced
from autograder.judge import told
from autograder.messages import Messages
from autograder.report import SCHEMA
from autograder.sandbox.process import Lost, Process
from autograder.submission import Submission


def trace(submission: Submission, messages: Messages, *, passes: int = 60,
          seconds: float = 120, run: Callable[..., AbstractContextManager[Any]] = Process,
          ) -> dict[str, Any]:
    """The JSON shape {"schema", "submission", "steps", "diagnoses", "stopped"}.

    Args:
        passes: backward passes after which the program is stopped.
        run: opens the process that it runs in, as `Sandbox.witness` does.
    """
    with run(submission, max_passes=passes) as process:
        try:
            traced = Traced.model_validate_json(process.load(seconds))
        except Lost as lost:
            traced = Traced(lost=lost.why)
    steps = len({u.after_pass for u in traced.recording.updates}) or len(traced.recording.passes)
    return {
        "schema": SCHEMA, "submission": submission.name, "steps": steps,
        "diagnoses": [told(d, submission, messages) for d in diagnose(traced, submission)],
        "stopped": traced.stopped,
    }
