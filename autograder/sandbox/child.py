"""What a forked child does before it serves: let go of everything, then confine itself.

The order matters: what needs a privilege or a file comes first, the filter on system calls last.
"""

from __future__ import annotations

import fcntl
import os
import resource
import signal
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from autograder.probe.serve import serve
from autograder.sandbox import kernel, landlock, places, syscalls
from autograder.sandbox.setup import OUT_OF_MEMORY, Budget, Setup

INWARD, OUTWARD = 3, 4


@dataclass(frozen=True)
class Prepared:
    """What is the same for all children, made ready before they are forked."""

    setup: Setup
    filter: syscalls.Filter
    readable: tuple[str | Path, ...]
    """What a child may open; whole folders, for its parent has taken away what is hidden there."""
    size: int
    """Bytes of address space that the parent has: Python, torch and all."""
    parent: int
    """Its process id."""

    @classmethod
    def by(cls, setup: Setup, size: int) -> Prepared:
        """By the calling process."""
        return cls(
            setup, syscalls.Filter(may_write=setup.kind == "full" or setup.landlock),
            (*places.SYSTEM, *places.DEVICES, *places.libraries(), places.package()),
            size, os.getpid())


def run(prepared: Prepared, scratch: str, inward: int, outward: int) -> NoReturn:
    """Serve one submission over two descriptors and end, without clean-up of any kind."""
    status = 1
    try:
        os.setsid()
        kernel.prctl(kernel.SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() == prepared.parent:
            _keep_only(inward, outward)
            _confine(prepared, scratch)
            serve(INWARD, OUTWARD)
            status = 0
    except MemoryError:
        status = OUT_OF_MEMORY
    finally:
        os._exit(status)


def _keep_only(inward: int, outward: int) -> None:
    """Let go of the parent's descriptors; standard input and output lead nowhere."""
    first, second = (fcntl.fcntl(d, fcntl.F_DUPFD, 10) for d in (inward, outward))
    nowhere = os.open(os.devnull, os.O_RDWR)
    for target, source in enumerate((nowhere, nowhere, nowhere, first, second)):
        if source != target:
            os.dup2(source, target)
    os.closerange(OUTWARD + 1, resource.getrlimit(resource.RLIMIT_NOFILE)[0])


def _confine(prepared: Prepared, scratch: str) -> None:
    setup = prepared.setup
    os.environ.clear()
    os.environ.update(HOME=scratch, TMPDIR=scratch, LANG="C.UTF-8")
    tempfile.tempdir = scratch
    sys.argv[:] = [""]
    sys.setrecursionlimit(2000)  # as in autograder.probe
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    if setup.kind == "full":
        kernel.private_folder(scratch, setup.budget.scratch, setup.budget.files)
    os.chdir(scratch)
    kernel.prctl(kernel.SET_NO_NEW_PRIVS, 1)
    if setup.landlock:
        landlock.restrict(prepared.readable, writable=[scratch, os.devnull])
    _limit(setup.budget, prepared.size)
    kernel.prctl(kernel.SET_DUMPABLE, 0)  # nobody of the same user looks into /proc/<this>
    kernel.drop_capabilities()
    prepared.filter.load()


def _limit(budget: Budget, size: int) -> None:
    limits = {
        resource.RLIMIT_AS: size + budget.memory,
        resource.RLIMIT_CPU: budget.cpu,
        resource.RLIMIT_FSIZE: budget.file_size,
        resource.RLIMIT_NOFILE: budget.descriptors,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MEMLOCK: 0,
    }
    for kind, most in limits.items():
        hard = resource.getrlimit(kind)[1]
        if hard != resource.RLIM_INFINITY:
            most = min(most, hard)
        # SIGXCPU at the soft limit can be ignored; at the hard one, a second later, comes SIGKILL.
        soft = max(most - 1, 1) if kind == resource.RLIMIT_CPU else most
        resource.setrlimit(kind, (soft, most))


def folder_size(folder: Path, most: int) -> tuple[int, int]:
    """Bytes and number of what lies in a folder, looking at no more than `most` of it."""
    size = count = 0
    todo = [str(folder)]
    while todo and count <= most:
        with os.scandir(todo.pop()) as entries:
            for entry in entries:
                count += 1
                size += entry.stat(follow_symlinks=False).st_size
                if entry.is_dir(follow_symlinks=False):
                    todo.append(entry.path)
                if count > most:
                    break
    return size, count
