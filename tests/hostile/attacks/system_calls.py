# says: same
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def call(name, number, *arguments):
    if libc.syscall(number, *arguments) >= 0:
        globals()["escaped_" + name] = True
if os.uname().machine == "x86_64":
    call("ptrace", 101, 16, os.getppid(), 0, 0)
    call("vm_readv", 310, os.getppid(), 0, 0, 0, 0, 0)
    call("memfd", 319, b"x", 0)
    call("unshare", 272, 0x10000000)
    call("setns", 308, 3, 0)
    call("mount", 165, b"x", b"/", b"tmpfs", 0, 0)
    call("io_uring", 425, 4, ctypes.create_string_buffer(200))
    call("keyctl", 250, 0, -3, 1)
    call("bpf", 321, 0, ctypes.create_string_buffer(200), 100)
    call("perf", 298, ctypes.create_string_buffer(200), 0, -1, -1, 0)
    call("shmget", 29, 0, 4096, 0o1600)
    call("clone", 56, 17, 0, 0, 0, 0)
    call("clone3", 435, ctypes.create_string_buffer(88), 88)
    call("seccomp", 317, 0, 0, 0)
    call("userfaultfd", 323, 0)
    call("chroot", 161, b"/")
    call("setuid", 105, 0)
    call("tiocsti", 16, 0, 0x5412, b"x")
