"""`autograder build [NAME…] -o dist/`."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from autograder.commands import options


@click.command("build")
@click.argument("names", nargs=-1)
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path, file_okay=False),
              help="Folder that gets <name>/student/ and <name>/autograder.zip.")
@click.option("--masters", type=click.Path(path_type=Path, exists=True, file_okay=False),
              default=Path("solutions"), show_default=True,
              help="Folder of the master notebooks, in otter-assign's format.")
@click.option("--handouts", type=click.Path(path_type=Path, file_okay=False),
              help="Put what students get into <name>/ of this folder too.")
@click.option("--torch-index", default="", metavar="URL",
              help="A package index with CPU builds of torch, for the machine that grades.")
@click.option("--wheel", type=click.Path(path_type=Path, exists=True, dir_okay=False),
              help="The autograder wheel to ship, where it cannot be made of the source.")
@options.grading_file
def command(names: tuple[str, ...], out: Path, masters: Path, handouts: Path | None,
            torch_index: str, wheel: Path | None, grading_path: Path | None) -> None:
    """Make handouts and autograder.zip of master notebooks (all, or those of NAMES)."""
    from autograder.grading import DEFAULT
    from autograder.otter.build import Build, BuildFailed
    from autograder.otter.master import BadMaster
    from autograder.otter.package import NoWheel, Shipping

    options.read_grading(grading_path)
    build = Build(masters, out, grading_path or DEFAULT,
                  Shipping(torch_index, wheel.resolve() if wheel else None))
    for name in names or sorted(path.stem for path in masters.glob("*.ipynb")):
        options.existing(masters / f"{name}.ipynb")
        try:
            made = build.assignment(name)
        except (BadMaster, BuildFailed, NoWheel) as error:
            raise click.ClickException(str(error)) from None
        if handouts is not None:
            shutil.rmtree(handouts / name, ignore_errors=True)
            shutil.copytree(made / "student", handouts / name)
        click.echo(f"{name}: {made / 'student'} and {made / 'autograder.zip'}")
