"""The folder in which a zygote without mounts of its own lets its children write."""

from __future__ import annotations

import contextlib
import fcntl
import os
import subprocess
import tempfile
from pathlib import Path

PREFIX = "autograder-scratch."
"""Nobody calls a folder of their own that."""


class Scratch:
    """Made, and locked for as long as this process lives.

    Whoever is killed leaves one behind, unlocked: the next to come sweeps it away.
    """

    def __init__(self) -> None:
        _sweep()
        while True:
            self.path = tempfile.mkdtemp(prefix=PREFIX)
            self._lock = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)
            fcntl.flock(self._lock, fcntl.LOCK_EX)
            if Path(self.path).is_dir():  # nobody swept it away before it was locked
                return
            os.close(self._lock)

    def remove(self) -> None:
        """With all that is in it."""
        removing(self.path).wait()
        os.close(self._lock)


def _sweep() -> None:
    for left in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            lock = os.open(left, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                removing(str(left)).wait()
            finally:
                os.close(lock)


def removing(path: str) -> subprocess.Popen[bytes]:
    """Start to take a folder away, with all that is in it.

    By rm, not shutil.rmtree: that recurses, and folders can be nested by the thousand.
    """
    return subprocess.Popen(["rm", "-rf", "--", path], stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
