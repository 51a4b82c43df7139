# says: same
import os, signal
for pid in (-1, 0, *range(2, 40_000)):
    if pid != os.getpid():
        try:
            os.kill(pid, signal.SIGKILL)
            escaped_kill = True
        except OSError:
            pass
