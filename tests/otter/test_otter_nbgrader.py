"""`autograder export --to nbgrader`: the source notebook, and nbgrader's own verdict on it."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from autograder import notebook
from autograder.cli import group
from autograder.exercises.registry import EXERCISES
from autograder.grading import load
from autograder.otter import master, nbgrader

ROOT = Path(__file__).resolve().parents[2]
each_name = pytest.mark.parametrize("name", ["linear", "conv", "lqr"])


def made(name):
    return nbgrader.source(master.read(ROOT / "solutions" / f"{name}.ipynb"), name, load())


def marks(cell):
    return cell["metadata"].get("nbgrader", {})


@each_name
def test_each_check_is_a_locked_cell_with_its_points(name):
    tests = [cell for cell in made(name)["cells"] if marks(cell).get("grade")]
    assert {marks(c)["grade_id"]: marks(c)["points"] for c in tests} == {
        f"test-{check}": most for check, most in load().settings(name).points.items()}
    assert all(marks(cell)["locked"] for cell in tests)
    for cell in tests:
        check = marks(cell)["grade_id"].removeprefix("test-")
        assert cell["source"].splitlines()[-1] == f"points({name!r}, {check!r})"


@each_name
def test_every_solution_stands_behind_the_broken_program_in_a_region(name):
    programs = [cell for cell in made(name)["cells"] if marks(cell).get("solution")]
    assert programs
    for cell in programs:
        prompt, solution = cell["source"].split("\n### BEGIN SOLUTION\n")
        assert solution.endswith("\n### END SOLUTION") and prompt.strip()
    text = json.dumps(made(name))
    assert "BEGIN PROMPT" not in text and "ASSIGNMENT CONFIG" not in text


@each_name
def test_ids_are_unique(name):
    ids = [marks(cell)["grade_id"] for cell in made(name)["cells"] if marks(cell)]
    assert len(ids) == len(set(ids))


def test_export_writes_the_course_folder_and_leaves_an_own_config_alone(tmp_path):
    arguments = ["export", "linear", "--to", "nbgrader", "-o", str(tmp_path),
                 "--masters", str(ROOT / "solutions")]
    done = CliRunner().invoke(group, arguments)
    assert done.exit_code == 0, done.output
    assert (tmp_path / "source" / "linear" / "linear.ipynb").is_file()
    config = tmp_path / "nbgrader_config.py"
    assert "code_stub" in config.read_text(encoding="utf-8")
    config.write_text("# mine", encoding="utf-8")
    assert "code_stub" in CliRunner().invoke(group, arguments).output
    assert config.read_text(encoding="utf-8") == "# mine"


def test_points_are_a_float_and_the_reason_is_printed(monkeypatch, capsys):
    from autograder.judge import unreadable
    from autograder.messages import Messages

    report = unreadable("a", "it is empty", EXERCISES["linear"], load(), Messages())
    report.checks[0]["score"] = 0.25
    monkeypatch.setattr(notebook, "_judged", lambda name, state: report)
    assert notebook.points("linear", "runs") == 0.25
    assert "it is empty" in capsys.readouterr().out


NBGRADER = importlib.util.find_spec("nbgrader") is not None
GRADES = """
import json
from nbgrader.api import Gradebook
with Gradebook("sqlite:///gradebook.db") as book:
    print(json.dumps({s.student.id: {g.name: g.score for n in s.notebooks for g in n.grades}
                      for s in book.assignment_submissions("conv")}))
"""


@pytest.mark.skipif(not NBGRADER, reason="nbgrader is not installed")
def test_nbgrader_gives_partial_credit(tmp_path):
    def run(*arguments):
        # nbgrader calls a program that was installed beside it.
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run([sys.executable, *arguments], cwd=tmp_path, text=True,
                              capture_output=True,
                              env=os.environ | {"HOME": str(tmp_path), "PATH": path})
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout

    run("-c", "from autograder.cli import main; main()", "export", "conv", "--to", "nbgrader",
        "-o", str(tmp_path), "--masters", str(ROOT / "solutions"))
    run("-m", "nbgrader", "generate_assignment", "conv", "--create")
    released = json.loads((tmp_path / "release/conv/conv.ipynb").read_text(encoding="utf-8"))
    solved = {marks(cell)["grade_id"]: cell["source"] for cell in made("conv")["cells"]
              if marks(cell).get("solution")}
    assert "optimizer.step" not in json.dumps(released)
    for student in ("half", "whole"):
        for cell in released["cells"]:
            if marks(cell).get("solution"):
                cell["source"] = solved[marks(cell)["grade_id"]]
                if student == "half":
                    cell["source"] += "\nif 'zero_grad_owners' in globals(): " \
                                      "zero_grad_owners['nn.Linear'] = None"
        folder = tmp_path / "submitted" / student / "conv"
        folder.mkdir(parents=True)
        (folder / "conv.ipynb").write_text(json.dumps(released), encoding="utf-8")
    run("-m", "nbgrader", "autograde", "conv", "--create")
    grades = json.loads(run("-c", GRADES))
    points = load().settings("conv").points
    assert grades["whole"] == {f"test-{check}": most for check, most in points.items()}
    assert 0 < grades["half"]["test-zero-grad-owners"] < 1
    assert grades["half"]["test-own-graph"] == 3
