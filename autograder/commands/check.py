"""`autograder check FILE`."""

from __future__ import annotations

import functools
import json
import sys
from pathlib import Path

import click

from autograder.cli import FULL_MARKS, POINTS_MISSING
from autograder.commands import options


@click.command("check")
@click.argument("file", type=click.Path(path_type=Path))
@options.assignment
@options.grading_file
@options.device
@options.seed
@options.as_json
def command(file: Path, assignment: str | None, grading_path: Path | None, device: str,
            seed: int | None, as_json: bool) -> None:
    """Check one submission (.ipynb, .py or otter's .zip) in a process of its own."""
    from autograder.engine import UnknownAssignment, grade_file
    from autograder.messages import Messages
    from autograder.reports import terminal
    from autograder.sandbox.process import Process

    options.existing(file)
    grading = options.read_grading(grading_path)
    run = functools.partial(Process, device=options.check_device(device))
    try:
        graded = grade_file(file, grading, Messages(), assignment=assignment, seed=seed, run=run)
    except UnknownAssignment as error:
        raise click.UsageError(str(error)) from None
    report = graded.report
    if as_json:
        click.echo(json.dumps(report.to_plain(), ensure_ascii=False, indent=2))
    else:
        terminal.show(report)
    sys.exit(FULL_MARKS if report.score >= report.max_score > 0 else POINTS_MISSING)
