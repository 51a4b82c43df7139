"""What handing in late costs, where the course platform tells that somebody did."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, NonNegativeFloat
from pydantic_core import PydanticCustomError

DAY = timedelta(days=1)


def _zoned(given: Any) -> datetime:
    if isinstance(given, datetime) and given.tzinfo is not None:
        return given
    raise PydanticCustomError(
        "due", "must be a date, a time and its zone, as in 2026-12-01 23:59:00 +01:00")


@dataclass(frozen=True)
class Arrival:
    """When something was handed in, as far as the platform says."""

    time: datetime | None = None
    """With its time zone."""
    late: bool = False
    """Whether the platform itself calls it late."""


class Late(BaseModel):
    """The rule. Without `per_day` nothing is ever taken off."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    per_day: NonNegativeFloat = 0.0
    at_most: NonNegativeFloat = 10.0
    due: dict[str, Annotated[datetime, BeforeValidator(_zoned)]] = {}

    def penalty(self, assignment: str, arrival: Arrival) -> float:
        """Points to take off: for each day begun after the time it was due.

        Where only the platform's word is known that it was late, that is one day.
        """
        due = self.due.get(assignment)
        days = int(arrival.late)
        if due is not None and arrival.time is not None:
            days = max(math.ceil((arrival.time - due) / DAY), 0)
        return min(days * self.per_day, self.at_most)
