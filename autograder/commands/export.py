"""`autograder export NAME --to nbgrader -o COURSE`."""

from __future__ import annotations

import json
from pathlib import Path

import click

from autograder.commands import options


@click.command("export")
@click.argument("name")
@click.option("--to", type=click.Choice(["nbgrader"]), required=True,
              help="For which system the notebook is written.")
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path, file_okay=False),
              help="The course's folder: source/NAME/NAME.ipynb is written there.")
@click.option("--masters", type=click.Path(path_type=Path, exists=True, file_okay=False),
              default=Path("solutions"), show_default=True,
              help="Folder of the master notebooks, in otter-assign's format.")
@options.grading_file
def command(name: str, to: str, out: Path, masters: Path, grading_path: Path | None) -> None:
    """Write the master notebook NAME for another system than otter."""
    from autograder.otter import master, nbgrader

    path = options.existing(masters / f"{name}.ipynb")
    try:
        made = nbgrader.source(master.read(path), name, options.read_grading(grading_path))
    except master.BadMaster as error:
        raise click.ClickException(str(error)) from None
    target = out / "source" / name / f"{name}.ipynb"
    target.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(made, indent=1, ensure_ascii=False)
    target.write_text(text + "\n", encoding="utf-8")
    config = out / "nbgrader_config.py"
    if config.exists():
        click.echo(f"{config} is yours: see that it sets\n{nbgrader.CONFIG}")
    else:
        config.write_text(nbgrader.CONFIG, encoding="utf-8")
    click.echo(f"written: {target}")
