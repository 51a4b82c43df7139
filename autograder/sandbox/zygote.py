"""The judge's side of the zygote: start it in a profile, have it fork, question the children."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from types import TracebackType
from typing import IO

from autograder import frames
from autograder.sandbox import jail
from autograder.sandbox.channel import Channel, Closed, Late
from autograder.sandbox.process import THREADS, Lost
from autograder.sandbox.scratch import Scratch
from autograder.sandbox.setup import (
    OUT_OF_MEMORY,
    Budget,
    Ending,
    Kind,
    NoSandbox,
    Setup,
    ZygoteLost,
)
from autograder.submission import Submission

START = 60.0
"""Seconds that a zygote may take to warm up."""
BURIAL = 10.0
"""Seconds that the kernel may take to end a killed child."""
SWEEPING = 30.0
"""Seconds that a zygote may take to remove what its children left on a slow disk."""


class Zygote:
    """Use as a context manager, in the main thread: it dies with the thread that starts it.

    `witness(submission)` may be called from any thread.
    """

    def __init__(self, kind: Kind, *, landlock: bool, budget: Budget | None = None,
                 device: str = "cpu") -> None:
        self._kind: Kind = kind
        self._landlock = landlock
        self.budget = budget or Budget()
        self._device = device
        self._lock = threading.Lock()
        self._running: _Running | None = None

    def __enter__(self) -> Zygote:
        self._running = self._start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 traceback: TracebackType | None) -> None:
        with self._lock:
            running, self._running = self._running, None
        if running is not None:
            running.stop()

    @property
    def name(self) -> str:
        """The profile's, as reports have it."""
        return Setup(self._kind, self._landlock, "", self.budget).name

    def witness(self, submission: Submission, *, max_passes: int = 0) -> Child:
        """A child for this submission: a context manager. See probe.serve for max_passes."""
        return Child(self, submission, self._device, max_passes)

    def fork(self, descriptors: list[int]) -> None:
        """Have a child made that owns these; by another zygote, where this one is gone.

        Raises:
            ZygoteLost: after the end of the with block.
        """
        with self._lock:
            running = self._running
            if running is None:
                raise ZygoteLost("the zygote is closed")
            try:
                socket.send_fds(running.control, [b"fork"], descriptors)
            except OSError:
                running.stop()
                self._running = running = self._start()
                socket.send_fds(running.control, [b"fork"], descriptors)

    def _start(self) -> _Running:
        return _start(self._kind, self._landlock, self.budget)


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
        self._first = json.dumps({"submission": submission.to_plain(), "device": device,
                                  "max_passes": max_passes}).encode()

    def __enter__(self) -> Child:
        question_out, question_in = os.pipe()
        answer_out, answer_in = os.pipe()
        self._fate, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        self._channel = Channel(answer_out, question_in)
        try:
            self._zygote.fork([question_out, answer_in, theirs.fileno()])
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


class _Running:
    """A zygote that runs."""

    def __init__(self, process: subprocess.Popen[bytes], control: socket.socket,
                 scratch: Scratch | None) -> None:
        self._process = process
        self._scratch = scratch
        self.control = control

    def stop(self) -> None:
        """It kills its children and ends when the control socket is closed."""
        self.control.close()
        try:
            self._process.wait(SWEEPING)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._scratch is not None:  # the zygote has emptied it, unless it was killed
            self._scratch.remove()


def _start(kind: Kind, landlock: bool, budget: Budget) -> _Running:
    control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    line = [sys.executable, "-P", "-m", "autograder.sandbox.forks", str(theirs.fileno())]
    if kind == "full":
        bwrap = jail.find()
        if bwrap is None:
            control.close()
            theirs.close()
            raise NoSandbox("bubblewrap (bwrap) is not installed")
        line, own, scratch = jail.command(bwrap, line), None, jail.SCRATCH
    else:
        own = Scratch()
        scratch = own.path
    environment = _environment() | {"TMPDIR": scratch}
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            line, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said,
            env=environment, pass_fds=[theirs.fileno()], start_new_session=True,
            cwd=scratch if kind == "portable" else None)
        theirs.close()
        running = _Running(process, control, own)
        try:
            control.settimeout(START)
            control.send(Setup(kind, landlock, scratch, budget).to_bytes())
            if control.recv(64) != b"ready":
                raise OSError("it ended while it warmed up")
        except OSError as error:
            running.stop()
            theirs.close()
            raise NoSandbox(f"{error}; {_last_line(said)}") from None
        control.settimeout(None)
    return running


def _environment() -> dict[str, str]:
    """Nothing of the instructor's: names, tokens and paths stay outside."""
    kept = ("PATH", "LD_LIBRARY_PATH")
    return dict.fromkeys(THREADS, "1") | {k: os.environ[k] for k in kept if k in os.environ} | {
        "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "LANG": "C.UTF-8",
        "PYTORCH_NVML_BASED_CUDA_CHECK": "1",
        "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",  # few pages: a fork takes half the time
    }


def _last_line(file: IO[bytes]) -> str:
    file.seek(0)
    lines = file.read().decode("utf-8", "replace").strip().splitlines()
    return lines[-1][:300] if lines else "it said nothing"
