"""What every door gives back: verdicts with points, diagnoses with a line. Plain data."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from autograder.evidence import Spot
from autograder.submission import Submission

SCHEMA = 1
Status = Literal["passed", "failed", "not-judged"]


@dataclass(frozen=True)
class Verdict:
    """One check's outcome. `credit` is the part of the points earned, 0 to 1."""

    id: str
    status: Status
    credit: float = 0.0
    needs: str | None = None

    @classmethod
    def passed(cls, id: str) -> Verdict:
        """Full credit."""
        return cls(id, "passed", 1.0)

    @classmethod
    def of(cls, id: str, ok: bool, credit: float = 0.0) -> Verdict:
        """Passed, or failed with `credit`."""
        return cls.passed(id) if ok else cls(id, "failed", credit)

    @classmethod
    def needing(cls, id: str, other: str) -> Verdict:
        """Not judged, because `other` did not pass."""
        return cls(id, "not-judged", needs=other)


@dataclass(frozen=True)
class Diagnosis:
    """A named cause. `data` fills the message's blanks; `evidence` is for who wants to know."""

    code: str
    spot: Spot | None = None
    data: dict[str, Any] = field(default_factory=dict)
    evidence: dict[str, Any] = field(default_factory=dict)
    related: tuple[tuple[str, Spot], ...] = ()
    """Further lines, each with a key of the message catalogue."""
    variant: str = ""
    """Which of the code's messages tells it best."""
    rooted: bool = True
    """Whether other faults may follow from this one; not where it shows on other data only."""


@dataclass(frozen=True)
class Report:
    """One submission's result."""

    assignment: str
    submission: str
    score: float
    max_score: float
    checks: tuple[dict[str, Any], ...]
    diagnoses: tuple[dict[str, Any], ...]
    environment: dict[str, Any]

    def to_plain(self) -> dict[str, Any]:
        """The JSON shape of docs/report.schema.json."""
        return {"schema": SCHEMA, **asdict(self)}


def where(spot: Spot | None, submission: Submission | None) -> dict[str, Any] | None:
    """A line's address and text, as in the JSON shape."""
    if spot is None:
        return None
    text = submission.place(spot.cell, spot.line).text if submission else ""
    cell = {} if spot.cell is None else {"cell": spot.cell}
    return {**cell, "line": spot.line, "text": text}
