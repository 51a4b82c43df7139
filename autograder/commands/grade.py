"""`autograder grade PATH… -o OUT`."""

from __future__ import annotations

from pathlib import Path

import click

from autograder.commands import options


@click.command("grade")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path, file_okay=False),
              help="Folder for grades.csv and a report for each submission.")
@options.assignment
@options.grading_file
def command(paths: tuple[Path, ...], out: Path, assignment: str | None,
            grading_path: Path | None) -> None:
    """Grade every submission (.ipynb, .py, .zip) under PATHS into OUT."""
    from autograder import batch
    from autograder.messages import Messages
    from autograder.reports import table

    for path in paths:
        options.existing(path)
    grading = options.read_grading(grading_path)
    out.mkdir(parents=True, exist_ok=True)
    with table.Table() as shown:
        for name, graded, status in batch.run(
                list(paths), out, grading, Messages(), assignment=assignment):
            shown.add(name, graded, status)
    click.echo(f"written: {out / 'grades.csv'}")
