"""Cells run in order, errors keep their address, and everything is put back."""

from __future__ import annotations

import dataclasses
import inspect
import linecache
import pickle
import sys
import traceback
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from autograder import cells
from autograder.cells import CellError, Loaded
from autograder.submission import Cell, Submission

NAME = "submission_under_test"


def notebook(*sources: str) -> Submission:
    numbered = tuple(Cell(number, source) for number, source in enumerate(sources, start=1))
    return Submission("a.ipynb", numbered, "0")


def script(source: str) -> Submission:
    return Submission("a.py", (Cell(None, source),), "0")


def ran(*sources: str) -> Loaded:
    with cells.run(notebook(*sources), name=NAME) as loaded:
        return loaded


def only_error(loaded: Loaded) -> CellError:
    (error,) = loaded.errors
    return error


# --- ordinary cells --------------------------------------------------------------------------


def test_cells_share_a_namespace_in_order() -> None:
    loaded = ran("x = 1", "", "# nothing", "x += 1\ndef f(): return x", "y = f()")
    assert (loaded.namespace["y"], loaded.errors) == (2, ())


def test_runs_are_fresh() -> None:
    ran("left_over = 1")
    assert only_error(ran("left_over")).kind == "NameError"


def test_name_guard() -> None:
    source = "ran = __name__ == '__main__'"
    with cells.run(script(source)) as loaded:
        assert loaded.namespace["ran"]
    with cells.run(script(source), name=NAME) as loaded:
        assert not loaded.namespace["ran"]


@pytest.mark.parametrize(
    ("source", "kind", "line"),
    [
        ("x = 1\n1 / 0", "ZeroDivisionError", 2),
        ("x = (1,\n", "SyntaxError", 1),
        ("x = 1\nif x:\npass", "IndentationError", 3),
        ("\n\nreturn 3", "SyntaxError", 3),
        ("import sys\nsys.exit(3)", "SystemExit", 2),
        ("exit()", "SystemExit", 1),
        ("x = 1\nquit(1)", "SystemExit", 2),
        ("raise KeyboardInterrupt", "KeyboardInterrupt", 1),
        ("raise GeneratorExit", "GeneratorExit", 1),
        ("raise BaseException('x')", "BaseException", 1),
        ("x = input('name? ')", "EOFError", 1),
        ("import no_such_module", "ModuleNotFoundError", 1),
        ("assert False, 'no'", "AssertionError", 1),
        ("await 3", "TypeError", 1),
        ("x = '\ud800'", "UnicodeEncodeError", None),
        ("class E(Exception):\n  def __str__(self): raise SystemExit\nraise E", "Exception", 3),
    ],
)
def test_a_cell_that_raises_is_kept_and_the_next_runs(
    source: str, kind: str, line: int | None
) -> None:
    loaded = ran("before = 1", source, "after = before")
    error = only_error(loaded)
    assert (error.kind, error.cell) == (kind, 2)
    assert [*error.places[-1:]] == ([] if line is None else [(2, line)])
    assert loaded.namespace["after"] == 1


def test_null_bytes_in_a_cell() -> None:  # which exception it is differs between Python versions
    assert only_error(ran("x = '\0'")).places == ()


def test_places_go_from_the_outermost_frame_to_the_innermost() -> None:
    loaded = ran(
        "def f(x):\n    return g(x)",
        "def g(x):\n\n    return list(map(lambda a: 1 / a, x))",
        "f([0])",
    )
    assert only_error(loaded).places == ((3, 1), (1, 2), (2, 3), (2, 3))


def test_errors_in_a_script_have_no_cell() -> None:
    with cells.run(script("x = 1\n\nx.y"), name=NAME) as loaded:
        error = only_error(loaded)
    assert (error.cell, error.places) == (None, ((None, 3),))


def test_deep_recursion_is_told_briefly() -> None:
    error = only_error(ran("def f(): return f()", "f()"))
    assert error.kind == "RecursionError"
    assert error.places[0] == (2, 1) and error.places[-1] == (1, 1)
    assert len(error.places) <= cells.MAX_FRAMES


def test_errors_are_plain_and_keep_nothing_alive() -> None:
    loaded = ran(
        "import weakref\nclass Big: pass\ndef f():\n  big = Big()\n  global ref\n"
        "  ref = weakref.ref(big)\n  raise ValueError(big)",
        "f()",
    )
    error = only_error(loaded)
    assert loaded.namespace["ref"]() is None
    assert pickle.loads(pickle.dumps(error)) == error


def test_messages_stand_alone_and_are_capped() -> None:
    loaded = ran("raise ValueError('x' * 10**6)", "x = = 1")
    assert len(loaded.errors[0].message) <= cells.MAX_MESSAGE
    assert "<cell" not in loaded.errors[1].message


def test_top_level_await() -> None:
    loaded = ran(
        "import asyncio\nasync def f(): return 3",
        "x = await f()\ny = [z async for z in g()] if 0 else 1",
        "await asyncio.sleep(0)\n1 / 0",
    )
    assert loaded.namespace["x"] == 3
    assert only_error(loaded).places[-1] == (3, 2)


def test_future_imports_hold_for_later_cells_and_not_for_us() -> None:
    later = "def f(x: undefined): pass"
    assert only_error(ran(later)).kind == "NameError"
    assert not ran("from __future__ import annotations", later).errors


# --- the module ------------------------------------------------------------------------------


def test_dataclasses_pickling_and_sources_work() -> None:
    submission = notebook(
        "from __future__ import annotations\nfrom dataclasses import dataclass",
        "@dataclass\nclass Point:\n    x: int\n    y: int = 0",
        "def f():\n    # a comment\n    return Point(1)",
    )
    with cells.run(submission, name=NAME) as loaded:
        point = loaded.namespace["f"]()
        assert pickle.loads(pickle.dumps(point)) == point
        assert dataclasses.asdict(point) == {"x": 1, "y": 0}
        linecache.checkcache()
        assert inspect.getsource(loaded.namespace["f"]).splitlines()[1] == "    # a comment"
        assert sys.modules[NAME].f is loaded.namespace["f"]


def test_a_class_in_a_script_has_its_source() -> None:
    with cells.run(script("\nclass A:\n    x = 1\n"), name=NAME) as loaded:
        assert inspect.getsource(loaded.namespace["A"]) == "class A:\n    x = 1\n"


def test_tracebacks_and_warnings_show_the_original_line() -> None:
    source = "%matplotlib inline\ndef f():\n    1 / 0  # boom\nimport warnings\nwarnings.warn('w')"
    with pytest.warns(UserWarning) as caught, cells.run(notebook(source), name=NAME) as loaded:
        with pytest.raises(ZeroDivisionError) as raised:
            loaded.namespace["f"]()
        assert "# boom" in "".join(traceback.format_exception(raised.value))
        assert cells.frames(raised.value) == [(1, 3)]
    assert (caught[0].filename, caught[0].lineno) == (cells.filename(1), 5)


def state() -> tuple[Any, ...]:
    files = [cells.filename(number) for number in (None, 1, 2, 3)]
    return (
        {key: id(module) for key, module in sys.modules.items()},
        [linecache.cache.get(file) for file in files],
        sys.argv,
    )


@pytest.mark.parametrize("name", [NAME, "__main__"])
def test_everything_is_put_back(name: str) -> None:
    argv_before, before = list(sys.argv), state()
    outer = notebook("x = 1", "import sys\nsys.argv = []\ndel sys.modules[__name__]")
    with pytest.raises(LookupError), cells.run(outer, name=name):
        assert state() != before
        during = state()
        with cells.run(notebook("import sys\nsys.argv.append('x')\ny = 1"), name=name):
            pass
        assert state()[1:] == during[1:]
        raise LookupError
    assert state() == before
    assert sys.argv == argv_before


def test_a_script_sees_its_own_arguments() -> None:
    with cells.run(script("import sys\nargs = sys.argv"), name=NAME) as loaded:
        assert loaded.namespace["args"] == ["a.py"]


def test_the_module_is_real() -> None:
    with cells.run(notebook("x = 1"), name=NAME) as loaded:
        module = sys.modules[NAME]
        assert isinstance(module, ModuleType) and vars(module) is loaded.namespace


# --- addresses of frames ---------------------------------------------------------------------


@pytest.fixture
def probe() -> Iterator[dict[str, Any]]:
    source = (
        "def outer(call):\n    return inner(\n        call)",
        "def inner(call):\n    return call()",
    )
    with cells.run(notebook(*source), name=NAME) as loaded:
        yield loaded.namespace


def test_calls_of_frame_lead_from_the_innermost_line_outwards(probe: dict[str, Any]) -> None:
    def here() -> list[cells.Address]:
        return cells.calls_of_frame(sys._getframe())

    assert here() == []
    assert cells.calls_of_frame(None) == []
    assert probe["inner"](here) == [(2, 2)]
    outer = probe["outer"](here)
    assert (outer[0], outer[-1]) == ((2, 2), (1, 2))


def test_calls_of_frame_in_a_script() -> None:
    with cells.run(script("def f(call):\n    return call()"), name=NAME) as loaded:
        places = loaded.namespace["f"](lambda: cells.calls_of_frame(sys._getframe()))
    assert places == [(None, 2)]


def test_frames_of_an_error_raised_in_a_library(probe: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="invalid literal") as raised:
        probe["outer"](lambda: int("x"))
    assert cells.frames(raised.value) == [(1, 2), (2, 2)]


def test_frames_outside_of_any_submission() -> None:
    assert cells.frames(ValueError()) == []
    with pytest.raises(SyntaxError) as raised:
        compile("x = = 1", "<string>", "exec")
    assert cells.frames(raised.value) == []
    with pytest.raises(ZeroDivisionError) as divided:
        exec(compile("1 / 0", "<cell 99 bottles>", "exec"))  # a name that only looks like ours
    assert cells.frames(divided.value) == []
