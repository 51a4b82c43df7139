# says: killed no-update
import ctypes, os
if os.uname().machine == "x86_64":
    ctypes.CDLL(None).syscall(0x40000000 + 39)
