"""Who handed in what: submissions in folders and in the archives of course platforms.

A platform's bulk download says in its names whose a file is; those names are the only thing
believed. What they do not say goes to a person to look at, never to a student.
"""

from __future__ import annotations

import contextlib
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Final
from zipfile import BadZipFile, ZipFile

from autograder import platforms
from autograder.lateness import Arrival
from autograder.platforms import Owner, Student
from autograder.submission import MAX_FILE

__all__ = ["Doubt", "Handin", "Student", "collect"]

SUFFIXES: Final = (".ipynb", ".py", ".zip")
# A person who hands in one of these meant it as the submission; other files are mere company.
_DOCUMENTS: Final = (".pdf", ".docx", ".doc", ".odt", ".html", ".htm", ".rtf", ".txt", ".pages",
                     ".rar", ".7z", ".gz", ".tar", ".tgz")
MAX_MEMBERS: Final = 50_000


@dataclass(frozen=True)
class Handin:
    """One file to be graded; `name` is its own among all, and safe as a folder's name."""

    name: str
    filename: str  # as the student called it
    where: str  # as a person finds it again
    read: Callable[[], bytes]
    student: Student = Student()
    arrival: Arrival = Arrival()


@dataclass(frozen=True)
class Doubt:
    """Something that a person must look at."""

    where: str
    why: str


@dataclass(frozen=True)
class _File:
    """A file in a folder or an archive, by its path from there."""

    path: PurePosixPath
    where: str
    read: Callable[[], bytes]


def collect(paths: Iterable[Path]) -> tuple[list[Handin], list[Doubt]]:
    """All submissions under the paths, each with a name of its own, and what is doubtful.

    A platform's archive is opened where it is named itself: one that lies in a folder may be a
    student's, who could write any name into it.
    """
    found: list[Handin] = []
    doubts: list[Doubt] = []
    given = list(dict.fromkeys(paths))
    for path in given:
        files = list(_in_archive(path) or _on_disk(path))
        metadata = platforms.listed(_metadata(files))
        groups: dict[Owner, list[_File]] = {}
        for file in files:
            owner, called = platforms.owner(file.path, metadata)
            groups.setdefault(owner, []).append(replace(file, path=file.path.with_name(called)))
        attributed = any(owner.group for owner in groups)
        for owner, members in groups.items():
            for file in _chosen(members, bool(owner.group)):
                name = _name(owner, file, path.name if len(given) > 1 else "")
                found.append(Handin(name, file.path.name, file.where, file.read, owner.student,
                                    owner.arrival))
            if not owner.group:
                doubts += _doubts(members, attributed)
    return _distinct(found), doubts


def _doubts(files: list[_File], attributed: bool) -> Iterator[Doubt]:
    """What is doubtful about files that no platform gave a name to."""
    for file in files:
        suffix = file.path.suffix.lower()
        if attributed and suffix in (*SUFFIXES, *_DOCUMENTS):
            yield Doubt(file.where, "nothing says whose this is, as it does for the other files")
        elif suffix in _DOCUMENTS:
            yield Doubt(file.where, f"a {suffix} file is neither notebook nor script")


def _on_disk(path: Path) -> Iterator[_File]:
    if not path.is_dir():
        yield _File(PurePosixPath(path.name), str(path), _OnDisk(path))
        return
    for each in sorted(path.rglob("*")):
        inner = PurePosixPath(each.relative_to(path).as_posix())
        if each.is_file() and not _is_company(inner):
            yield _File(inner, str(each), _OnDisk(each))


def _in_archive(path: Path) -> list[_File]:
    """The members of a platform's bulk download; nothing for a submission that is a zip."""
    if path.suffix.lower() != ".zip" or not path.is_file():
        return []
    try:
        with ZipFile(path) as archive:
            names = [i.filename for i in archive.infolist() if not i.is_dir()][:MAX_MEMBERS]
    except (OSError, BadZipFile, ValueError, NotImplementedError):
        return []
    tops = {PurePosixPath(name).parts[0] for name in names if name}
    wrapped = len(tops) == 1 and all("/" in name for name in names)
    members = [(name, PurePosixPath(*PurePosixPath(name).parts[1 if wrapped else 0:]))
               for name in names]
    if not any(_is_platforms(inner) for _, inner in members):
        if not (wrapped and any(_is_platforms(PurePosixPath(name)) for name in names)):
            return []
        members = [(name, PurePosixPath(name)) for name in names]
    return [_File(inner, f"{path}!{name}", _Member(path, name))
            for name, inner in members if not _is_company(inner)]


def _is_platforms(path: PurePosixPath) -> bool:
    return bool(platforms.owner(path, {})[0].group)


def _metadata(files: Iterable[_File]) -> Iterator[bytes]:
    for file in files:
        if file.path.name == platforms.METADATA:
            with contextlib.suppress(OSError, BadZipFile, ValueError):
                yield file.read()


def _is_company(path: PurePosixPath) -> bool:
    """Hidden files, editors' and otter's."""
    *folders, name = path.parts
    return (any(p.startswith((".", "__")) for p in path.parts) or "tests" in folders
            or name.lower().endswith("-checkpoint.ipynb"))


@dataclass(frozen=True)
class _OnDisk:
    path: Path

    def __call__(self) -> bytes:
        with self.path.open("rb") as file:
            return file.read(MAX_FILE + 1)


@dataclass(frozen=True)
class _Member:
    archive: Path
    name: str

    def __call__(self) -> bytes:
        with ZipFile(self.archive) as archive, archive.open(self.name) as file:
            return file.read(MAX_FILE + 1)


def _chosen(files: list[_File], attributed: bool) -> list[_File]:
    """The submissions among files that belong together.

    Of a student's upload notebooks go before scripts, and where there is neither, whatever they
    handed in gets its row, to say that it cannot be read.
    """
    usable = [f for f in files if f.path.suffix.lower() in SUFFIXES]
    if not attributed:
        return usable
    notebooks = [f for f in usable if f.path.suffix.lower() in (".ipynb", ".zip")]
    return notebooks or usable or files[:1]


def _name(owner: Owner, file: _File, root: str) -> str:
    student = owner.student
    if owner.group:
        return f"{student.name}_{student.id}" if student.id not in student.name else student.name
    parts = file.path.with_suffix("").parts
    return "-".join((root, *parts) if root and file.path.name != root else parts)


def _distinct(handins: list[Handin]) -> list[Handin]:
    """Give those that share a name longer ones, all of them, until no two agree."""
    for longer in (_with_stem, _with_suffix):
        taken = Counter(_key(h.name) for h in handins)
        handins = [replace(h, name=longer(h)) if taken[_key(h.name)] > 1 else h for h in handins]
    used: set[str] = set()
    result = []
    for handin in sorted(handins, key=lambda h: (h.name, h.where)):
        name, number = _safe(handin.name), 2
        while _key(name) in used:
            name, number = f"{_safe(handin.name)} ({number})", number + 1
        used.add(_key(name))
        result.append(replace(handin, name=name))
    return result


def _with_stem(handin: Handin) -> str:
    stem = PurePosixPath(handin.filename).stem
    return f"{handin.name}-{stem}" if handin.student.id else handin.name


def _with_suffix(handin: Handin) -> str:
    return handin.name + PurePosixPath(handin.filename).suffix


def _key(name: str) -> str:
    """Equal for names that some file system takes for one."""
    return unicodedata.normalize("NFC", _safe(name)).casefold()


def _safe(name: str) -> str:
    """As a folder's name, on any system."""
    kept = "".join("_" if c in '<>:"/\\|?*' or not c.isprintable() else c for c in name)
    kept = kept.encode("utf-8", "replace").decode("utf-8").strip(" .")
    return kept.encode()[:180].decode("utf-8", "ignore") or "unnamed"
