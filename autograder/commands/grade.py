"""`autograder grade PATH… -o OUT`."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from autograder.commands import options

TABLE_ROWS = 60
"""A longer table is of no use in a terminal: grades.csv has them all."""
SAVED_EVERY = 2.0


@click.command("grade")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path, file_okay=False),
              help="Folder for grades.csv and a report for each submission.")
@click.option("-j", "--jobs", type=click.IntRange(1), default=None,
              help="Submissions at a time; as many as there are processors by default.")
@click.option("--force", is_flag=True, help="Grade again what is graded already.")
@click.option("--sandbox", "only", type=click.Choice(["full", "portable", "process"]),
              help="This sandbox and no other; the strongest one that works by default.")
@click.option("--require-sandbox", "required", is_flag=True,
              help="Refuse to grade where submissions could reach your files or the network.")
@options.assignment
@options.grading_file
@options.seed
@options.language
def command(paths: tuple[Path, ...], out: Path, jobs: int | None, force: bool, only: str | None,
            required: bool, assignment: str | None, grading_path: Path | None, seed: int | None,
            language: str) -> None:
    """Grade every submission under PATHS into OUT, each in a process of its own.

    PATHS are notebooks, scripts, folders of them, and bulk downloads of Gradescope, Canvas and
    Moodle. What is graded already, unchanged, is not graded again.
    """
    from autograder import batch
    from autograder.engines.local import Local
    from autograder.engines.work import Terms
    from autograder.handins import Doubt, collect
    from autograder.reports import csv_
    from autograder.reports.progress import Shown
    from autograder.reports.table import Table
    from autograder.sandbox.choice import Refused, Sandbox, sandbox
    from autograder.sandbox.setup import Budget
    from autograder.store import Store, as_json, write

    started = time.time()
    for path in paths:
        options.existing(path)
    grading = options.read_grading(grading_path)
    handins, doubts = collect(paths)
    store = Store(out)
    terms = Terms(grading, grading.seed if seed is None else seed, assignment, language)
    budget = Budget(cpu=round(grading.limits.total) + 10)
    rows: list[batch.Row] = []
    profiles: list[str] = []

    @contextmanager
    def opened() -> Iterator[Sandbox]:
        with sandbox(only, required=required, budget=budget) as chosen:
            profiles.append(chosen.name)
            if chosen.warning:
                click.secho(f"WARNING: {chosen.warning}", fg="red", bold=True, err=True)
            yield chosen

    engine = Local(opened, jobs or os.cpu_count() or 1)
    table = Table()
    try:
        with Shown(len(handins)) as shown:
            saved = time.monotonic()
            for result in batch.run(handins, store, terms, engine, force=force, strict=required):
                rows.append(result.row)
                shown.add(result)
                if len(rows) <= TABLE_ROWS:
                    table.add(result)
                if result.doubt:
                    doubts.append(Doubt(result.row.where, result.doubt))
                if time.monotonic() - saved > SAVED_EVERY:
                    write(out / "grades.csv", csv_.grades(rows), bom=True)
                    saved = time.monotonic()
    except Refused as error:
        raise click.UsageError(str(error)) from None
    doubts += batch.doubled(rows)
    write(out / "grades.csv", csv_.grades(rows), bom=True)
    write(out / "needs-review.csv", csv_.needs_review(doubts), bom=True)
    run = batch.summary(rows, terms, profiles, started)
    write(out / "run.json", as_json(run))
    if len(rows) <= TABLE_ROWS:
        table.show()
    click.echo(f"written: {out / 'grades.csv'}" + (
        f"; {len(doubts)} to look at in {out / 'needs-review.csv'}" if doubts else ""))
