"""The command line of bubblewrap: a file system with Python and torch in it and nothing else."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from autograder.sandbox import places

SCRATCH = "/autograder-scratch"
"""Small and the zygote's own; each child mounts another one over it. Not /tmp: the interpreter
may be installed there."""


def command(bwrap: str, inner: list[str]) -> list[str]:
    """`inner` in a jail: no network, no other processes, everything read-only.

    CAP_SYS_ADMIN holds within the jail's own user namespace alone; the zygote needs it to give
    each child a folder of its own, and each child then drops it.
    """
    line = [bwrap, "--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net",
            "--unshare-uts", "--unshare-cgroup-try", "--die-with-parent", "--new-session",
            "--cap-drop", "ALL", "--cap-add", "CAP_SYS_ADMIN"]
    for name in places.SYSTEM:
        path = Path(name)
        if path.is_symlink():  # /lib on most systems: usr/lib
            line += ["--symlink", str(path.readlink()), name]
        elif path.exists():
            line += ["--ro-bind", name, name]
    for name in places.DEVICES:
        line += ["--dev-bind", name, name]
    own = places.package()
    for each in (*places.libraries(), own):
        line += ["--ro-bind", str(each), str(each)]
    for each in places.hidden():
        line += ["--tmpfs", str(each)] if each.is_dir() else ["--ro-bind", os.devnull, str(each)]
    return [*line, "--proc", "/proc", "--size", str(1 << 20), "--tmpfs", SCRATCH,
            "--remount-ro", "/", "--chdir", SCRATCH, "--", *inner]


def find() -> str | None:
    """bubblewrap, if it is installed."""
    return shutil.which("bwrap")
