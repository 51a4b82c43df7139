"""What grading.yml may set, as models: by exercise, and the limits of time."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, PositiveFloat, PositiveInt


class Settings(BaseModel):
    """One assignment's settings; the points by check id."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    points: dict[str, float]
    judged_later: list[str] = []
    """Checks that a handout announces and does not run: judged after handing in."""

    @property
    def max_score(self) -> float:
        """All points together."""
        return sum(self.points.values())


class TrainerSettings(Settings):
    """Settings of linear and conv."""

    recorded_steps: int = Field(ge=6, le=100)
    short_steps: int = Field(ge=2, le=50)
    long_recorded_steps: int = Field(ge=6, le=2000)
    default_steps: PositiveInt
    max_steps: PositiveInt
    falls: PositiveFloat
    excess: PositiveFloat
    distance: PositiveFloat


class LqrSettings(Settings):
    """Settings of lqr."""

    hidden: list[PositiveInt] = Field(min_length=2, max_length=2)
    delta: PositiveFloat
    recorded_steps: int = Field(ge=6, le=100)
    short_steps: int = Field(ge=2, le=50)
    long_recorded_steps: int = Field(ge=6, le=2000)
    frozen_steps: int = Field(ge=100, le=5000)
    coarse_delta: PositiveFloat
    coarse_steps: int = Field(ge=50, le=5000)
    unrolled_steps: int = Field(ge=10, le=400)
    update_steps: int = Field(ge=10, le=400)
    update_rate: PositiveFloat
    training_steps: int = Field(ge=100, le=100_000)
    paths: int = Field(ge=1, le=10)
    initial_cost: tuple[PositiveFloat, PositiveFloat]
    sensitivity: PositiveFloat
    residual: PositiveFloat
    noise: PositiveFloat
    kurtosis: tuple[PositiveFloat, PositiveFloat]
    drift: PositiveFloat
    fraction: float = Field(gt=0, lt=1)


class Limits(BaseModel):
    """Seconds of wall time."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    load: PositiveFloat = 30
    question: PositiveFloat = 60
    total: PositiveFloat = 240
