"""The warmed process that forks one child a submission: `python -m autograder.sandbox.forks FD`.

It never sees a submission's source. A request brings three descriptors: the child's ends of the
two pipes to the judge, and a socket for the child's fate. When the judge closes its end of that,
the child is killed; when the child has ended, how it did is written there.
"""

from __future__ import annotations

import contextlib
import gc
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

from autograder.sandbox import child, kernel, landlock, places
from autograder.sandbox.setup import Ending, Setup

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
        size, self._resident = _memory()
        self._prepared = child.Prepared.by(setup, size)
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

    def _accept(self) -> bool:
        message, descriptors, _, _ = socket.recv_fds(self._control, 64, 3)
        if not message:
            return False
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
        """Take a scratch folder away, without making the next submission wait for the disk.

        By rm, not shutil.rmtree: that recurses, and folders can be nested by the thousand.
        """
        self._sweepers = [each for each in self._sweepers if each.poll() is None]
        try:
            Path(path).rmdir()
        except OSError:
            self._sweepers.append(subprocess.Popen(
                ["rm", "-rf", "--", path], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL))

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


def _memory() -> tuple[int, int]:
    """Bytes of address space and of memory."""
    with open("/proc/self/statm") as file:  # noqa: PTH123 - one line, once
        pages = file.read().split()
    resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return int(pages[0]) * resource.getpagesize(), resident


WARM_UP = """
import torch
from torch import nn

def make_data(seed):
    return torch.rand(4, 2), torch.rand(4, 1)

def train(X, Y, steps=1, seed=0):
    torch.manual_seed(seed)
    layer = nn.Linear(2, 1)
    for kind in (torch.optim.SGD, torch.optim.Adam):
        optimizer = kind(layer.parameters())
        nn.MSELoss()(layer(X), Y).backward()
        optimizer.step()
    nn.Conv2d(1, 1, 2)(torch.rand(1, 1, 4, 4)).sum().backward()
    return layer, [0.0]
"""
"""Touches what most submissions touch. It learns nothing."""


def warm_up() -> None:
    """Do once, before any fork, what every submission does first; then stand still.

    What is imported and initialised here is shared by all children and costs them nothing.
    """
    import IPython.core.inputtransformer2  # noqa: F401 - notebooks with magics need it
    import torch

    from autograder.evidence import Train
    from autograder.probe.session import Session
    from autograder.submission import Cell, Submission

    torch.set_num_threads(1)
    with Session(Submission("warm_up.py", (Cell(None, WARM_UP),), "")) as session:
        session.answer(Train(steps=1, record=True)).model_dump_json()
    initialised = torch.cuda.is_initialized()  # type: ignore[no-untyped-call]
    assert not initialised, "CUDA must not be initialised before a fork"
    assert kernel.is_single_threaded(), "a fork copies one thread only, and there are others"
    gc.collect()
    gc.freeze()


def main() -> None:
    """Warm up, say so, and fork."""
    control = socket.socket(fileno=int(sys.argv[1]))
    setup = Setup.from_bytes(control.recv(1 << 16))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the judge, who then lets go of us
    warm_up()
    forks = Forks(control, setup)
    kernel.prctl(kernel.SET_NO_NEW_PRIVS, 1)
    if setup.landlock:
        landlock.restrict(places.readable(), writable=[setup.scratch, os.devnull])
    kernel.prctl(kernel.SET_DUMPABLE, 0)
    control.send(b"ready")
    try:
        forks.run()
    finally:
        forks.close()


if __name__ == "__main__":
    main()
