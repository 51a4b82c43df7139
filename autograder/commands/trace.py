"""`autograder trace SCRIPT`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from autograder.cli import FULL_MARKS, POINTS_MISSING
from autograder.commands import options


@click.command("trace")
@click.argument("script", type=click.Path(path_type=Path))
@click.option("--passes", type=click.IntRange(6, 5000), default=60, show_default=True,
              help="Stop after so many backward passes: faults of a loop show early.")
@click.option("--seconds", type=click.FloatRange(1), default=120, show_default=True,
              help="Time limit.")
@options.language
@options.as_json
def command(script: Path, passes: int, seconds: float, language: str, as_json: bool) -> None:
    """Run any training script or notebook under the recorder: no contract, no score."""
    from autograder.messages import Messages
    from autograder.reports import terminal
    from autograder.submission import Unreadable, read
    from autograder.tracing import trace

    options.existing(script)
    try:
        submission = read(script)
    except Unreadable as error:
        raise click.UsageError(error.reason) from None
    messages = Messages(language)
    result = trace(submission, messages, passes=passes, seconds=seconds)
    if as_json:
        click.echo(json.dumps(result, ensure_ascii=False, indent=2))
    else:
        terminal.show_trace(result, messages=messages)
    sys.exit(POINTS_MISSING if result["diagnoses"] else FULL_MARKS)
