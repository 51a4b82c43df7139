"""Every file is read or refused with a sentence; nothing else ever comes out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import zipfile
from io import BytesIO
from pathlib import Path

import nbformat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder import submission
from autograder.submission import Cell, Place, Submission, Unreadable, parse, read, reading


def notebook(*sources: str) -> bytes:
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    return nbformat.writes(nbformat.v4.new_notebook(cells=cells)).encode()


def old_notebook(*sources: str) -> bytes:
    v3 = nbformat.v3
    sheet = v3.new_worksheet(cells=[v3.new_code_cell(input=source) for source in sources])
    tree = v3.new_notebook(worksheets=[sheet])
    return v3.writes_json(tree).encode()


def archive(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", method) as file:
        for name, data in members.items():
            file.writestr(name, data)
    return out.getvalue()


def raw(cells: object) -> bytes:
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}).encode()


def code(submission: Submission) -> list[tuple[int | None, str]]:
    return [(cell.number, cell.source) for cell in submission.cells]


# --- what can be read ------------------------------------------------------------------------


def test_only_code_cells_are_counted() -> None:
    v4 = nbformat.v4
    cells = [
        v4.new_markdown_cell("# Title"),
        v4.new_code_cell("x = 1", outputs=[v4.new_output("stream", text="noise")]),
        v4.new_raw_cell("raw"),
        v4.new_code_cell(""),
        v4.new_code_cell("y = 2\nz = 3"),
    ]
    data = nbformat.writes(v4.new_notebook(cells=cells)).encode()
    assert code(parse("a.ipynb", data)) == [(1, "x = 1"), (2, ""), (3, "y = 2\nz = 3")]


def test_version_3_reads_as_nbformat_upgrades_it() -> None:
    data = old_notebook("x = 1\ny = 2", "z = 3")
    upgraded = nbformat.reads(data.decode(), as_version=4)
    want = [(at, cell.source) for at, cell in enumerate(upgraded.cells, start=1)]
    assert code(parse("old.ipynb", data)) == want


CODE = {"cell_type": "code", "source": "x = 1"}


@pytest.mark.parametrize(
    ("name", "data", "want"),
    [
        ("a.ipynb", raw([CODE, {**CODE, "id": "a"}, {**CODE, "id": "a"}]), "x = 1"),
        ("a.ipynb", raw([{**CODE, "source": ["x = 1\n", "y = 2"]}]), "x = 1\ny = 2"),
        ("A.IPYNB", b"\xef\xbb\xbf" + raw([CODE]), "x = 1"),
        ("a.ipynb", raw([{**CODE, "source": "x = '\ud800'"}]), "x = '?'"),
        ("a.py", b"x = 1", "x = 1"),
        ("a.py", b"\xef\xbb\xbfx = '\xc3\xa9'", "x = 'é'"),
        ("a.py", b"# -*- coding: latin-1 -*-\nx = '\xe9'", "# -*- coding: latin-1 -*-\nx = 'é'"),
        ("a.py", b"# coding: gbk\nx = '\xd6\xd0'", "# coding: gbk\nx = '中'"),
        ("a.py", b"x = 1\r\ny = 2\rz = 3", "x = 1\ny = 2\nz = 3"),
        ("a.py", b"x = '<<<<<<< not a conflict'", "x = '<<<<<<< not a conflict'"),
    ],
)
def test_readable(name: str, data: bytes, want: str) -> None:
    assert parse(name, data).cells[0].source == want


def test_read_gives_name_and_hash(tmp_path: Path) -> None:
    path = tmp_path / "linear.py"
    path.write_bytes(b"x = 1\n")
    found = read(path)
    assert found == parse("linear.py", b"x = 1\n")
    assert (found.name, len(found.sha256)) == ("linear.py", 64)
    assert found.sha256 != parse("linear.py", b"x = 2\n").sha256


# --- zips ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "beside",
    [
        {},
        {"__zip_filename__": b"x.zip", ".OTTER_LOG": b"\x80\x04evil pickle"},
        {"__MACOSX/._linear.ipynb": b"\0\0", ".hidden/b.ipynb": b"{}"},
        {".ipynb_checkpoints/linear-checkpoint.ipynb": b"{}", "linear-checkpoint.ipynb": b"{}"},
        {"tests/q1.py": b"x", "helper.py": b"x", "data.csv": b"1,2"},
    ],
)
@pytest.mark.parametrize("name", ["linear.ipynb", "work/linear.ipynb", "../../linear.ipynb"])
def test_zip_with_one_notebook(name: str, beside: dict[str, bytes]) -> None:
    data = archive({**beside, name: notebook("x = 1")})
    found = parse("jane.zip", data)
    assert (found.name, code(found)) == ("jane.zip", [(1, "x = 1")])


def test_zip_with_one_script() -> None:
    assert code(parse("a.zip", archive({"a.py": b"x = 1"}))) == [(None, "x = 1")]


def test_reading_a_zip_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    parse("a.zip", archive({"../up.py": b"x = 1"}))
    parse("a.zip", archive({"/tmp/abs.py": b"x = 1"}))
    assert not list(tmp_path.iterdir()) and not (tmp_path.parent / "up.py").exists()


def encrypted() -> bytes:
    data = bytearray(archive({"a.py": b"x = 1"}))
    data[6] |= 1  # the flag in the local header
    data[data.index(b"PK\x01\x02") + 8] |= 1  # and in the directory
    return bytes(data)


def lying_size() -> bytes:
    data = bytearray(archive({"a.py": b"#" * (submission.MAX_FILE + 10)}))
    at = data.index(b"PK\x01\x02") + 24
    data[at : at + 4] = (100).to_bytes(4, "little")
    return bytes(data)


HUGE = b" " * (submission.MAX_FILE + 1)
LONG = b"#" * (reading.MAX_CODE + 1)
CONFLICT = "<<<<<<< HEAD\nx = 1\n=======\nx = 2\n>>>>>>> theirs\n"
WHOLE = notebook("x = 1", "y = 2")

# The word is one that the sentence cannot do without.
REFUSED = [
    ("a.ipynb", b"", "empty"),
    ("a.py", b" \n\n", "empty"),
    ("a.zip", b"", "empty"),
    ("a.ipynb", b"x = 1\n", "JSON"),
    ("a.ipynb", WHOLE[:-40], "cut off at line"),
    ("a.ipynb", WHOLE[: WHOLE.index(b"x = 1") + 2], "cut off at line"),
    ("a.ipynb", WHOLE.replace(b'"cells": [', b'"cells": [,', 1), "damaged at line 2"),
    ("a.ipynb", WHOLE + b"\n}", "damaged at line"),
    ("a.ipynb", b'{"n": ' + b"9" * 5000 + b"}", "damaged"),
    ("a.ipynb", b'{"cells": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "deeply"),
    ("a.ipynb", b"[" * 100_000, "deeply"),
    ("a.ipynb", b"{}", "cells"),
    ("a.ipynb", b"[1, 2]", "cells"),
    ("a.ipynb", raw(7), "cells"),
    ("a.ipynb", raw([]), "no code cells"),
    ("a.ipynb", raw([{"cell_type": "markdown", "source": "x"}]), "no code cells"),
    ("a.ipynb", notebook("", " "), "no code cells"),
    ("a.ipynb", raw([{"cell_type": "code"}]), "damaged cell"),
    ("a.ipynb", raw([{"cell_type": "code", "source": 3}]), "damaged cell"),
    ("a.ipynb", raw(["x = 1"]), "damaged cell"),
    ("a.ipynb", b"<!DOCTYPE html><html>Sign in</html>", "web page"),
    ("a.py", b"\n<html><body>Sign in</body></html>", "web page"),
    ("a.ipynb", WHOLE.replace(b' "cells"', CONFLICT.encode() + b' "cells"'), "merge conflict"),
    ("a.py", CONFLICT.encode(), "merge conflict"),
    ("a.ipynb", b"<<<<<<< a\n" * 1_000_000, "JSON"),
    ("linear-checkpoint.ipynb", WHOLE, "checkpoint"),
    ("a.ipynb", HUGE, "larger than"),
    ("a.py", LONG, "of code"),
    ("a.ipynb", notebook(LONG.decode()), "of code"),
    ("a.py", b"x = 1\0", "null"),
    ("a.ipynb", WHOLE.decode().encode("utf-16"), "UTF-16"),
    ("a.ipynb", WHOLE.replace(b"x = 1", b"x = \xe9"), "UTF-8"),
    ("a.py", b"x = 1\ny = '\xe9'\n", "UTF-8"),
    ("a.py", b"# coding: nonsense\nx = 1", "UTF-8"),
    ("a.py", b"# coding: rot13\nk = 1", "UTF-8"),
    ("a.py", b"# coding: punycode\n" + b"x" * 1_000_000, "UTF-8"),
    ("a.py", b"# coding: undefined\nk = 1", "UTF-8"),
    ("a.py", WHOLE, ".ipynb"),
    ("a.ipynb", b"%PDF-1.7 ...", "PDF"),
    ("a.py", archive({"word/document.xml": b""}), "Office"),
    ("a.docx", archive({"word/document.xml": b""}), ".docx"),
    ("a", b"x = 1", "ending"),
    ("a.zip", b"%PDF-1.7", "ZIP"),
    ("a.zip", archive({"a.py": b"x = 1"})[:-30], "ZIP"),
    ("a.zip", archive({}), "no notebook"),
    ("a.zip", archive({"readme.txt": b"hello", "tests/q1.py": b"x"}), "no notebook"),
    ("a.zip", archive({"a.ipynb": WHOLE, "b.ipynb": WHOLE}), "more than one notebook"),
    ("a.zip", archive({"a.py": b"x", "b.py": b"x"}), "more than one script"),
    ("a.zip", archive({"a.py": b"x = 1"}, zipfile.ZIP_BZIP2), "ordinary zip"),
    ("a.zip", archive({"a.py": HUGE}), "larger than"),
    ("a.zip", archive({f"{n}.txt": b"" for n in range(3_000)} | {"a.py": b"x"}), "files"),
    ("a.zip", encrypted(), "password"),
    ("a.zip", lying_size(), "a.zip"),
    ("a.zip", archive({"a.ipynb": b""}), "a.ipynb in a.zip is empty"),
]


@pytest.mark.parametrize(
    ("name", "data", "word"), REFUSED, ids=[f"{n}-{w}-{i}" for i, (n, _, w) in enumerate(REFUSED)]
)
def test_refused_with_a_sentence(name: str, data: bytes, word: str) -> None:
    with pytest.raises(Unreadable) as caught:
        parse(name, data)
    reason = caught.value.reason
    assert word in reason
    assert reason.startswith(name) or " in a.zip" in reason
    assert reason.endswith(".") and "\n" not in reason and len(reason) < 250


def test_paths_that_cannot_be_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "loop.py").symlink_to(tmp_path / "loop.py")
    for name in ("pipe.py", "folder.py", "loop.py", "absent.py", "nul\0.py", "x" * 5000 + ".py"):
        with pytest.raises(Unreadable):
            read(tmp_path / name)


def test_an_odd_name_stays_one_printable_line() -> None:
    with pytest.raises(Unreadable) as caught:
        parse("evil\x1b[31m\nname.ipynb", b"")
    assert caught.value.reason.isprintable()


# --- nothing else ever comes out -------------------------------------------------------------

SEEDS = (WHOLE, old_notebook("x"), archive({"a.ipynb": WHOLE}), b"# coding: utf-7\nx = 1\n")
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["cells", "cell_type", "source", "input", "worksheets", "code"]),
            inner | st.just("code"),
            max_size=4,
        )
    ),
    max_leaves=20,
)


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    data = bytearray(draw(st.sampled_from(SEEDS)))
    for _ in range(draw(st.integers(1, 8))):
        data[draw(st.integers(0, len(data) - 1))] = draw(st.integers(0, 255))
    return bytes(data[: draw(st.integers(1, len(data)))] if draw(st.booleans()) else data)


declared = st.builds(
    lambda codec, rest: f"# coding: {codec}\n".encode() + rest,
    st.sampled_from(["idna", "utf-7", "utf-16", "unicode_escape", "zlib", "base64", "aliases"]),
    st.binary(max_size=50),
)


@settings(max_examples=400, deadline=None, derandomize=True)
@given(
    name=st.sampled_from(["a.ipynb", "a.py", "a.zip", "a", ".zip"]) | st.text(max_size=10),
    data=st.binary(max_size=200)
    | damaged()
    | declared
    | json_values.map(lambda value: json.dumps(value).encode()),
)
def test_any_bytes_give_a_submission_or_unreadable(name: str, data: bytes) -> None:
    try:
        found = parse(name, data)
    except Unreadable as error:
        assert error.reason.isprintable()
    else:
        plain = json.loads(json.dumps(found.to_plain()))
        assert Submission.from_plain(plain) == found
        found.source.encode()  # whatever was read can be printed


# --- the value itself ------------------------------------------------------------------------


def test_places() -> None:
    found = Submission("a", (Cell(1, "x = 1  \n  y\x0c= 2\u2028"), Cell(2, "z")), "0")
    assert found.place(1, 1) == Place(1, 1, "x = 1")
    assert found.place(1, 2) == Place(1, 2, "  y\x0c= 2")
    assert found.place(2, 1).text == "z"
    assert [found.place(*at).text for at in [(2, 2), (2, 0), (3, 1), (None, 1)]] == [""] * 4
    assert "z" in found.source


def test_importing_is_fast_and_light() -> None:
    begin = time.perf_counter()
    program = (
        "import sys, autograder.submission;"
        "print({'torch', 'IPython', 'nbformat', 'zipfile'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "set()", done.stderr
    assert time.perf_counter() - begin < 2  # 0.1 s, and room for a loaded machine
