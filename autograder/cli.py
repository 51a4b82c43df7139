"""The command line: a click group whose commands are imported when they are called."""

from __future__ import annotations

import importlib
import sys
from typing import Any

import click

COMMANDS = {
    "check": "Check one submission and say what to mend.",
    "trace": "Run any training program and diagnose its graphs.",
    "grade": "Grade many submissions into a folder.",
    "regrade": "Score a batch anew from what was seen, with another grading.yml.",
    "explain": "Tell what a code means, with an example.",
    "build": "Make handouts and autograder.zip of master notebooks.",
    "export": "Write a master notebook for nbgrader.",
}
"""Command → the line that `autograder --help` shows; each lives in autograder/commands/."""

FULL_MARKS, POINTS_MISSING, USAGE, OWN_FAULT = 0, 1, 2, 3
"""Exit codes of every command."""


class _Lazy(click.Group):
    """Imports a command only when it runs, so that --help needs no torch."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module = importlib.import_module(f"autograder.commands.{name}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        import difflib

        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            near = difflib.get_close_matches(args[0], COMMANDS, n=1, cutoff=0.5)
            hint = f" Did you mean {near[0]}?" if near else ""
            raise click.UsageError(f"there is no command {args[0]!r}.{hint}", ctx)
        return super().resolve_command(ctx, args)


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="autograd-autograder", prog_name="autograder")
def group() -> None:
    """Grades repaired PyTorch training loops and names the cause and the line.

    Exit codes: 0 full marks, 1 points missing, 2 usage, 3 a fault of the grader's own.
    """


def main() -> None:
    """Entry point: a fault of our own is one sentence and exit code 3, never a traceback."""
    try:
        group(standalone_mode=True)
    except Exception as error:
        import os
        import traceback

        if os.environ.get("AUTOGRADER_DEBUG"):
            traceback.print_exc()
        click.echo(f"autograder: a fault of the grader's own: {type(error).__name__}: {error}\n"
                   "Nothing is lost; set AUTOGRADER_DEBUG=1 to see where it happened.", err=True)
        sys.exit(OWN_FAULT)
