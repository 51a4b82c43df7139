"""What a jail must show for Python and torch to run, and what it must not show."""

from __future__ import annotations

import site
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import autograder

SYSTEM = ("/usr", "/lib", "/lib64", "/lib32", "/bin", "/sbin", "/nix/store", "/etc/ld.so.cache",
          "/etc/localtime", "/sys/devices/system/cpu")
DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")
# The student's half needs none of these; grading.yml holds the seed of the secret cases.
_JUDGES = ("grading.yml", "exercises", "checks", "diagnoses")


def package() -> Path:
    """The folder of this very package."""
    return Path(str(autograder.__file__)).parent


def libraries() -> list[Path]:
    """Interpreter and installed packages: never the project's root, even if it is on the path."""
    places = sysconfig.get_paths()
    paths = {Path(p) for p in (sys.prefix, sys.base_prefix, sys.exec_prefix,
                               places["stdlib"], places["purelib"], places["platlib"],
                               *(p for p in sys.path if p.startswith(site.getuserbase())))}
    if Path("/") in paths:
        raise OSError("the interpreter is installed at the root of the file system")
    outer = [p for p in paths if not any(q != p and p.is_relative_to(q) for q in paths)]
    return sorted(p for p in outer if p.exists() and not _in_system(p))


def readable() -> list[Path]:
    """All that a child may read, where whole folders can be allowed but nothing in them hidden."""
    own = package()
    allowed = [Path(p) for p in (*SYSTEM, *DEVICES)]
    for path in libraries():
        allowed += _around(path, own) if own.is_relative_to(path) else [path]
    return [*allowed, *(p for p in own.iterdir() if p not in hidden() and not p.is_symlink())]


def hidden() -> list[Path]:
    """The parts of this package that a child must not read, where they are really there."""
    return [path for path in (package() / name for name in _JUDGES)
            if path.exists() and not path.is_symlink()]


def _around(folder: Path, inner: Path) -> Iterator[Path]:
    """What is in `folder`, without `inner`."""
    for path in folder.iterdir():
        if inner.is_relative_to(path):
            if path != inner:
                yield from _around(path, inner)
        else:
            yield path


def _in_system(path: Path) -> bool:
    return any(path.is_relative_to(each) for each in SYSTEM)
