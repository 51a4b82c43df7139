# says: same
import os
attempt("exec", lambda: os.execv("/bin/sh", ["sh", "-c", "true"]))
attempt("spawn", lambda: os.posix_spawn("/bin/true", ["true"], {}))
attempt("system", lambda: os.system("true") == 0 or 1 / 0)
attempt("double", lambda: os.fork() or os.setsid())
