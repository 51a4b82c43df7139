"""The notebook that is open: its state, and a witness that questions it in its own process.

It is the student's own machine, so nothing is isolated here. Functions are called as they stand in
the kernel's namespace; `cell 3` is what ran as In [3].
"""

from __future__ import annotations

import ctypes
import gc
import hashlib
import random
import re
import sys
import threading
import time
from collections.abc import Container, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

import torch

from autograder import cells
from autograder.engine import defined_names
from autograder.evidence import Failure, Loaded, Spot
from autograder.probe.serve import QUESTION
from autograder.probe.session import Session, printing_to
from autograder.sandbox.process import Lost
from autograder.submission import Cell, Submission

NAME = "this notebook"
_ASKING = re.compile(r"\s*(#.*|(\w+ = )?(grader\.|check\(|points\().*|from autograder\S* import .*"
                     r"|import otter|grader = otter\..*|%.*)?\s*")
_PLACE = re.compile(r"Cell In\[(\d+)\], line (\d+)")
_COLOURS = re.compile(r"\x1b\[[\d;]*m")


@dataclass(frozen=True)
class State:
    """What was run, and what it has left behind. Equal where asking again would tell the same."""

    key: tuple[Any, ...]
    submission: Submission = field(compare=False)
    namespace: Mapping[str, Any] = field(compare=False)
    files: Mapping[str, int | None] = field(compare=False, default_factory=dict)
    """The file name of each cell's code → its number."""
    errors: tuple[Failure, ...] = field(compare=False, default=())


def of_shell(shell: Any) -> State:
    """The state of an IPython shell."""
    history = shell.history_manager
    raw, parsed = history.input_hist_raw, history.input_hist_parsed
    failed: Mapping[int | None, Any] = getattr(history, "exceptions", {})
    ran = [Cell(number, raw[number]) for number in range(1, len(raw)) if raw[number].strip()]
    files: dict[str, int | None] = {}
    for number in range(1, len(raw)):
        for end in ("", "\n"):  # the history drops the last line end, from which names are made
            name = shell.compile.get_code_name(raw[number] + end, parsed[number] + end, number)
            files[name] = number
    kept = tuple(in_force(ran, failed))
    errors = tuple(_failure(failed[n]) for cell in kept if (n := cell.number) in failed)
    return _state(shell.user_ns, kept, files, errors)


def of_globals(namespace: Mapping[str, Any]) -> State:
    """The state of a script that is running, or of a plain Python prompt."""
    file = str(namespace.get("__file__") or "")
    try:
        with open(file, encoding="utf-8") as opened:  # noqa: PTH123 - a file name, perhaps ''
            source = opened.read()
    except (OSError, ValueError):
        source = ""
    return _state(namespace, (Cell(None, source),), {file: None}, ())


def in_force(ran: list[Cell], failed: Container[int | None]) -> Iterator[Cell]:
    """The cells whose names later cells have not all bound anew, in order."""
    bound: set[str] = set()
    kept = []
    for cell in reversed(ran):
        names = defined_names(Submission("", (cell,), ""))
        if not names or not names <= bound:
            kept.append(cell)
        if cell.number not in failed:
            bound |= names
    yield from reversed(kept)


def _state(namespace: Mapping[str, Any], kept: tuple[Cell, ...],
           files: Mapping[str, int | None], errors: tuple[Failure, ...]) -> State:
    copy = {name: value for name, value in namespace.items() if _counts(name, value)}
    acting = [c.source for c in kept if not all(map(_ASKING.fullmatch, c.source.split("\n")))]
    sources = hashlib.sha256("\n\n".join(acting).encode("utf-8", "replace")).hexdigest()
    # The copy keeps the objects alive, so that no later one can have the same id.
    key = (sources, *sorted((name, id(value)) for name, value in copy.items()))
    return State(key, Submission(NAME, kept, sources), copy, files, errors)


def _counts(name: str, value: object) -> bool:
    """Whether a name is the student's, and not the shell's, otter's or ours."""
    homes = (getattr(value, "__module__", None), type(value).__module__)
    ours = any(str(home).split(".")[0] in ("otter", "autograder") for home in homes)
    return not name.startswith("_") and name not in ("In", "Out", "exit", "quit", "get_ipython") \
        and not ours


def _failure(stored: Mapping[str, Any]) -> Failure:
    text = _COLOURS.sub("", "\n".join(map(str, stored.get("traceback", ()))))
    frames = [Spot(cell=int(c), line=int(n)) for c, n in _PLACE.findall(text)]
    return Failure(kind=str(stored.get("ename", "Exception"))[:4000],
                   message=str(stored.get("evalue", ""))[:4000], frames=frames[:200])


class Live(Session):
    """A session on what is there already: no cell is run again."""

    sandbox = "none"

    def __init__(self, state: State) -> None:
        super().__init__(state.submission)
        self._state = state
        self._cell_of = self._by_kernel

    def _by_kernel(self, file: str) -> int | None | Literal[False]:
        """Code that the kernel compiled has an address in the notebook, too."""
        files = self._state.files
        return files[file] if file in files else cells.cell_of(file)

    def __enter__(self) -> Live:
        for manager in (self._catching_warnings(), printing_to(self._output),
                        _keeping_random_state()):
            self._stack.enter_context(manager)
        gc.freeze()  # the recorder collects garbage, and need not look at all that was imported
        self._stack.callback(gc.unfreeze)
        self.namespace = dict(self._state.namespace)
        self.loaded = Loaded(names=sorted(self.namespace)[:500], torch=torch.__version__,
                             errors=list(self._state.errors))
        return self

    def load(self, seconds: float) -> bytes:
        """What there is."""
        return self.loaded.model_dump_json().encode()

    def ask(self, frame: bytes, seconds: float) -> bytes:
        """Answer one question, in a thread: its stack begins with us and not with the cell that
        asked, it can be stopped at its deadline, and `asyncio.run` works in it.

        Raises:
            Lost: at the deadline.
        """
        question = QUESTION.validate_json(frame)
        answers: list[Any] = []
        worker = threading.Thread(
            target=lambda: answers.append(self.answer(question)), daemon=True)
        worker.start()
        until = time.monotonic() + seconds
        try:
            while worker.is_alive() and time.monotonic() < until:
                worker.join(0.1)
        except KeyboardInterrupt:
            _stop(worker)
            raise
        if worker.is_alive():
            _stop(worker)
            raise Lost("timeout")
        if not answers:
            raise Lost("killed")
        return bytes(answers[0].model_dump_json(), "utf-8")


def _stop(worker: threading.Thread) -> None:
    """Raise SystemExit in a thread, again and again where it is caught, for two seconds."""
    for _ in range(20):
        if worker.is_alive() and worker.ident is not None:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                ctypes.c_ulong(worker.ident), ctypes.py_object(SystemExit))
            worker.join(0.1)


@contextmanager
def _keeping_random_state() -> Iterator[None]:
    """The questions' seeds do not reach the student's own experiments."""
    numpy = sys.modules.get("numpy")
    before = random.getstate(), torch.get_rng_state(), numpy and numpy.random.get_state()
    try:
        yield
    finally:
        random.setstate(before[0])
        torch.set_rng_state(before[1])
        if numpy:
            numpy.random.set_state(before[2])
