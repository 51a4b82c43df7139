"""A fresh Python process for one submission: portable, with deadlines, no security boundary."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from types import TracebackType
from typing import Any

from autograder import frames
from autograder.submission import Submission

THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")


class Lost(Exception):
    """The submission's process gave no answer; `why` is timeout, killed or memory-limit."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Process:
    """Use as a context manager. `ask` sends bytes and waits for bytes."""

    sandbox = "process"

    def __init__(self, submission: Submission, *, device: str = "cpu",
                 max_passes: int = 0) -> None:
        self._start = json.dumps({
            "submission": submission.to_plain(), "device": device, "max_passes": max_passes,
        }).encode()
        self._answers: queue.Queue[bytes | None] = queue.Queue()

    def __enter__(self) -> Process:
        self._scratch = tempfile.TemporaryDirectory(
            prefix="submission-", ignore_cleanup_errors=True)
        environment = {k: v for k, v in os.environ.items() if k not in THREADS}
        environment |= dict.fromkeys(THREADS, "1") | {"PYTHONHASHSEED": "0"}
        self._child = subprocess.Popen(
            [sys.executable, "-P", "-m", "autograder.probe"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=self._scratch.name,
            env=environment, start_new_session=True, bufsize=0,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 traceback: TracebackType | None) -> None:
        _kill(self._child)
        self._reader.join(timeout=5)
        for stream in (self._child.stdin, self._child.stdout):
            if stream is not None:
                stream.close()
        self._scratch.cleanup()

    def load(self, seconds: float) -> bytes:
        """Send the submission; the frame that says what came of running its cells."""
        return self.ask(self._start, seconds)

    def ask(self, frame: bytes, seconds: float) -> bytes:
        """Send one frame, wait for one.

        Raises:
            Lost: when none comes.
        """
        assert self._child.stdin is not None
        until = time.monotonic() + seconds
        try:
            frames.write(self._child.stdin.fileno(), frame)
            answer = self._answers.get(timeout=max(until - time.monotonic(), 0.01))
        except queue.Empty:
            raise Lost("timeout") from None
        except OSError:
            answer = None
        if answer is None:
            raise Lost("killed")
        return answer

    def _read(self) -> None:
        assert self._child.stdout is not None
        try:
            while (frame := frames.read(self._child.stdout.fileno())) is not None:
                self._answers.put(frame)
        except (frames.BadFrame, OSError, ValueError):
            pass
        self._answers.put(None)


def _kill(child: subprocess.Popen[Any]) -> None:
    """End the child and everything in its session."""
    if hasattr(os, "killpg"):
        import signal

        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
    child.kill()
    child.wait()
