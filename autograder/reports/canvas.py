"""One column of a gradebook that Canvas exported, filled: nobody is guessed.

An unknown title would make a new assignment in Canvas, so the column must be there already.
"""

from __future__ import annotations

import csv
import difflib
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from autograder.batch import Row
from autograder.handins import Doubt, Student
from autograder.reports.csv_ import number, safe

_ID, _ELSE = "ID", ("SIS User ID", "SIS Login ID", "Integration ID")
_NOT_STUDENTS = ("points possible", "manual posting", "student, test", "test student")
_EXCUSED = "EX"


class BadGradebook(Exception):
    """The file or the column cannot be used; the message says why."""


@dataclass(frozen=True)
class Filled:
    """The gradebook as CSV, and what did not find its place."""

    text: str
    doubts: list[Doubt]
    filled: int


@dataclass
class Gradebook:
    """An exported gradebook, and the place in it that is to be filled."""

    lines: list[list[str]]
    column: int
    found: dict[str, set[int]] = field(default_factory=dict)
    """What the gradebook calls a student by, one of its columns at a time → line numbers."""


def read(text: str, column: str) -> Gradebook:
    """Find the column.

    Raises:
        BadGradebook: where there is none of that title, or this is no gradebook.
    """
    lines = list(csv.reader(io.StringIO(text.removeprefix("\ufeff"))))
    header = [title.strip() for title in lines[0]] if lines else []
    if len(header) < 2 or "Student" not in header[0] or "ID" not in header[1]:
        raise BadGradebook("this is no gradebook that Canvas exported: its first two columns are "
                           "not Student and ID")
    titles = [h for h in header[2:] if h not in _ELSE and h != "Section"]
    if header.count(column.strip()) > 1:
        raise BadGradebook(f"several columns are called {column!r}")
    if column.strip() not in titles:
        raise BadGradebook(f"the gradebook has no column {column!r}.{_nearest(column, titles)}")
    book = Gradebook(lines, header.index(column.strip()))
    named = [(header.index(n), f"{n}:") for n in _ELSE if n in header]
    for index, line in enumerate(lines):
        if index and len(line) > 1 and line[0].strip().casefold() not in _NOT_STUDENTS:
            keys = [f"{prefix}{line[i].strip().casefold()}" for i, prefix in named
                    if i < len(line) and line[i].strip()]
            keys += [f"ID:{line[1].strip()}"] if line[1].strip() else []
            keys += [f"name:{name}" for name in _names(line[0])]
            for key in keys:
                book.found.setdefault(key, set()).add(index)
    return book


def _nearest(column: str, titles: Sequence[str]) -> str:
    folded = {t.casefold(): t for t in titles}
    begun = [t for f, t in folded.items() if f.startswith(column.strip().casefold())]
    near = begun[:1] or [folded[f] for f in difflib.get_close_matches(
        column.strip().casefold(), folded, n=1, cutoff=0.4)]
    if near:
        return f" Did you mean {near[0]!r}?"
    return f" It has {', '.join(map(repr, titles))}." if titles else ""


def fill(book: Gradebook, rows: Iterable[Row]) -> Filled:
    """Put each final score where its student is; `rows` are of one assignment."""
    doubts: list[Doubt] = []
    scores: dict[int, list[Row]] = {}
    for row in rows:
        for person in people(row):
            lines, why = _lines(book, person)
            if not row.graded:
                why = f"there is no score ({row.status})"
            if why or len(lines) != 1:
                who = person.name or person.id or person.email or row.name
                doubts.append(Doubt(row.where, f"not in canvas.csv: {who}: "
                                               f"{why or _why(len(lines))}"))
            else:
                scores.setdefault(lines.pop(), []).append(row)
    filled = [[*line] for line in book.lines]
    count = 0
    for index, found in scores.items():
        line = filled[index]
        line += [""] * (book.column + 1 - len(line))
        if len(found) > 1:
            names = ", ".join(r.name for r in found)
            why = f"{line[0]} has several submissions: {names}"
        elif line[book.column].strip().upper() == _EXCUSED:
            why = f"{line[0]} is excused"
        else:
            line[book.column] = str(number(round(found[0].final, 2)))
            count += 1
            continue
        doubts.append(Doubt(found[0].where, f"not in canvas.csv: {why}"))
    file = io.StringIO()
    # The header as it is: Canvas would take a changed title for a new assignment's.
    csv.writer(file).writerows([filled[0], *([_cell(c) for c in line] for line in filled[1:])])
    return Filled(file.getvalue(), doubts, count)


def people(row: Row) -> Iterator[Student]:
    """Whose it is: each of a group; without a platform's word for it, the submission's name."""
    student = row.student
    if student == Student():
        yield Student(id=row.name)
        return
    parts = [p.split(" & ") if p else [] for p in (student.name, student.id, student.email)]
    size = max(map(len, parts))
    if any(p and len(p) != size for p in parts):
        yield Student(student.name)  # whose number is whose, nothing says
        return
    for one in range(size):
        yield Student(*(p[one] if p else "" for p in parts))


def _lines(book: Gradebook, person: Student) -> tuple[set[int], str]:
    """The lines that may be theirs, and why none of them is."""
    def at(prefix: str, value: str) -> set[int]:
        return book.found.get(f"{prefix}:{value.strip()}", set()) if value.strip() else set()

    named = {i for name in _names(person.name or person.id) for i in at("name", name)}
    by_id = at(_ID, person.id)
    ours = set[int]().union(*(at(column, value.casefold())
                              for column in _ELSE for value in (person.id, person.email)))
    # Another platform's number may happen to be a Canvas number: the name must agree as well.
    if by_id and person.name and not by_id & named and not by_id & ours:
        return set(), f"{person.id} is somebody else's number there"
    found = by_id | ours
    if found and named and not found & named:
        return set(), "the number is one student's there and the name another's"
    return set(found or named), ""


def _why(count: int) -> str:
    return "nobody there has this login, number or name" if count == 0 else (
        f"{count} students there could be meant")


def _names(name: str) -> set[str]:
    """`Last, First` and `First Last`, each as letters only: what Canvas makes file names of."""
    last, comma, first = name.partition(",")
    both = [f"{last}{first}", f"{first}{last}"] if comma else [name]
    return {"".join(c for c in each if c.isalnum()).casefold() for each in both} - {""}


def _cell(cell: str) -> object:
    """A grade may be negative; any other text that begins like a formula is none."""
    try:
        float(cell)
    except ValueError:
        return safe(cell)
    return cell
