"""The judge's side of the zygote: start it in a profile, have it fork, start it again."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import threading
from types import TracebackType
from typing import IO

from autograder.sandbox import jail
from autograder.sandbox.process import THREADS
from autograder.sandbox.scratch import Scratch
from autograder.sandbox.setup import (
    FORK,
    OPTIMIZERS,
    READY,
    Budget,
    Kind,
    NoSandbox,
    Setup,
    ZygoteLost,
)
from autograder.sandbox.witness import Child
from autograder.submission import Submission

START = 60.0
"""Seconds that a zygote may take to warm up."""
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

    def fork(self, descriptors: list[int], *, optimizers: bool) -> None:
        """Have a child made that owns these; by another zygote, where this one is gone.

        With optimizers, it is warmed up for torch.optim.

        Raises:
            ZygoteLost: after the end of the with block.
        """
        with self._lock:
            running = self._running
            if running is None:
                raise ZygoteLost("the zygote is closed")
            try:
                running.fork(descriptors, optimizers)
            except OSError:
                running.stop()
                self._running = running = self._start()
                running.fork(descriptors, optimizers)

    def _start(self) -> _Running:
        return _start(self._kind, self._landlock, self.budget)


class _Running:
    """A zygote that runs."""

    def __init__(self, process: subprocess.Popen[bytes], control: socket.socket,
                 scratch: Scratch | None) -> None:
        self._process = process
        self._scratch = scratch
        self._control = control
        self._knows_optimizers = False

    def warm_up(self, request: bytes) -> None:
        """Send a request that is answered when it has warmed up.

        Raises:
            OSError: when that takes too long, or its end comes first.
        """
        self._control.settimeout(START)
        self._control.send(request)
        if self._control.recv(64) != READY:
            raise OSError("it ended while it warmed up")
        self._control.settimeout(None)

    def fork(self, descriptors: list[int], optimizers: bool) -> None:
        """Have a child made that owns these."""
        if optimizers and not self._knows_optimizers:
            self.warm_up(OPTIMIZERS)
            self._knows_optimizers = True
        socket.send_fds(self._control, [FORK], descriptors)

    def stop(self) -> None:
        """It kills its children and ends when the control socket is closed."""
        self._control.close()
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
            running.warm_up(Setup(kind, landlock, scratch, budget).to_bytes())
        except OSError as error:
            running.stop()
            theirs.close()
            raise NoSandbox(f"{error}; {_last_line(said)}") from None
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
