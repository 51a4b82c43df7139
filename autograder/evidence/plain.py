"""The small things that records are made of: addresses, numbers, failures."""

from __future__ import annotations

import math
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt, model_validator

# Caps on what a child may send: far above anything an honest run needs.
Text = Annotated[str, Field(max_length=4000)]
MOST_VALUES = 100_000
Numbers = Annotated[list[float], Field(max_length=MOST_VALUES)]


class Plain(BaseModel):
    """A frozen record of plain data."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", ser_json_inf_nan="constants", allow_inf_nan=True
    )


class Spot(Plain):
    """An address in the submission: code cell (None in a script) and line, both from 1."""

    cell: int | None = None
    line: int


class Failure(Plain):
    """An exception that left the student's code; `frames` run from the outermost call inwards."""

    kind: Text
    message: Text
    frames: Annotated[list[Spot], Field(max_length=200)] = []


class Problem(Plain):
    """What was returned is not what was asked for: `what` is a key of the message catalogue."""

    what: Text
    got: Text = ""
    wanted: Text = ""


class Warned(Plain):
    """A Python warning, and the submission's line that was running."""

    category: Text
    message: Text
    spot: Spot | None = None


class Array(Plain):
    """A tensor as numbers, row by row; large ones are cut off."""

    shape: list[NonNegativeInt]
    values: Numbers
    dtype: str = "float32"

    @model_validator(mode="after")
    def _whole(self) -> Self:
        size = math.prod(self.shape)
        if len(self.values) != min(size, MOST_VALUES):
            raise ValueError(f"{len(self.values)} values are no tensor of shape {self.shape}")
        return self
