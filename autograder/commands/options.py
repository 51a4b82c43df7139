"""Options that several commands share, and errors that several commands foresee."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from autograder.grading import DEFAULT, BadGrading, Grading, load


def _installed(ctx: click.Context, param: click.Parameter, name: str | None) -> str | None:
    """An exercise of this package or of another one; looked up only where one is named."""
    if name is None:
        return None
    from autograder.exercises.registry import EXERCISES

    if name not in EXERCISES:
        raise click.BadParameter(f"{name!r} is none of {', '.join(EXERCISES)}.", ctx, param)
    return name


assignment = click.option(
    "-a", "--assignment", metavar="[linear|conv|lqr|…]", callback=_installed, default=None,
    help="Which assignment it is; inferred from the file where it can be.")
grading_file = click.option(
    "--grading", "grading_path", type=click.Path(path_type=Path), default=None,
    help="Another grading.yml than the one that comes with the grader.")
device = click.option("--device", default="cpu", show_default=True,
                      help="Where student code runs: cpu, cuda, mps.")
seed = click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=None,
                    help="Seed of the secret cases, instead of grading.yml's.")
language = click.option(
    "--lang", "language", type=click.Choice(["en", "zh"]), default="en", show_default=True,
    envvar="AUTOGRADER_LANG", help="Language of what is said: English or 中文.")
as_json = click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")


def read_grading(path: Path | None) -> Grading:
    """grading.yml, or a usage error that says what is wrong with it."""
    try:
        return load(path or DEFAULT)
    except BadGrading as error:
        raise click.UsageError(f"the grading file cannot be used:\n{error}") from None


def check_device(name: str) -> str:
    """The device's name, if torch has it here; else a usage error."""
    if name == "cpu":
        return name
    import torch

    kinds: dict[str, Any] = {
        "cuda": torch.cuda.is_available, "mps": torch.backends.mps.is_available,
    }
    kind = name.split(":")[0]
    if kind not in kinds:
        raise click.UsageError(f"--device {name}: known are cpu, cuda and mps.")
    if not kinds[kind]():
        raise click.UsageError(
            f"--device {name}: torch finds no {kind} device on this machine; use --device cpu.")
    return name


def existing(path: Path) -> Path:
    """The path, or a usage error with the nearest name in its folder."""
    if path.exists():
        return path
    import difflib

    names = [p.name for p in path.parent.iterdir()] if path.parent.is_dir() else []
    near = difflib.get_close_matches(path.name, names, n=1)
    hint = f" Did you mean {path.parent / near[0]}?" if near else ""
    raise click.UsageError(f"there is no file {path}.{hint}")


def write(path: Path, text: str) -> None:
    """Write a file that the user asked for, or a usage error that says why it cannot be."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.UsageError(f"{path} cannot be written: {error.strerror}.") from None
