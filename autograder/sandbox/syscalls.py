"""Which system calls a submission may make: a list of what is allowed, all else is EPERM.

Not on it, among others: making a process or a thread, exec, sockets, ptrace, process_vm_*,
memfd, shared memory, namespaces, mounts, io_uring, bpf, perf, keys, links, chmod, chown.
"""

from __future__ import annotations

import errno
import os
import socket
from importlib import import_module
from typing import Any

__all__ = ["Filter"]

_FREELY = """
read write readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2 lseek close close_range
stat fstat lstat newfstatat fstatat64 statx statfs fstatfs access faccessat faccessat2
readlink readlinkat getdents getdents64 getcwd chdir fchdir umask
dup dup2 dup3 fcntl pipe pipe2 eventfd eventfd2 flock fsync fdatasync ftruncate fadvise64 sendfile
copy_file_range fallocate
poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2
timerfd_create timerfd_settime timerfd_gettime sendto recvfrom shutdown getsockname getsockopt
mmap mprotect munmap mremap madvise brk mincore msync membarrier
futex set_robust_list get_robust_list rseq set_tid_address arch_prctl
rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigsuspend sigaltstack
restart_syscall pause alarm setitimer getitimer wait4 waitid
clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time times
getpid getppid gettid getuid geteuid getgid getegid getgroups getresuid getresgid getpgid getpgrp
getsid getrlimit getrusage sysinfo uname getrandom getcpu sched_getaffinity sched_yield
sched_getparam sched_getscheduler sched_get_priority_max sched_get_priority_min getpriority
exit exit_group
"""
_CHANGING_FILES = """
open creat mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 truncate
"""
_OWN_NAME = (15, 16)  # prctl: PR_SET_NAME, PR_GET_NAME
_HARMLESS_IOCTLS = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
"""TCGETS (isatty), TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX."""
_STREAM_KIND = 0xF


class Filter:
    """Made once, before any fork, for it takes a while; loaded by each child.

    Args:
        may_write: whether something else (a mount, Landlock) bounds where files can be written;
            where nothing does, none can.
    """

    def __init__(self, *, may_write: bool) -> None:
        # By name, for it is untyped; here, for it exists on Linux alone.
        self._library = library = import_module("pyseccomp")
        self._rules = library.SyscallFilter(defaction=library.ERRNO(errno.EPERM))
        equal, masked, Arg = library.EQ, library.MASKED_EQ, library.Arg
        for name in _FREELY.split():
            self._allow(name)
        if may_write:
            for name in ("openat", *_CHANGING_FILES.split()):
                self._allow(name)
        else:
            changing = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
            self._allow("openat", Arg(2, masked, changing, 0))
            self._allow("open", Arg(1, masked, changing, 0))
        self._allow("prlimit64", Arg(0, equal, 0))
        for option in _OWN_NAME:
            self._allow("prctl", Arg(0, equal, option))
        for request in _HARMLESS_IOCTLS:
            self._allow("ioctl", Arg(1, equal, request))
        # asyncio wakes itself through a pair. A stream cannot be sent elsewhere, a datagram can.
        self._allow("socketpair", Arg(0, equal, int(socket.AF_UNIX)),
                    Arg(1, masked, _STREAM_KIND, int(socket.SOCK_STREAM)))

    def load(self) -> None:
        """Confine this process. Needs no_new_privs, or sets it."""
        own = self._library.Arg(0, self._library.EQ, os.getpid())
        for name in ("kill", "tgkill", "tkill"):  # abort() signals itself
            self._allow(name, own)
        self._rules.load()

    def _allow(self, name: str, *arguments: Any) -> None:
        try:
            number = self._library.resolve_syscall(self._library.Arch.NATIVE, name)
        except (OSError, ValueError):
            return
        if number >= 0:  # negative: this architecture has no such call
            self._rules.add_rule(self._library.ALLOW, number, *arguments)
