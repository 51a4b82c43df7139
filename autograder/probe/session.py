"""One submission in one process: load its cells, then answer questions about it.

Nothing in here knows an expected value: data and seeds arrive with the questions, after the cells
have run.
"""

from __future__ import annotations

import gc
import io
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType
from typing import Any

import torch

from autograder import cells
from autograder.evidence import (
    AskOwners,
    Correlate,
    Failure,
    Loaded,
    Plain,
    Question,
    Spot,
    Traced,
    Train,
    Walk,
    Warned,
)
from autograder.probe.owners import ask_owners
from autograder.probe.seeding import seed_all
from autograder.probe.standins import standing_in
from autograder.probe.train import correlate, train
from autograder.probe.walk import walk
from autograder.recorder import Calls, Recorder, spot_of
from autograder.submission import Submission

MAX_OUTPUT = 20_000
MAX_WARNINGS = 50


class Session:
    """Use as a context manager: `with Session(submission) as s: s.loaded; s.answer(question)`."""

    def __init__(self, submission: Submission, *, device: str = "cpu") -> None:
        self._submission = submission
        self._device = device
        self._stack = ExitStack()
        self._output = _Capped()
        self._cell_of: cells.CellOf = cells.cell_of
        self._asked_in: FrameType | None = None
        self.warnings: list[Warned] = []

    def __enter__(self) -> Session:
        self._stack.enter_context(self._surroundings())
        module = "__main__" if self._is_notebook else "submission"
        run = self._stack.enter_context(cells.run(self._submission, name=module))
        self.namespace = run.namespace
        self.loaded = self._report(run.namespace, run.errors)
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    @property
    def _is_notebook(self) -> bool:
        return any(cell.number is not None for cell in self._submission.cells)

    def _report(self, namespace: dict[str, Any], errors: Iterable[cells.CellError]) -> Loaded:
        return Loaded(
            names=sorted(n for n in namespace if not n.startswith("__"))[:500],
            errors=[
                Failure(kind=e.kind, message=e.message[:4000],
                        frames=[Spot(cell=c, line=n) for c, n in e.places][:200])
                for e in errors
            ],
            torch=torch.__version__, device=self._device, output=self._output.getvalue(),
        )

    def answer(self, question: Question) -> Plain:
        """Answer one question; whatever the student's code raises becomes part of the answer."""
        self.warnings.clear()
        answers: dict[type, Callable[..., Plain]] = {
            Train: train, Walk: walk, Correlate: correlate, AskOwners: ask_owners,
        }
        self._asked_in = sys._getframe()
        gc.freeze()  # garbage is collected while training: not among all that was imported
        try:
            return answers[type(question)](self.namespace, question, self)
        finally:
            self._asked_in = None

    def trace(self, max_passes: int) -> Traced:
        """Run the whole program under the recorder, `max_passes` backward passes at most.

        In place of entering the session, not inside it.
        """
        recorder = Recorder(self.here, max_passes=max_passes)
        with self._surroundings(), recorder, cells.run(self._submission, name="__main__") as run:
            recorder.sample()
        errors = [e for e in run.errors if e.kind != "Enough"]
        return Traced(loaded=self._report(run.namespace, errors), recording=recorder.recording(),
                      warnings=self.warnings, stopped=len(errors) < len(run.errors))

    def device(self) -> str:
        """Where the student's tensors belong."""
        return self._device

    def here(self) -> Calls:
        """The submission's lines now running, innermost first."""
        return tuple(cells.calls_of_frame(sys._getframe(1), self._cell_of, self._asked_in))

    def failure(self, error: BaseException) -> Failure:
        """An exception as plain data; one whose `__str__` raises has no message."""
        try:
            message = str(error)
        except BaseException:
            message = ""
        return Failure(
            kind=type(error).__name__, message=message[:4000],
            frames=[Spot(cell=cell, line=line)
                    for cell, line in cells.frames(error, self._cell_of)][:200],
        )

    @contextmanager
    def _surroundings(self) -> Iterator[None]:
        """Where a submission's cells run."""
        with ExitStack() as stack:
            stack.enter_context(self._catching_warnings())
            stack.enter_context(printing_to(self._output))
            if torch.get_default_device() != torch.device(self._device):
                # Not otherwise: the mode that it sets costs a third of a small step's time.
                stack.enter_context(torch.device(self._device))
            stack.enter_context(standing_in())
            seed_all(0)
            yield

    @contextmanager
    def _catching_warnings(self) -> Iterator[None]:
        def show(message: Any, category: Any, filename: str, lineno: int, file: Any = None,
                 line: str | None = None) -> None:
            if len(self.warnings) < MAX_WARNINGS:
                self.warnings.append(Warned(
                    category=category.__name__, message=str(message)[:4000],
                    spot=spot_of(self.here())))

        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.showwarning = show
            yield


@contextmanager
def printing_to(output: io.StringIO) -> Iterator[None]:
    """What is printed goes there."""
    before = sys.stdout, sys.stderr
    sys.stdout = sys.stderr = output
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


class _Capped(io.StringIO):
    """Keeps the first MAX_OUTPUT characters of what is printed."""

    def write(self, text: str) -> int:
        room = MAX_OUTPUT - self.tell()
        if room > 0:
            super().write(text[:room])
        return len(text)
