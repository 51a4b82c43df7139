"""`autograder export NAME --to nbgrader|dolos`."""

from __future__ import annotations

import json
from pathlib import Path

import click

from autograder.commands import options


@click.command("export")
@click.argument("name")
@click.option("--to", type=click.Choice(["nbgrader", "dolos"]), required=True,
              help="For which system: nbgrader gets the master notebook, Dolos the programs of a "
                   "graded class.")
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path, file_okay=False),
              help="For nbgrader the course's folder, where source/NAME/NAME.ipynb is written; "
                   "for Dolos a folder of its own.")
@click.option("--masters", type=click.Path(path_type=Path, exists=True, file_okay=False),
              default=Path("solutions"), show_default=True,
              help="For nbgrader: folder of the master notebooks, in otter-assign's format.")
@click.option("--graded", type=click.Path(path_type=Path, file_okay=False),
              help="For Dolos: the folder that `autograder grade -o` wrote.")
@options.grading_file
def command(name: str, to: str, out: Path, masters: Path, graded: Path | None,
            grading_path: Path | None) -> None:
    """Write assignment NAME, or what a class handed in for it, for another system."""
    if to == "nbgrader":
        _to_nbgrader(name, out, masters, grading_path)
    elif graded is None:
        raise click.UsageError("--to dolos reads a graded class: add --graded OUT.")
    else:
        _to_dolos(name, out, options.existing(graded))


def _to_nbgrader(name: str, out: Path, masters: Path, grading_path: Path | None) -> None:
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


def _to_dolos(name: str, out: Path, graded: Path) -> None:
    from autograder.publishing import last_run
    from autograder.similarity import dolos
    from autograder.store import Store

    if not (graded / "run.json").is_file():
        raise click.UsageError(
            f"{graded} holds no run.json: it is not what `autograder grade -o` wrote.")
    store = Store(graded)
    run = last_run(store)
    if run is None:
        raise click.UsageError(f"{graded / 'run.json'} is damaged: grade the class again.")
    rows = [r for r in run["submissions"] if r["assignment"] == name]
    submissions = {r["name"]: s for r in rows if (s := store.submission(r["name"])) is not None}
    if not submissions:
        there = ", ".join(sorted({r["assignment"] for r in run["submissions"]} - {""})) or "none"
        raise click.UsageError(
            f"{graded} holds no submission for {name!r} that could be read; there are: {there}.")
    if out.exists() and any(out.iterdir()):
        raise click.UsageError(f"{out} is not empty: Dolos would compare what lies there, too.")
    files = dolos(submissions, labels={r["name"]: r["status"] for r in rows},
                  full_names={r["name"]: r["student"] for r in rows if r["student"]})
    out.mkdir(parents=True, exist_ok=True)
    for filename, text in files.items():
        (out / filename).write_text(text, encoding="utf-8", newline="")
    click.echo(f"written: {len(submissions)} programs and {out / 'info.csv'}")
