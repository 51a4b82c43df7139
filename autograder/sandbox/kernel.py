"""The few Linux calls that Python has no function for."""

from __future__ import annotations

import ctypes
import os

SET_PDEATHSIG, SET_DUMPABLE, SET_NO_NEW_PRIVS = 1, 4, 38
_CLONE_THREAD, _CLONE_NEWNS = 0x00010000, 0x00020000
_MS_NOSUID, _MS_NODEV, _MS_NOEXEC, _MS_REC, _MS_PRIVATE = 2, 4, 8, 1 << 14, 1 << 18
_MNT_DETACH = 2
_CAPABILITY_VERSION_3 = 0x20080522
_SYS_CAPSET = {"x86_64": 126, "aarch64": 91}


def prctl(option: int, value: int) -> None:
    """prctl(2)."""
    _checked(_libc().prctl(option, value, 0, 0, 0))


def is_single_threaded() -> bool:
    """Whether this process has one thread, native ones counted: else CLONE_THREAD is refused."""
    return bool(_libc().unshare(_CLONE_THREAD) == 0)


def private_folder(path: str, size: int, files: int) -> None:
    """Mount an empty folder at `path` that this process alone sees, and take /proc away from it.

    The kernel keeps to the caps on bytes and files, and drops all of it when the process ends.
    """
    libc = _libc()
    _checked(libc.unshare(_CLONE_NEWNS))
    _checked(libc.mount(None, b"/", None, _MS_REC | _MS_PRIVATE, None))
    options = f"size={size},nr_inodes={files},mode=700"
    _checked(libc.mount(b"scratch", path.encode(), b"tmpfs",
                        _MS_NOSUID | _MS_NODEV | _MS_NOEXEC, options.encode()))
    _checked(libc.umount2(b"/proc", _MNT_DETACH))


def drop_capabilities() -> None:
    """Give up every capability, for good: with no_new_privs and no exec none comes back."""
    number = _SYS_CAPSET.get(os.uname().machine)
    if number is None:
        raise OSError("capset: this machine's system call numbers are not known")
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    nothing = (ctypes.c_uint32 * 6)()
    _checked(_libc().syscall(ctypes.c_long(number), header, nothing))


def syscall(number: int, *arguments: object) -> int:
    """A system call by number; raises OSError."""
    return _checked(_libc().syscall(ctypes.c_long(number), *arguments))


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
