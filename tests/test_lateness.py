"""What a late hand-in costs, and when one is known to be late."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from pathlib import PurePosixPath

import pytest

from autograder import platforms
from autograder.lateness import Arrival, Late

DUE = datetime(2026, 12, 1, 23, 59, tzinfo=UTC)
RULE = Late(per_day=1.5, at_most=4, due={"linear": DUE})


def after(**elapsed: float) -> Arrival:
    """Handed in so much later, by a clock of another zone."""
    zone = timezone(timedelta(hours=-8))
    return Arrival((DUE + timedelta(**elapsed)).astimezone(zone))


@pytest.mark.parametrize(("assignment", "arrival", "wanted"), [
    ("linear", after(hours=-1), 0), ("linear", after(), 0),
    ("linear", after(seconds=1), 1.5), ("linear", after(days=1), 1.5),
    ("linear", after(days=1, seconds=1), 3), ("linear", after(days=9), 4),
    ("linear", Arrival(), 0), ("linear", Arrival(late=True), 1.5),
    ("conv", after(days=9), 0), ("conv", Arrival(late=True), 1.5),
])
def test_each_day_begun_costs(assignment: str, arrival: Arrival, wanted: float) -> None:
    assert RULE.penalty(assignment, arrival) == wanted


def test_without_a_price_nothing_is_taken_off() -> None:
    assert Late(due={"linear": DUE}).penalty("linear", after(days=3)) == 0


@pytest.mark.parametrize(("text", "wanted"), [
    ("2026-12-02 00:59:00.340345000 +01:00", DUE + timedelta(seconds=.340345)),
    ("'2026-12-01T23:59:00Z'", DUE),
    ("2026-12-01 23:59:00", None), ("2026-12-01", None), ("soon", None), ("[1]", None),
])
def test_gradescope_says_when(text: str, wanted: datetime | None) -> None:
    entry = f"submission_1:\n  :submitters:\n  - :name: Bo\n  :created_at: {text}\n"
    (owner,) = platforms.listed([entry.encode()]).values()
    assert owner.arrival == Arrival(wanted)


@pytest.mark.parametrize(("name", "late"), [
    ("roe_LATE_1235_5679_linear.ipynb", True), ("roe_1235_5679_linear_LATE_1_.ipynb", False)])
def test_canvas_says_whether(name: str, late: bool) -> None:
    owner, _ = platforms.owner(PurePosixPath(name), {})
    assert owner.student.id == "1235"
    assert owner.arrival == Arrival(late=late)
