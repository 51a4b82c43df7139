"""From a file to a `Submission`: a notebook, a script, or otter's zip holding one of them.

Files come damaged, renamed, cut off and sometimes hostile. Whatever the bytes are, reading them
gives a `Submission` or raises `Unreadable`, whose reason tells a person what to do. Nothing is
run, extracted or unpickled here.
"""

from __future__ import annotations

import hashlib
import json
import re
import tokenize
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from zipfile import ZipInfo

__all__ = ["Cell", "Place", "Submission", "Unreadable", "parse", "read"]

MAX_FILE: Final = 20_000_000
MAX_CODE: Final = 2_000_000
MAX_MEMBERS: Final = 2_000

_RENAMED: Final = (
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive or an Office document"),
    (b"\xd0\xcf\x11\xe0", "an Office document"),
    (b"{\\rtf", "a rich-text document"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"version https://git-lfs", "a git-lfs pointer"),
)
_CONFLICT: Final = (r"^<<<<<<< ", r"^=======$", r"^>>>>>>> ")


class Unreadable(Exception):  # noqa: N818 - it says what the file is
    """The file holds no submission; `reason` is one sentence for the person who made it."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class Cell:
    """A code cell of a notebook, or a whole script."""

    number: int | None  # counts code cells from 1; None for a script
    source: str


@dataclass(frozen=True)
class Place:
    """A line of a submission, and what stands there."""

    cell: int | None
    line: int
    text: str


@dataclass(frozen=True)
class Submission:
    """The code that a student handed in."""

    name: str
    cells: tuple[Cell, ...]
    sha256: str  # of the file as it was handed in

    @property
    def source(self) -> str:
        """All cells as one text."""
        return "\n\n".join(cell.source for cell in self.cells)

    def place(self, cell: int | None, line: int) -> Place:
        """The line with this address; its text is empty where there is no such line."""
        source = next((each.source for each in self.cells if each.number == cell), "")
        # Not splitlines(): it also breaks at form feeds and the like, where Python does not.
        lines = source.split("\n")
        return Place(cell, line, lines[line - 1].rstrip() if 1 <= line <= len(lines) else "")

    def to_plain(self) -> dict[str, Any]:
        """JSON-able: this is how a submission reaches a sandboxed child."""
        cells = [[cell.number, cell.source] for cell in self.cells]
        return {"name": self.name, "cells": cells, "sha256": self.sha256}

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> Submission:
        """The submission that `to_plain` was called on."""
        cells = tuple(Cell(number, source) for number, source in plain["cells"])
        return cls(plain["name"], cells, plain["sha256"])


def read(path: Path) -> Submission:
    """The submission at `path`. Raises `Unreadable`, and nothing else, where there is none."""
    label = _shown(path.name or str(path))
    try:
        if path.is_dir():
            raise Unreadable(f"{label} is a folder: hand in the notebook or script inside it.")
        if not path.exists():
            raise Unreadable(f"{label} does not exist: check the name and the folder.")
        if not path.is_file():
            raise Unreadable(f"{label} is not an ordinary file: hand in a notebook or a script.")
        with path.open("rb") as file:
            data = file.read(MAX_FILE + 1)
    except (OSError, ValueError) as error:
        why = (isinstance(error, OSError) and error.strerror) or "its name is not valid"
        raise Unreadable(f"{label} cannot be opened ({why}): check its permissions.") from error
    return parse(path.name, data)


def parse(name: str, data: bytes) -> Submission:
    """The submission in `data`, a file that was called `name`. Raises only `Unreadable`."""
    return Submission(_clean(name), _cells(name, data), hashlib.sha256(data).hexdigest())


def _cells(name: str, data: bytes, archive: str | None = None) -> tuple[Cell, ...]:
    """`archive` names the zip that the file came out of: there a zip is not looked into again."""
    label = _shown(name) if archive is None else f"{_shown(name)} in {archive}"
    suffix = PurePosixPath(name).suffix.lower()
    if suffix not in (".ipynb", ".py", ".zip"):
        kind = f"a {_shown(suffix)} file" if suffix else "a file without an ending"
        raise Unreadable(f"{label} is {kind}: hand in a notebook (.ipynb), .py or .zip file.")
    if name.lower().endswith("-checkpoint.ipynb"):
        raise Unreadable(f"{label} is a checkpoint of Jupyter's: hand in the notebook itself.")
    if len(data) > MAX_FILE:
        raise Unreadable(
            f"{label} is larger than {MAX_FILE // 10**6} MB: clear the outputs, leave out data."
        )
    if not data.strip():
        raise Unreadable(f"{label} is empty: save your work and hand it in again.")
    if suffix == ".zip":
        member, inside = _member(label, data)
        return _cells(member, inside, archive=label)

    text = _text(label, suffix, data)
    cells = _notebook(label, text) if suffix == ".ipynb" else (Cell(None, _clean(text)),)
    if sum(len(cell.source) for cell in cells) > MAX_CODE:
        raise Unreadable(
            f"{label} holds more than {MAX_CODE // 10**6} MB of code: take the data out of it."
        )
    return cells


def _text(label: str, suffix: str, data: bytes) -> str:
    for start, what in _RENAMED:
        if data.startswith(start):
            raise Unreadable(
                f"{label} is really {what}, renamed to {suffix}: hand in the notebook or script."
            )
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise Unreadable(f"{label} is saved as UTF-16: save it as UTF-8 and hand it in again.")
    if b"\0" in data:
        raise Unreadable(f"{label} is damaged or no text, for it has null bytes: save it anew.")
    text = _decoded(label, suffix, data)
    if all(re.search(mark, text, re.MULTILINE) for mark in _CONFLICT):
        raise Unreadable(f"{label} has a git merge conflict in it (<<<<<<<): resolve it.")
    if re.match(r"\s*<(!doctype|html|\?xml|!--)", text, re.IGNORECASE):
        raise Unreadable(
            f"{label} is a web page, perhaps a login page, saved as {suffix}: "
            "download the file itself."
        )
    if suffix == ".py" and text.lstrip().startswith("{") and '"nbformat"' in text:
        raise Unreadable(f"{label} is a notebook saved as .py: rename it to .ipynb.")
    return text


def _decoded(label: str, suffix: str, data: bytes) -> str:
    """A notebook is UTF-8; a script may declare its encoding (PEP 263)."""
    encoding = "utf-8-sig"
    try:
        if suffix == ".py":
            encoding, _ = tokenize.detect_encoding(BytesIO(data).readline)
        # Decoding these takes time quadratic in the length: megabytes would hold the grader up.
        if encoding.lower() in ("idna", "punycode"):
            raise LookupError(encoding)
        return data.decode(encoding)
    except Exception as error:  # the student's file chose the codec, and codecs raise all sorts
        at = ""
        if isinstance(error, UnicodeDecodeError):
            line = data.count(b"\n", 0, error.start) + 1
            at = f" (line {line})"
        raise Unreadable(
            f"{label} is not {encoding.removesuffix('-sig')} text{at}: save it as UTF-8."
        ) from error


def _notebook(label: str, text: str) -> tuple[Cell, ...]:
    """The code cells. nbformat 4 keeps them in `cells`, nbformat 2 and 3 in `worksheets`.

    Read straight from the JSON: nbformat's validation refuses much that runs perfectly well
    (missing metadata, doubled ids), and costs a third of a second to import.
    """
    tree = _json(label, text)
    try:
        sheets = tree.get("worksheets", [tree])
        listed = [cell for sheet in sheets for cell in sheet["cells"]]
    except (AttributeError, KeyError, TypeError) as error:
        raise Unreadable(
            f"{label} is no notebook, for it has no list of cells: save or download it anew."
        ) from error
    try:
        sources = [
            "".join(cell["source"] if "source" in cell else cell["input"])
            for cell in listed
            if cell["cell_type"] == "code"
        ]
    except (KeyError, TypeError) as error:
        raise Unreadable(
            f"{label} has a damaged cell: open it in Jupyter, save it, and hand it in again."
        ) from error
    if not any(source.strip() for source in sources):
        raise Unreadable(f"{label} has no code cells: save your work and hand it in again.")
    return tuple(Cell(number, _clean(source)) for number, source in enumerate(sources, start=1))


def _json(label: str, text: str) -> Any:
    again = "save or download it anew and hand it in again."
    body = text.rstrip()
    try:
        return json.loads(body)
    except RecursionError as error:
        raise Unreadable(f"{label} is nested too deeply for a notebook: {again}") from error
    except json.JSONDecodeError as error:
        if not body.lstrip().startswith("{"):
            what = "is not a notebook, for it does not begin as JSON"
        elif error.msg != "Extra data" and (error.pos >= len(body) or not body.endswith("}")):
            last = body.count("\n") + 1
            what = f"is cut off at line {last}"
        else:
            what = f"is damaged at line {error.lineno}"
        raise Unreadable(f"{label} {what}: {again}") from error
    except ValueError as error:  # a number of thousands of digits
        raise Unreadable(f"{label} is damaged: {again}") from error


def _member(label: str, data: bytes) -> tuple[str, bytes]:
    """Name and bytes of the one notebook or script in a zip; a notebook goes before scripts."""
    import zipfile  # here, for what it imports takes longer than all the rest of this module

    # Counted before the directory is parsed: a hostile one holds half a million entries.
    if data.count(b"PK\x01\x02") > MAX_MEMBERS:
        raise Unreadable(f"{label} holds over {MAX_MEMBERS:,} files: leave only your work in it.")
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            info = _chosen(label, archive.infolist())
            inner = f"{_shown(_basename(info))} in {label}"
            if info.flag_bits & 0x1:
                raise Unreadable(f"{inner} is protected by a password: make the zip without one.")
            # zipfile bounds what it unpacks at once for these two methods only.
            if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise Unreadable(f"{inner} is packed in an unusual way: make an ordinary zip.")
            with archive.open(info) as file:
                inside = file.read(MAX_FILE + 1)  # the size that the directory claims may be a lie
            return _basename(info), inside
    except Unreadable:
        raise
    except Exception as error:  # damage makes zipfile raise BadZipFile, zlib.error, struct.error …
        raise Unreadable(f"{label} is no ZIP archive, or a damaged one: make it anew.") from error


def _chosen(label: str, members: list[ZipInfo]) -> ZipInfo:
    counted = [info for info in members if _counts(info)]
    notebooks = [info for info in counted if info.filename.lower().endswith(".ipynb")]
    candidates = notebooks or counted
    if not candidates:
        raise Unreadable(f"{label} holds no notebook and no script: put yours into it.")
    if len(candidates) > 1:
        names = ", ".join(_shown(info.filename) for info in candidates[:4])
        more = ", …" if len(candidates) > 4 else ""
        raise Unreadable(
            f"{label} holds more than one {'notebook' if notebooks else 'script'} "
            f"({names}{more}): leave only the one to be graded in it."
        )
    return candidates[0]


def _counts(info: ZipInfo) -> bool:
    """Whether a member may be the submission, and not otter's, the system's or an editor's file."""
    *folders, name = PurePosixPath(info.filename).parts or ("",)
    return (
        not info.is_dir()
        and name.lower().endswith((".ipynb", ".py"))
        and not name.lower().endswith("-checkpoint.ipynb")
        and not any(part.startswith(".") and part != ".." for part in (*folders, name))
        and not {"__MACOSX", "__pycache__", "tests"}.intersection(folders)
    )


def _basename(info: ZipInfo) -> str:
    return PurePosixPath(info.filename).name


def _clean(text: str) -> str:
    """Line ends as \\n alone, and lone surrogates, which no report can print, as question marks."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.encode("utf-8", "replace").decode("utf-8")


def _shown(name: str) -> str:
    """A file's name as it may stand in a sentence: it can hold anything, line ends included."""
    name = "".join(char if char.isprintable() else "?" for char in name)
    return name if len(name) <= 80 else f"{name[:79]}…"
