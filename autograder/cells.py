"""Runs a submission's cells in order, in a fresh module, and keeps every line's address.

Cell 2 is compiled under the file name `<cell 2>`, a script under `<submission>`: any frame or
traceback thereby tells its (cell, line). A cell that raises is recorded and the next one runs,
as in a notebook. IPython's syntax is understood; its magics and shell lines do nothing.
"""

from __future__ import annotations
import __future__

import ast
import inspect
import linecache
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType, FrameType, ModuleType
from typing import Any, Final, Literal, NoReturn

from autograder import magics
from autograder.submission import Cell, Submission

__all__ = [
    "Address",
    "CellError",
    "CellOf",
    "Loaded",
    "calls_of_frame",
    "cell_of",
    "filename",
    "frames",
    "run",
]

Address = tuple[int | None, int]
"""(cell, line); the cell is None in a script."""
CellOf = Callable[[str], int | None | Literal[False]]
"""The cell whose code has this file name: None for a script, False for none of the submission's."""

MAX_FRAMES: Final = 40
MAX_MESSAGE: Final = 2_000

_SCRIPT: Final = "<submission>"
_FUTURES: Final = sum(
    getattr(__future__, name).compiler_flag for name in __future__.all_feature_names
)
# Where it finds nothing the cell's syntax error is Python's own, and IPython stays unimported.
_IPYTHON: Final = re.compile(
    r"^[ \t]*([%!?]|>>>|In \[)|=[ \t]*[%!]|\?[ \t]*$|\A\s*^[ \t]+\S", re.MULTILINE
)
# Alone in a cell, IPython takes these for magics even without the % sign.
_INSTALL: Final = re.compile(r"\s*(pip3?|conda|mamba|uv)[ \t]+\w.*\s*")


@dataclass(frozen=True)
class CellError:
    """What a cell raised, as plain data: an exception would keep its frames' tensors alive."""

    kind: str  # the exception class's name
    message: str
    cell: int | None
    places: tuple[Address, ...]  # the submission's frames, outermost first


@dataclass(frozen=True)
class Loaded:
    """The submission's module as its cells left it, and what they raised, in order."""

    namespace: dict[str, Any]
    errors: tuple[CellError, ...]


@contextmanager
def run(submission: Submission, *, name: str = "__main__") -> Iterator[Loaded]:
    """Runs the cells as module `name`, which is importable (dataclasses, pickle) inside the block.

    On leaving, `sys.modules`, `sys.argv` and `linecache` are as they were before.
    """
    module = ModuleType(name)
    namespace = vars(module)
    namespace.update(get_ipython=_Nothing, display=_Nothing(), input=_input, exit=_exit, quit=_exit)
    entries: list[tuple[Any, str, object]] = [(sys.modules, name, module)]
    for cell in submission.cells:
        file = filename(cell.number)
        lines = [f"{line}\n" for line in cell.source.split("\n")]
        # Without a modification time linecache.checkcache() leaves the entry alone.
        entries.append((linecache.cache, file, (len(cell.source), None, lines, file)))
        if cell.number is None:
            module.__file__ = file  # scripts have one; it also gives inspect a class's source
    before = [(table, key, table.get(key)) for table, key, _ in entries]
    argv_before = sys.argv
    try:
        for table, key, entry in entries:
            table[key] = entry
        sys.argv = [submission.name]
        yield Loaded(namespace, tuple(_run_all(submission, namespace)))
    finally:
        sys.argv = argv_before
        for table, key, entry in before:
            if entry is None:
                table.pop(key, None)
            else:
                table[key] = entry


def filename(cell: int | None) -> str:
    """The file name that a cell's code objects carry."""
    return _SCRIPT if cell is None else f"<cell {cell}>"


def calls_of_frame(frame: FrameType | None, of: CellOf | None = None,
                   until: FrameType | None = None) -> list[Address]:
    """The submission's lines on the stack that ends in `frame`, innermost first.

    Made for the recorder, which asks at every operator: about 0.1 µs a frame.

    Args:
        of: tells the cell of a file name, where others than `run` have compiled the code.
        until: a frame below which none is the submission's.
    """
    of = of or cell_of
    found: list[Address] = []
    while frame is not until and frame is not None:
        cell = of(frame.f_code.co_filename)
        if cell is not False:
            found.append((cell, frame.f_lineno or 0))
        frame = frame.f_back
    return found


def frames(error: BaseException, of: CellOf | None = None) -> list[Address]:
    """The submission's lines in the error's traceback, outermost first.

    For a syntax error in the submission, that line too. Of a deep recursion both ends are kept.
    """
    of = of or cell_of
    found: list[Address] = []
    traceback = error.__traceback__
    while traceback is not None:
        cell = of(traceback.tb_frame.f_code.co_filename)
        if cell is not False:
            found.append((cell, traceback.tb_lineno))
        traceback = traceback.tb_next
    if isinstance(error, SyntaxError) and error.lineno:
        cell = of(str(error.filename))
        if cell is not False:
            found.append((cell, error.lineno))
    half = MAX_FRAMES // 2
    return found if len(found) <= MAX_FRAMES else found[:half] + found[-half:]


@lru_cache(maxsize=4096)
def cell_of(file: str) -> int | None | Literal[False]:
    """The cell whose code has this file name, by the names that `run` gives: see CellOf."""
    if file == _SCRIPT:
        return None
    match = re.fullmatch(r"<cell (\d{1,9})>", file)
    return int(match[1]) if match else False


def _run_all(submission: Submission, namespace: dict[str, Any]) -> Iterator[CellError]:
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    for cell in submission.cells:
        try:
            code = _compiled(cell, flags)
            if code is None:
                continue
            flags |= code.co_flags & _FUTURES  # `from __future__` holds for later cells too
            result = eval(code, namespace)
            if code.co_flags & inspect.CO_COROUTINE:
                import asyncio  # here, for hardly any submission awaits anything

                asyncio.run(result)
        except BaseException as error:  # SystemExit and KeyboardInterrupt are the student's too
            yield CellError(*_said(error), cell.number, tuple(frames(error)))


def _compiled(cell: Cell, flags: int) -> CodeType | None:
    """The cell's code; None if there is nothing to run in it."""
    file = filename(cell.number)
    try:
        return _python(cell.source, file, flags)
    except SyntaxError:
        if _INSTALL.fullmatch(cell.source):
            return None
        if not _IPYTHON.search(cell.source):
            raise
    source = magics.as_python(cell.source)
    return None if source is None else _python(source, file, flags)


def _python(source: str, file: str, flags: int) -> CodeType:
    code: CodeType = compile(source, file, "exec", flags, dont_inherit=True)
    return code


def _said(error: BaseException) -> tuple[str, str]:
    """Kind and message. An exception class may itself be faulty, its `__str__` for one."""
    try:
        message = error.msg if isinstance(error, SyntaxError) else str(error)
        return str(type(error).__name__), str(message)[:MAX_MESSAGE]
    except BaseException:
        return "Exception", ""


class _Nothing:
    """Stands in for IPython's shell: everything may be asked of it, and nothing happens."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # or copy, pickle and inspect take it for what it is not
            raise AttributeError(name)
        return self

    def getoutput(self, command: object) -> list[str]:  # `x = !ls`
        return []

    def __call__(self, *args: object, **kwargs: object) -> None:
        return None

    def __iter__(self) -> Iterator[Any]:
        return iter(())


def _input(prompt: object = "") -> NoReturn:
    raise EOFError("input() has nobody to ask while a program is graded: write the value down")


def _exit(*code: object) -> NoReturn:
    raise SystemExit(*code)
