"""The notebook or script inside a zip."""

from __future__ import annotations

from io import BytesIO
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from autograder.submission.model import MAX_FILE, Unreadable, shown

if TYPE_CHECKING:
    from zipfile import ZipInfo

MAX_MEMBERS: Final = 2_000


def only_member(label: str, data: bytes) -> tuple[str, bytes]:
    """Name and bytes of the one notebook or script in a zip; a notebook goes before scripts."""
    import zipfile  # here, for what it imports takes longer than all the rest of this module

    # Counted before the directory is parsed: a hostile one holds half a million entries.
    if data.count(b"PK\x01\x02") > MAX_MEMBERS:
        raise Unreadable(f"{label} holds over {MAX_MEMBERS:,} files: leave only your work in it.")
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            info = _chosen(label, archive.infolist())
            inner = f"{shown(_basename(info))} in {label}"
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
        names = ", ".join(shown(info.filename) for info in candidates[:4])
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
