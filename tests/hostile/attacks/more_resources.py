# says: same
import resource
for name in ("AS", "CPU", "FSIZE", "NOFILE", "CORE"):
    number = getattr(resource, "RLIMIT_" + name)
    attempt(name, lambda: resource.setrlimit(number, (resource.RLIM_INFINITY,) * 2))
