"""What a submission is, once it is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

MAX_FILE: Final = 20_000_000


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


def clean(text: str) -> str:
    """Line ends as \\n alone, and lone surrogates, which no report can print, as question marks."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.encode("utf-8", "replace").decode("utf-8")


def shown(name: str) -> str:
    """A file's name as it may stand in a sentence: it can hold anything, line ends included."""
    name = "".join(char if char.isprintable() else "?" for char in name)
    return name if len(name) <= 80 else f"{name[:79]}…"
