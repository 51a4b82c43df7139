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
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from types import CodeType, FrameType, ModuleType
from typing import Any, Final, Literal, NoReturn

from autograder.submission import Cell, Submission

__all__ = [
    "Address",
    "CellError",
    "Loaded",
    "calls_of_frame",
    "filename",
    "frames",
    "place_of_frame",
    "run",
]

Address = tuple[int | None, int]
"""(cell, line); the cell is None in a script."""

MAX_FRAMES: Final = 40
MAX_MESSAGE: Final = 2_000
MAX_MAGICS: Final = 1_000

_SCRIPT: Final = "<submission>"
_FUTURES: Final = sum(
    getattr(__future__, name).compiler_flag for name in __future__.all_feature_names
)
# Cell magics whose body is ordinary code; the body of any other (%%bash, %%html …) is not run.
_CODE_MAGICS: Final = frozenset({"time", "timeit", "capture", "prun", "memit", "lprun"})
_CELL_MAGIC: Final = re.compile(r"%%(\S*)[ \t]*(\w*)")
# Where it finds nothing the cell's syntax error is Python's own, and IPython stays unimported.
_IPYTHON: Final = re.compile(
    r"^[ \t]*([%!?]|>>>|In \[)|=[ \t]*[%!]|\?[ \t]*$|\A\s*^[ \t]+\S", re.MULTILINE
)
# `%time f()` runs f in the namespace and may bind names: the one line magic that must run.
_TIME: Final = re.compile(r"(^[ \t]*|=[ \t]*)%time[ \t]+(?=[^\s-])", re.MULTILINE)
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


def place_of_frame(frame: FrameType | None) -> Address | None:
    """The submission's innermost line on the stack that ends in `frame`.

    Made for the recorder, which asks at every operator: about 0.1 µs a frame.
    """
    while frame is not None:
        cell = _cell_of(frame.f_code.co_filename)
        if cell is not False:
            return cell, frame.f_lineno or 0
        frame = frame.f_back
    return None


def calls_of_frame(frame: FrameType | None) -> list[Address]:
    """The submission's lines on the stack that ends in `frame`, innermost first."""
    found: list[Address] = []
    while frame is not None:
        cell = _cell_of(frame.f_code.co_filename)
        if cell is not False:
            found.append((cell, frame.f_lineno or 0))
        frame = frame.f_back
    return found


def frames(error: BaseException) -> list[Address]:
    """The submission's lines in the error's traceback, outermost first.

    For a syntax error in the submission, that line too. Of a deep recursion both ends are kept.
    """
    found: list[Address] = []
    traceback = error.__traceback__
    while traceback is not None:
        cell = _cell_of(traceback.tb_frame.f_code.co_filename)
        if cell is not False:
            found.append((cell, traceback.tb_lineno))
        traceback = traceback.tb_next
    if isinstance(error, SyntaxError) and error.lineno:
        cell = _cell_of(str(error.filename))
        if cell is not False:
            found.append((cell, error.lineno))
    half = MAX_FRAMES // 2
    return found if len(found) <= MAX_FRAMES else found[:half] + found[-half:]


@lru_cache(maxsize=4096)
def _cell_of(file: str) -> int | None | Literal[False]:
    """The cell whose code has this file name; False if it is none of the submission's."""
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
    source = _translated(cell.source)
    return None if source is None else _python(source, file, flags)


def _python(source: str, file: str, flags: int) -> CodeType:
    code: CodeType = compile(source, file, "exec", flags, dont_inherit=True)
    return code


def _translated(source: str) -> str | None:
    """IPython's syntax as Python, every line keeping its number; None if no line is to be run."""
    lines = source.split("\n")
    top = 0
    while top < len(lines):
        if magic := _CELL_MAGIC.match(lines[top]):
            kind, argument = magic.groups()
            if kind not in _CODE_MAGICS:
                return None
            # `%%capture out` binds `out`, which later cells may use.
            binds = kind == "capture" and argument.isidentifier()
            lines[top] = f"{argument} = get_ipython()" if binds else ""
        elif lines[top].strip():
            break
        top += 1
    rest = _TIME.sub(r"\1", "\n".join(lines[top:]) + "\n")
    return "\n".join([*lines[:top], _transformed(rest)])


def _transformed(source: str) -> str:
    """IPython's own transformer, step by step: it folds a magic continued with backslashes into
    one line, and the lines that go missing are put back as empty ones behind it."""
    # Imported when needed, for it takes a while, and by name, for it is untyped.
    manager = import_module("IPython.core.inputtransformer2").TransformerManager()
    lines = source.splitlines(keepends=True)
    for tidy in manager.cleanup_transforms:
        lines = tidy(lines)
    for _ in range(MAX_MAGICS):
        changed, new = manager.do_one_token_transform(lines)
        if not changed:
            break
        pairs = zip(lines, new, strict=False)
        folded = next((at for at, (old, now) in enumerate(pairs, start=1) if old != now), 0)
        new[folded:folded] = ["\n"] * (len(lines) - len(new))
        lines = new
    return "".join(lines)


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
