"""How course platforms name what was handed in: all that is believed about whose a file is.

Only what the platform itself wrote is looked at, never what lies deeper.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any, Final

from autograder.lateness import Arrival

_CANVAS: Final = re.compile(r"([^_/]+)(_LATE)?_(\d{3,})_(\d{3,})_(.+)")
_MOODLE: Final = re.compile(r"(.+?)_(\d{3,})_assignsubmission_(?:file|onlinetext)_?")
_MOODLE_FLAT: Final = re.compile(r"(.+?)_(\d{3,})_assignsubmission_file_(.+)")
_GRADESCOPE: Final = re.compile(r"submission_(\d+)")
METADATA: Final = "submission_metadata.yml"
"""Gradescope's list of who handed in what."""


@dataclass(frozen=True)
class Student:
    """A student as the platform names them."""

    name: str = ""
    id: str = ""
    email: str = ""


@dataclass(frozen=True)
class Owner:
    """Whose a file is; `group` is the same for all files of one hand-in, and empty where the names
    do not say.
    """

    student: Student = Student()
    group: str = ""
    arrival: Arrival = Arrival()


def owner(path: PurePosixPath, metadata: Mapping[str, Owner]) -> tuple[Owner, str]:
    """Whose the file of this path is, and what they called it."""
    top = path.parts[0]
    if len(path.parts) > 1:
        if match := _MOODLE.fullmatch(top):
            return Owner(Student(match[1], match[2]), top), path.name
        if match := _GRADESCOPE.fullmatch(top):
            return metadata.get(top, Owner(Student(top, match[1]), top)), path.name
    elif match := _MOODLE_FLAT.fullmatch(top):
        return Owner(Student(match[1], match[2]), match[2]), match[3]
    elif match := _CANVAS.fullmatch(top):
        name, late, number, group, called = match.groups()
        arrival = Arrival(late=late is not None)
        return Owner(Student(name, number), f"{number}_{group}", arrival), called
    return Owner(), path.name


def listed(texts: Iterable[bytes]) -> dict[str, Owner]:
    """Gradescope's lists: folder → who handed in, several names for a group, and when."""
    import yaml

    found: dict[str, Owner] = {}
    for text in texts:
        try:
            plain = yaml.safe_load(text)
        except (yaml.YAMLError, ValueError, RecursionError):
            continue
        for folder, entry in plain.items() if isinstance(plain, dict) else ():
            people = entry.get(":submitters") if isinstance(entry, dict) else None
            if isinstance(people, list) and people and all(isinstance(p, dict) for p in people):
                student = Student(*(_joined(people, key) for key in ("name", "sid", "email")))
                arrival = Arrival(_time(entry.get(":created_at")))
                found[str(folder)] = Owner(student, str(folder), arrival)
    return found


def _joined(people: list[dict[str, Any]], key: str) -> str:
    return " & ".join(str(p[f":{key}"]) for p in people if p.get(f":{key}"))


def _time(given: Any) -> datetime | None:
    """A time with its zone; None for anything else."""
    if isinstance(given, str):
        try:
            given = datetime.fromisoformat(given.strip())
        except ValueError:
            return None
    return given if isinstance(given, datetime) and given.tzinfo is not None else None
