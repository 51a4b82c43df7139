"""The warmed process that forks one child a submission: `python -m autograder.sandbox.forks FD`.

It never sees a submission's source. A request brings three descriptors: the child's ends of the
two pipes to the judge, and a socket for the child's fate. When the judge closes its end of that,
the child is killed; when the child has ended, how it did is written there. Another request, which
brings none, is to warm up for optimisers: those who grade none need not wait for that.
"""

from __future__ import annotations

import contextlib
import os
import resource
import secrets
import selectors
import signal
import socket
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from autograder.sandbox import child, kernel, landlock, places, warming
from autograder.sandbox.scratch import removing
from autograder.sandbox.setup import OPTIMIZERS, READY, Ending, Setup

PATROL = 0.1
"""Seconds between two looks at the scratch folders, where no mount keeps them small."""


@dataclass
class _Live:
    """A child that runs."""

    pid: int
    handle: int
    fate: socket.socket
    scratch: str
    base: int
    note: str = ""


class Forks:
    """The loop."""

    def __init__(self, control: socket.socket, setup: Setup) -> None:
        self._control = control
        self._setup = setup
        self._selector = selectors.DefaultSelector()
        self._selector.register(control, selectors.EVENT_READ)
        self._live: dict[int, _Live] = {}
        self._statm = os.open("/proc/self/statm", os.O_RDONLY)  # later, Landlock hides it
        self._measure()
        self._sweepers: list[subprocess.Popen[bytes]] = []

    def run(self) -> None:
        """Until the judge closes the control socket."""
        while True:
            patrols = self._setup.kind == "portable" and self._live
            for key, _ in self._selector.select(PATROL if patrols else None):
                if key.fileobj is self._control:
                    if not self._accept():
                        return
                    continue
                live = self._live.get(key.data)
                if live is None:
                    continue
                if key.fileobj is live.fate:  # the judge has had enough
                    self._selector.unregister(live.fate)
                    _kill(live.pid)
                else:
                    self._bury(live)
            if patrols:
                self._patrol()

    def close(self) -> None:
        """Kill and bury whatever is left, and leave no file behind."""
        for live in list(self._live.values()):
            _kill(live.pid)
            self._bury(live)
        if self._setup.kind == "portable":
            for path in Path(self._setup.scratch).iterdir():
                self._remove(str(path))
        for each in self._sweepers:
            each.wait()

    def _measure(self) -> None:
        """A child's budget comes on top of what we are."""
        pages = int(os.pread(self._statm, 200, 0).split()[0])
        self._resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        self._prepared = child.Prepared.by(self._setup, pages * resource.getpagesize())

    def _accept(self) -> bool:
        message, descriptors, _, _ = socket.recv_fds(self._control, 64, 3)
        if not message:
            return False
        if message == OPTIMIZERS:
            warming.warm_up_optimizers()
            self._measure()
            self._control.send(READY)
            return True
        inward, outward, fate = descriptors
        scratch = self._scratch()
        pid = os.fork()
        if pid == 0:
            child.run(self._prepared, scratch, inward, outward)
        os.close(inward)
        os.close(outward)
        live = _Live(pid, os.pidfd_open(pid), socket.socket(fileno=fate), scratch, self._resident)
        self._live[pid] = live
        self._selector.register(live.fate, selectors.EVENT_READ, pid)
        self._selector.register(live.handle, selectors.EVENT_READ, pid)
        return True

    def _bury(self, live: _Live) -> None:
        _, status, used = os.wait4(live.pid, 0)
        del self._live[live.pid]
        self._selector.unregister(live.handle)
        with contextlib.suppress(KeyError):
            self._selector.unregister(live.fate)
        os.close(live.handle)
        ending = Ending(
            signal=os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0,
            status=os.WEXITSTATUS(status) if os.WIFEXITED(status) else 0,
            cpu=used.ru_utime + used.ru_stime, grown=used.ru_maxrss * 1024 - live.base,
            note=live.note)
        with contextlib.suppress(OSError):
            live.fate.send(ending.to_bytes())
        live.fate.close()
        if self._setup.kind == "portable":
            self._remove(live.scratch)

    def _scratch(self) -> str:
        """The child's folder. In the full profile each mounts its own over the same empty one."""
        if self._setup.kind == "full":
            return self._setup.scratch
        path = f"{self._setup.scratch}/{secrets.token_hex(16)}"
        Path(path).mkdir(mode=0o700)
        return path

    def _remove(self, path: str) -> None:
        """Take a scratch folder away, without making the next submission wait for the disk."""
        self._sweepers = [each for each in self._sweepers if each.poll() is None]
        try:
            Path(path).rmdir()
        except OSError:
            self._sweepers.append(removing(path))

    def _patrol(self) -> None:
        """Files are bounded one by one; nothing in the kernel bounds how many there are."""
        budget = self._setup.budget
        for live in self._live.values():
            with contextlib.suppress(OSError):
                size, count = child.folder_size(Path(live.scratch), budget.files)
                if size > budget.scratch or count > budget.files:
                    live.note = "it filled its scratch folder"
                    _kill(live.pid)


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def main() -> None:
    """Warm up, say so, and fork."""
    control = socket.socket(fileno=int(sys.argv[1]))
    setup = Setup.from_bytes(control.recv(1 << 16))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the judge, who then lets go of us
    warming.warm_up()
    forks = Forks(control, setup)
    kernel.prctl(kernel.SET_NO_NEW_PRIVS, 1)
    if setup.landlock:
        landlock.restrict(places.readable(), writable=[setup.scratch, os.devnull])
    kernel.prctl(kernel.SET_DUMPABLE, 0)
    control.send(READY)
    try:
        forks.run()
    finally:
        forks.close()


if __name__ == "__main__":
    main()
