"""One forked child, as the judge has it: question it, and learn how it ended."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
from types import TracebackType
from typing import TYPE_CHECKING

from autograder import frames
from autograder.sandbox.channel import Channel, Closed, Late
from autograder.sandbox.process import Lost
from autograder.sandbox.setup import OUT_OF_MEMORY, Ending, ZygoteLost
from autograder.submission import Submission

if TYPE_CHECKING:
    from autograder.sandbox.zygote import Zygote

BURIAL = 10.0
"""Seconds that the kernel may take to end a killed child."""


class Child:
    """A forked process that holds one submission: see examination.Witness."""

    def __init__(self, zygote: Zygote, submission: Submission, device: str,
                 max_passes: int) -> None:
        self.sandbox = zygote.name
        self.ending: Ending | None = None
        """How the process ended; there from the moment that it is lost or left."""
        self.note = ""
        """Why it was taken for lost, for those who want to know."""
        self._zygote = zygote
        self._optimizers = "optim" in submission.source
        self._first = json.dumps({"submission": submission.to_plain(), "device": device,
                                  "max_passes": max_passes}).encode()

    def __enter__(self) -> Child:
        question_out, question_in = os.pipe()
        answer_out, answer_in = os.pipe()
        self._fate, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        self._channel = Channel(answer_out, question_in)
        try:
            self._zygote.fork([question_out, answer_in, theirs.fileno()],
                              optimizers=self._optimizers)
        except BaseException:
            self._channel.close()
            self._fate.close()
            raise
        finally:
            os.close(question_out)
            os.close(answer_in)
            theirs.close()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 traceback: TracebackType | None) -> None:
        self._channel.close()
        self._bury(kill=True)
        self._fate.close()

    def load(self, seconds: float) -> bytes:
        """Send the submission; what came of running its cells."""
        return self.ask(self._first, seconds)

    def ask(self, frame: bytes, seconds: float) -> bytes:
        """Send one frame, wait for one.

        Raises:
            Lost: when none comes.
            ZygoteLost: when that is not the submission's doing.
        """
        try:
            return self._channel.exchange(frame, seconds)
        except Late:
            self.note = f"no answer within {seconds:.0f} s"
            raise Lost("timeout") from None
        except frames.BadFrame as error:
            self.note = str(error)
            raise Lost("killed") from None
        except Closed:
            why = self._why()
            self.note = self.note or f"the process is gone ({self.ending})"
            raise Lost(why) from None

    def _why(self) -> str:
        """The child closed its pipes: what does its parent say?"""
        self._bury(kill=False, seconds=1.0)
        if self.ending is None:
            self._bury(kill=True)
        ending, budget = self.ending, self._zygote.budget
        if ending is None:
            raise ZygoteLost("the zygote ended")
        if ending.note:
            self.note = ending.note
        if ending.signal == signal.SIGXCPU or ending.cpu >= budget.cpu - 1:
            return "timeout"
        crashed = ending.signal in (signal.SIGKILL, signal.SIGABRT, signal.SIGSEGV, signal.SIGBUS)
        if ending.status == OUT_OF_MEMORY or (crashed and ending.grown > budget.memory // 2):
            return "memory-limit"
        return "killed"

    def _bury(self, *, kill: bool, seconds: float = BURIAL) -> None:
        if self.ending is not None:
            return
        with contextlib.suppress(OSError, ValueError, TypeError):
            if kill:
                self._fate.shutdown(socket.SHUT_WR)
            self._fate.settimeout(seconds)
            if data := self._fate.recv(4096):
                self.ending = Ending.from_bytes(data)
