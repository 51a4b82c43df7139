"""Any file: which kind it is, what is wrong with it, its text."""

from __future__ import annotations

import hashlib
import re
import tokenize
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import Final

from autograder.submission.archives import only_member
from autograder.submission.model import MAX_FILE, Cell, Submission, Unreadable, clean, shown
from autograder.submission.notebooks import cells_of

MAX_CODE: Final = 2_000_000

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


def read(path: Path) -> Submission:
    """The submission at `path`. Raises `Unreadable`, and nothing else, where there is none."""
    label = shown(path.name or str(path))
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
    return Submission(clean(name), _cells(name, data), hashlib.sha256(data).hexdigest())


def _cells(name: str, data: bytes, archive: str | None = None) -> tuple[Cell, ...]:
    """`archive` names the zip that the file came out of: there a zip is not looked into again."""
    label = shown(name) if archive is None else f"{shown(name)} in {archive}"
    suffix = PurePosixPath(name).suffix.lower()
    if suffix not in (".ipynb", ".py", ".zip"):
        kind = f"a {shown(suffix)} file" if suffix else "a file without an ending"
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
        member, inside = only_member(label, data)
        return _cells(member, inside, archive=label)

    text = _text(label, suffix, data)
    cells = cells_of(label, text) if suffix == ".ipynb" else (Cell(None, clean(text)),)
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
