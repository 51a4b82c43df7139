"""Where the watched program is: its lines on the stack, innermost first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograder.evidence import Spot

Address = tuple[int | None, int]
Calls = tuple[Address, ...]
Here = Callable[[], Calls]
"""Asked at every operator: plain tuples, made into `Spot`s only for the record."""

MAX_CALLS = 8


def spot_of(calls: Calls) -> Spot | None:
    """The innermost line."""
    return Spot(cell=calls[0][0], line=calls[0][1]) if calls else None


def plain_spot(calls: Calls) -> dict[str, Any] | None:
    """The same, for a record that is validated as a whole."""
    return {"cell": calls[0][0], "line": calls[0][1]} if calls else None


def plain_spots(calls: Calls) -> list[dict[str, Any]]:
    """The lines outside the innermost one, from there outwards."""
    return [{"cell": cell, "line": line} for cell, line in calls[1:MAX_CALLS]]
