# says: same
import atexit, os, weakref
class Late:
    def __del__(self):
        os.write(4, b"\x00\x00\x00\x02{}")
late = Late()
atexit.register(lambda: os.write(4, b"\x00\x00\x00\x02{}"))
