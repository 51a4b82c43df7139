"""`autograder export --to dolos`; what is written for nbgrader is tested beside otter."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from autograder.commands import export, grade

CORPUS = Path(__file__).parents[1] / "corpus"


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("class")
    (place / "in").mkdir()
    shutil.copy(CORPUS / "linear/r01_optim_sgd_sum.py", place / "in/ada.py")
    shutil.copy(CORPUS / "linear/w06_bias_forgotten.py", place / "in/吴.py")
    done = CliRunner().invoke(grade.command, [
        str(place / "in"), "-a", "linear", "-o", str(place / "out"), "--no-html"])
    assert done.exit_code == 0, done.output
    return place / "out"


def test_dolos_gets_the_programs_and_who_wrote_them(graded: Path, tmp_path: Path) -> None:
    to = tmp_path / "dolos"
    done = CliRunner().invoke(export.command, [
        "linear", "--to", "dolos", "--graded", str(graded), "-o", str(to)])
    assert done.exit_code == 0, done.output
    with (to / "info.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["full_name"]: row for row in csv.DictReader(file)}
    assert {name: row["label"] for name, row in rows.items()} == {"ada": "full", "吴": "partial"}
    program = (to / rows["ada"]["filename"]).read_text(encoding="utf-8")
    assert "def train" in program


def test_wrong_options_say_what_to_do(graded: Path, tmp_path: Path) -> None:
    def refused(name: str, *more: str) -> str:
        done = CliRunner().invoke(export.command, [name, "--to", "dolos", *more])
        assert done.exit_code == 2
        return done.output

    out = ("-o", str(tmp_path / "new"))
    assert "--graded" in refused("linear", *out)
    assert "run.json" in refused("linear", "--graded", str(tmp_path), *out)
    assert "there are: linear" in refused("conv", "--graded", str(graded), *out)
    assert "not empty" in refused("linear", "--graded", str(graded), "-o", str(graded))
    assert not (tmp_path / "new").exists()
