"""`autograder check FILE`."""

from __future__ import annotations

import functools
import json
import sys
import time
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
@options.language
@options.as_json
@click.option("--html", "page", type=click.Path(path_type=Path, dir_okay=False), default=None,
              help="Write the full report there, as one HTML file.")
@click.option("--watch", is_flag=True, help="Check again whenever the file is saved.")
def command(file: Path, assignment: str | None, grading_path: Path | None, device: str,
            seed: int | None, language: str, as_json: bool, page: Path | None,
            watch: bool) -> None:
    """Check one submission (.ipynb, .py or otter's .zip) in a process of its own."""
    from autograder.engine import UnknownAssignment, grade_file
    from autograder.messages import Messages
    from autograder.report import Report
    from autograder.reports import terminal
    from autograder.reports.html import render
    from autograder.sandbox.process import Process
    from autograder.watching import saves

    options.existing(file)
    grading = options.read_grading(grading_path)
    messages = Messages(language, grading.hints)
    run = functools.partial(Process, device=options.check_device(device))

    def once() -> Report:
        started = time.perf_counter()
        graded = grade_file(file, grading, messages, assignment=assignment, seed=seed, run=run)
        if page is not None:
            options.write(page, render(graded, grading, messages))
        if as_json:
            click.echo(json.dumps(graded.report.to_plain(), ensure_ascii=False, indent=2))
        else:
            terminal.show(graded.report, messages=messages, page=page,
                          seconds=time.perf_counter() - started)
        return graded.report

    try:
        if watch:
            for _ in saves(file):
                click.clear()
                once()
                click.echo(messages.label("saved", path=file), err=True)
        report = once()
    except UnknownAssignment as error:
        raise click.UsageError(str(error)) from None
    sys.exit(FULL_MARKS if report.score >= report.max_score > 0 else POINTS_MISSING)
