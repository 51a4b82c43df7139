"""`autograder grade PATH… -o OUT`."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autograder.commands import options

if TYPE_CHECKING:
    from autograder.reports.canvas import Gradebook

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
@click.option("--no-html", "html", flag_value=False, default=True, type=bool,
              help="Write no pages: neither report.html for each nor index.html for all.")
@click.option("--canvas", "gradebook", type=click.Path(path_type=Path, dir_okay=False),
              help="A gradebook that Canvas exported: OUT/canvas.csv is it with a column filled.")
@click.option("--canvas-column", "column", metavar="'TITLE (ID)'",
              help="The title of that column, as in the gradebook.")
@click.option("--engine", "engine_name", type=click.Choice(["local", "dask"]), default="local",
              show_default=True, help="Grade on this machine, or on dask's workers.")
@click.option("--scheduler", metavar="ADDRESS",
              help="Of dask's scheduler; without it dask starts workers on this machine.")
@click.option("--sandbox", "only", type=click.Choice(["full", "portable", "process"]),
              help="This sandbox and no other; the strongest one that works by default.")
@click.option("--require-sandbox", "required", is_flag=True,
              help="Refuse to grade where submissions could reach your files or the network.")
@options.assignment
@options.grading_file
@options.device
@options.seed
@options.language
def command(paths: tuple[Path, ...], out: Path, jobs: int | None, force: bool, html: bool,
            gradebook: Path | None, column: str | None, engine_name: str, scheduler: str | None,
            only: str | None, required: bool, assignment: str | None, grading_path: Path | None,
            device: str, seed: int | None, language: str) -> None:
    """Grade every submission under PATHS into OUT, each in a process of its own.

    PATHS are notebooks, scripts, folders of them, and bulk downloads of Gradescope, Canvas and
    Moodle. What is graded already, unchanged, is not graded again.
    """
    from autograder import batch
    from autograder.engines.dask import Dask, NoDask, Place
    from autograder.engines.local import Local
    from autograder.engines.work import Engine, Terms
    from autograder.handins import Doubt, collect
    from autograder.messages import Messages
    from autograder.publishing import Batch, into_canvas, publish
    from autograder.reports import csv_
    from autograder.reports.canvas import BadGradebook
    from autograder.reports.progress import Shown
    from autograder.reports.table import Table
    from autograder.sandbox.choice import Refused, Sandbox, sandbox
    from autograder.sandbox.setup import Budget
    from autograder.store import Store, write

    started = time.time()
    for path in paths:
        options.existing(path)
    if scheduler and engine_name != "dask":
        raise click.UsageError("--scheduler is dask's: add --engine dask.")
    if options.check_device(device) != "cpu" and engine_name == "dask":
        raise click.UsageError(f"--engine dask grades on the CPU: leave --device {device} out.")
    book = _gradebook(gradebook, column)
    grading = options.read_grading(grading_path)
    handins, doubts = collect(paths)
    store = Store(out)
    terms = Terms(grading, grading.seed if seed is None else seed, assignment, language, html,
                  device)
    budget = Budget(cpu=round(grading.limits.total) + 10)
    rows: list[batch.Row] = []
    profiles: list[str] = []

    def noticed(profile: str, warning: str) -> None:
        if profile not in profiles:
            profiles.append(profile)
            if warning:
                click.secho(f"WARNING: {warning}", fg="red", bold=True, err=True)

    @contextmanager
    def opened() -> Iterator[Sandbox]:
        with sandbox(only, required=required, budget=budget, device=device) as chosen:
            noticed(chosen.name, chosen.warning)
            yield chosen

    # One process at a time on an accelerator: two would share its memory, and its blame.
    workers = 1 if device != "cpu" else jobs or os.cpu_count() or 1
    engine: Engine = Local(opened, workers) if engine_name == "local" else Dask(
        Place(only, required, budget), noticed, scheduler=scheduler, workers=workers)
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
    except (Refused, NoDask) as error:
        raise click.UsageError(str(error)) from None
    doubts += batch.doubled(rows)
    refused = ""
    if book is not None:
        try:
            filled = into_canvas(store, book, rows)
            doubts += filled.doubts
        except BadGradebook as error:
            refused = f"canvas.csv was not written: {error}."
    run = batch.summary(rows, terms, profiles, started)
    publish(store, Batch(rows, doubts, run), Messages(language), html=html)
    if len(rows) <= TABLE_ROWS:
        table.show()
    if book is not None and not refused:
        click.echo(f"canvas.csv: {filled.filled} scores filled in; "
                   f"{len(filled.doubts)} not, listed in needs-review.csv")
    click.echo(f"written: {out / 'grades.csv'}" + (
        f"; {len(doubts)} to look at in {out / 'needs-review.csv'}" if doubts else ""))
    if refused:
        raise click.ClickException(refused)


def _gradebook(path: Path | None, column: str | None) -> Gradebook | None:
    """Read it before anything is graded: a wrong title is to be known at once."""
    from autograder.reports.canvas import BadGradebook, read

    if path is None and column is None:
        return None
    if path is None or column is None:
        raise click.UsageError("--canvas and --canvas-column belong together.")
    options.existing(path)
    try:
        return read(path.read_text(encoding="utf-8-sig"), column)
    except (BadGradebook, OSError, UnicodeDecodeError) as error:
        raise click.UsageError(f"{path}: {error}") from None
