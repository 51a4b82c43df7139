"""Landlock: which files this process, and all it forks, may touch. Needs no privilege.

The kernel's own documentation: https://docs.kernel.org/userspace-api/landlock.html
"""

from __future__ import annotations

import contextlib
import ctypes
import os
from collections.abc import Iterable
from pathlib import Path

from autograder.sandbox import kernel

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # the same on every architecture
_EXECUTE, _WRITE, _READ, _LIST = 1, 1 << 1, 1 << 2, 1 << 3
_REMOVE_DIR, _REMOVE_FILE, _MAKE_DIR, _MAKE_FILE = 1 << 4, 1 << 5, 1 << 7, 1 << 8
_TRUNCATE = 1 << 14
_ON_FILES = _EXECUTE | _WRITE | _READ | _TRUNCATE | 1 << 15
_READING = _EXECUTE | _READ | _LIST
_WRITING = _WRITE | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_FILE | _TRUNCATE

# Rights on files that each version of the interface knows, and so can refuse.
_KNOWN = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}


class _Ruleset(ctypes.Structure):
    _fields_ = [("files", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64)]


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32)]


def version() -> int:
    """Of the kernel's interface; 0 where there is none."""
    try:
        return kernel.syscall(_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(1))
    except OSError:
        return 0


def restrict(readable: Iterable[str | Path], writable: Iterable[str | Path] = ()) -> None:
    """From here on only these files, and what is beneath them, can be opened.

    Restrictions add up: a second call can only take away. TCP, and signals and abstract sockets
    to processes outside, go too where the kernel can refuse them. Needs no_new_privs.
    """
    abi = version()
    known = _KNOWN[max(v for v in _KNOWN if v <= abi)]
    ruleset = _Ruleset(known, 3 if abi >= 4 else 0, 3 if abi >= 6 else 0)
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8
    descriptor = kernel.syscall(
        _CREATE, ctypes.byref(ruleset), ctypes.c_size_t(size), ctypes.c_uint32(0))
    try:
        for path in readable:
            _allow(descriptor, path, _READING & known)
        for path in writable:
            _allow(descriptor, path, (_READING | _WRITING) & known)
        kernel.syscall(_RESTRICT, ctypes.c_int(descriptor), ctypes.c_uint32(0))
    finally:
        os.close(descriptor)


def _allow(ruleset: int, path: str | Path, rights: int) -> None:
    with contextlib.suppress(FileNotFoundError):
        parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            if not Path(path).is_dir():
                rights &= _ON_FILES
            rule = _Beneath(rights, parent)
            kernel.syscall(
                _ADD, ctypes.c_int(ruleset), ctypes.c_int(1), ctypes.byref(rule),
                ctypes.c_uint32(0))
        finally:
            os.close(parent)
