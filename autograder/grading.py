"""grading.yml, read and validated: points, tolerances, seeds, steps and limits."""

from __future__ import annotations

import difflib
import hashlib
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from autograder.lateness import Late
from autograder.settings import Limits, LqrSettings, TrainerSettings

DEFAULT = Path(__file__).with_name("grading.yml")


class BadGrading(Exception):
    """grading.yml cannot be used; the message names file, line, key and what to do."""


class Assignments(BaseModel):
    """Settings by assignment; further ones belong to exercises of other packages."""

    model_config = ConfigDict(extra="allow", frozen=True)
    linear: TrainerSettings
    conv: TrainerSettings
    lqr: LqrSettings


class Grading(BaseModel):
    """The whole file. `digest` changes with its content."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    schema_: int = Field(alias="schema", ge=1, le=1)
    seed: int = Field(ge=0, lt=2**31)
    hints: Literal["where", "why", "ask"] = "ask"
    limits: Limits = Limits()
    late: Late = Late()
    assignments: Assignments
    digest: str = ""

    def settings(self, assignment: str) -> Any:
        """The settings of one assignment; an added exercise brings defaults of its own."""
        if assignment in Assignments.model_fields:
            return getattr(self.assignments, assignment)
        from autograder.exercises.registry import EXERCISES

        defaults = EXERCISES[assignment].defaults
        given = (self.assignments.model_extra or {}).get(assignment) or {}
        return type(defaults).model_validate(defaults.model_dump() | given)


CHECKS: dict[str, tuple[str, ...]] = {
    "linear": ("runs", "loss-falls", "converges", "own-graph", "fresh-gradients"),
    "conv": ("runs", "loss-falls", "converges", "own-graph", "fresh-gradients",
             "zero-grad-owners"),
    "lqr": ("runs", "loss-falls", "converges", "own-graph", "sensitivity", "update"),
}


def load(path: Path = DEFAULT) -> Grading:
    """Read and validate.

    Raises:
        BadGrading: with one line a fault: file:line: key: what, and the near name.
    """
    try:
        data = path.read_bytes()
        tree = yaml.compose(data.decode("utf-8"), Loader=yaml.SafeLoader)
        plain = yaml.safe_load(data)
    except (OSError, UnicodeDecodeError) as error:
        raise BadGrading(f"{path}: cannot be read: {error}") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f":{mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or error
        raise BadGrading(f"{path}{line}: not valid YAML: {problem}") from None
    if not isinstance(plain, dict):
        raise BadGrading(f"{path}: it must hold keys such as schema, seed and assignments.")
    faults = _point_faults(path, tree, plain) + _stranger_faults(path, tree, plain)
    try:
        grading = Grading.model_validate(plain | {"digest": hashlib.sha256(data).hexdigest()})
    except ValidationError as error:
        faults += [_explain(path, tree, fault) for fault in error.errors()]
    else:
        faults += _added_faults(path, tree, grading)
    if faults:
        raise BadGrading("\n".join(faults))
    return grading


def _stranger_faults(path: Path, tree: yaml.Node | None, plain: dict[str, Any]) -> list[str]:
    """Assignments that no installed exercise has the name of."""
    late = plain.get("late")
    places = {("assignments",): plain.get("assignments"),
              ("late", "due"): late.get("due") if isinstance(late, dict) else None}
    named = [(*where, name) for where, keys in places.items() if isinstance(keys, dict)
             for name in sorted(map(str, keys)) if name not in Assignments.model_fields]
    if not named:
        return []
    from autograder.exercises.registry import EXERCISES

    return [
        f"{path}:{_line(tree, where)}: {'.'.join(where)}: unknown key"
        f"{_near(where[-1], tuple(EXERCISES))}"
        for where in named if where[-1] not in EXERCISES
    ]


def _added_faults(path: Path, tree: yaml.Node | None, grading: Grading) -> list[str]:
    """Settings that the exercises of other packages do not take."""
    from autograder.exercises.registry import EXERCISES

    faults = []
    for name in grading.assignments.model_extra or {}:
        where = ("assignments", name)
        if name not in EXERCISES:
            continue
        try:
            grading.settings(name)
        except ValidationError as error:
            faults += [f"{path}:{_line(tree, (*where, *fault['loc']))}: "
                       f"{'.'.join(map(str, (*where, *fault['loc'])))}: {fault['msg'].lower()}."
                       for fault in error.errors()]
    return faults


def _point_faults(path: Path, tree: yaml.Node | None, plain: dict[str, Any]) -> list[str]:
    faults = []
    assignments = plain.get("assignments")
    for name, known in CHECKS.items():
        entry = assignments.get(name) if isinstance(assignments, dict) else None
        points = entry.get("points") if isinstance(entry, dict) else None
        if not isinstance(points, dict):
            continue
        where = ("assignments", name, "points")
        for key, value in points.items():
            line = _line(tree, (*where, key))
            if key not in known:
                faults.append(f"{path}:{line}: {key}: no such check{_near(str(key), known)}")
            elif isinstance(value, (int, float)) and (value < 0 or value != value):
                faults.append(f"{path}:{line}: {key}: points must not be negative.")
        for key in (entry or {}).get("judged_later") or ():
            if key not in known:
                line = _line(tree, ("assignments", name, "judged_later"))
                faults.append(f"{path}:{line}: judged_later: {key}: no such check"
                              f"{_near(str(key), known)}")
        for key in known:
            if key not in points:
                faults.append(f"{path}:{_line(tree, where)}: {name}: points for {key} are missing.")
    return faults


def _explain(path: Path, tree: yaml.Node | None, fault: Any) -> str:
    where = tuple(fault["loc"])
    line = _line(tree, where)
    key = ".".join(str(part) for part in where)
    if fault["type"] == "extra_forbidden":
        known = _known(where)
        return f"{path}:{line}: {key}: unknown key{_near(str(where[-1]), known)}"
    if fault["type"] == "missing":
        return f"{path}:{line}: {key} is missing."
    return f"{path}:{line}: {key}: {fault['msg'].lower()}, got {fault['input']}."


def _known(where: tuple[Any, ...]) -> tuple[str, ...]:
    if len(where) == 1:
        return ("schema", "seed", "hints", "limits", "late", "assignments")
    if where[0] in ("limits", "late"):
        return tuple((Limits if where[0] == "limits" else Late).model_fields)
    if len(where) == 2:
        return tuple(Assignments.model_fields)
    kind = LqrSettings if where[1] == "lqr" else TrainerSettings
    return tuple(kind.model_fields)


def _near(name: str, known: tuple[str, ...]) -> str:
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    return f"; did you mean {close[0]}?" if close else f"; known are {', '.join(known)}."


def _line(tree: yaml.Node | None, where: tuple[Any, ...]) -> int:
    """The line of the deepest key of `where` that is there."""
    line = 1
    for part in where:
        if not isinstance(tree, yaml.MappingNode):
            break
        for key, value in tree.value:
            if key.value == str(part):
                line, tree = key.start_mark.line + 1, value
                break
        else:
            break
    return line
