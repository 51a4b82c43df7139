"""All exercises by name, and which one a submission is a solution of."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from importlib.metadata import entry_points
from types import MappingProxyType

from autograder.exercises.base import Exercise
from autograder.exercises.conv import CONV_EXERCISE
from autograder.exercises.linear import LINEAR
from autograder.exercises.lqr import LQR

GROUP = "autograder.exercises"
"""The entry point group by which other packages add exercises."""


class ClashingExercise(Exception):
    """Two exercises of one name."""


def collect() -> Mapping[str, Exercise]:
    """The exercises of this package, then those that installed packages add.

    Raises:
        ClashingExercise: where a name is taken; it names both sides.
    """
    found = {e.name: e for e in (LINEAR, CONV_EXERCISE, LQR)}
    origin = dict.fromkeys(found, "autograder")
    for point in sorted(entry_points(group=GROUP), key=lambda p: p.value):
        exercise: Exercise = point.load()
        if exercise.name in found:
            raise ClashingExercise(f"{point.value} adds an exercise {exercise.name!r}, and "
                                   f"{origin[exercise.name]} has one of that name.")
        found[exercise.name], origin[exercise.name] = exercise, point.value
    return MappingProxyType(found)


EXERCISES = collect()


def infer(name: str, defined: Collection[str]) -> str | None:
    """The assignment, from the names a submission defines, else from its file name."""
    if "OneD_NN_LQR" in defined:
        return "lqr"
    if "corr2d" in defined or "zero_grad_owners" in defined:
        return "conv"
    named = [e for e in EXERCISES if e in name.lower()]
    if len(named) == 1:
        return named[0]
    return "linear" if {"train", "make_data"} & set(defined) else None
