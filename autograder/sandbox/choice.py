"""Which sandbox this machine allows, found out by trying."""

from __future__ import annotations

import functools
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from autograder.evidence import Loaded
from autograder.sandbox.process import Process
from autograder.sandbox.setup import Budget, NoSandbox
from autograder.submission import Cell, Submission

Witnesses = Callable[..., AbstractContextManager[Any]]
"""Take a submission, and `max_passes` where it is to be traced."""

NAMES: Final = ("full", "portable", "process")

# What succeeds leaves a name behind, and the names are what a loaded submission tells.
_BREAKOUT: Final = """
import os, socket
def attempt(name, act):
    try:
        act()
    except Exception:
        return
    globals()["escaped_" + name] = True
attempt("socket", lambda: socket.socket())
attempt("fork", lambda: os.fork() or os._exit(0))
attempt("exec", lambda: os.posix_spawn("/bin/true", ["true"], {}))
attempt("signal", lambda: os.kill(os.getppid(), 0))
attempt("read", lambda: open(OUTSIDE).read()[0])
attempt("-", lambda: open(OUTSIDE, "w").write("changed"))
"""


_INSIDE: Final = b"as it was"


class Refused(Exception):
    """The sandbox that was asked for is not to be had; the message says why."""


@dataclass(frozen=True)
class Sandbox:
    """Where submissions run: `witness` opens one's process; `warning` is for the instructor."""

    name: str
    witness: Witnesses
    warning: str = ""


@contextmanager
def sandbox(only: str | None = None, *, required: bool = False, budget: Budget | None = None,
            device: str = "cpu") -> Iterator[Sandbox]:
    """The strongest profile that works here, or `only` that one. Enter it in the main thread.

    On another device than the CPU there is none: an accelerator's driver needs what a sandbox
    takes away, and does not survive a fork.

    Raises:
        Refused: where one is required, or asked for by name, and not to be had.
    """
    with ExitStack() as stack:
        chosen: Sandbox | None = None
        why: list[str] = []
        kinds = NAMES[:2] if only is None else (only,) if only != "process" else ()
        if device != "cpu":
            kinds, why = (), [f"none can be had on {device}"]
        for kind in kinds:
            try:
                chosen = _zygote(kind, budget, stack)
                break
            except _Unfit as error:
                why.append(f"{kind}: {error}")
        if chosen is None:
            chosen = _bare(why, device)
        if only not in (None, "process") and chosen.name == "process":
            raise Refused(f"the sandbox asked for does not work here: {'; '.join(why)}.")
        if required and chosen.warning:
            raise Refused(
                f"{chosen.warning} Without --require-sandbox it would grade all the same.")
        yield chosen


class _Unfit(Exception):
    """A profile does not work here."""


def _zygote(kind: str, budget: Budget | None, stack: ExitStack) -> Sandbox:
    if not sys.platform.startswith("linux"):
        raise _Unfit("only Linux has one")
    from autograder.sandbox import landlock
    from autograder.sandbox.zygote import Zygote

    confined = kind == "full" or landlock.version() > 0
    with ExitStack() as trial:
        try:
            zygote = trial.enter_context(Zygote(
                "full" if kind == "full" else "portable",
                landlock=confined and kind != "full", budget=budget))
            holes = _escapes(zygote.witness)
        except (NoSandbox, OSError) as error:
            raise _Unfit(str(error)) from None
        if not confined:
            holes -= {"read"}
        if holes:
            raise _Unfit(f"a submission could still get at: {', '.join(sorted(holes))}")
        stack.push(trial.pop_all())
    return Sandbox(zygote.name, zygote.witness, "" if confined else (
        "This kernel has no Landlock and bubblewrap does not work here: submissions can read "
        "your files, though they cannot write, send or start anything."))


def _escapes(witness: Witnesses) -> set[str]:
    """Run a submission that tries the doors; which of them were open."""
    with tempfile.NamedTemporaryFile() as outside:
        outside.write(_INSIDE)
        outside.flush()
        source = f"OUTSIDE = {outside.name!r}\n{_BREAKOUT}"
        with witness(Submission("breakout.py", (Cell(None, source),), "")) as child:
            try:
                loaded = Loaded.model_validate_json(child.load(20))
            except Exception as error:
                raise _Unfit(f"a trial submission did not run ({error}: {child.note})") from None
        changed = Path(outside.name).read_bytes() != _INSIDE
    if "attempt" not in loaded.names:
        raise _Unfit(f"a trial submission did not run: {loaded.errors}")
    found = {n.removeprefix("escaped_") for n in loaded.names if n.startswith("escaped_")} - {"-"}
    return found | ({"write"} if changed else set())


def _bare(why: list[str], device: str) -> Sandbox:
    reasons = f" ({'; '.join(why)})" if why else ""
    return Sandbox("process", functools.partial(Process, device=device), (
        f"There is no sandbox{reasons}: submissions run with your rights, can read and change "
        "your files, and can reach the network. This is not a security boundary."))
