"""Masters and handouts: questions made from the checks, and no handout out of date or talkative."""

import ast
import json
import shutil
from pathlib import Path

import pytest
import yaml

from autograder.exercises.registry import EXERCISES
from autograder.grading import load
from autograder.otter import master
from autograder.otter.build import leaks, secrets, stale
from autograder.otter.master import BadMaster

ROOT = Path(__file__).resolve().parents[2]
SOLUTIONS, HANDOUTS = ROOT / "solutions", ROOT / "assignments"
NAMES = ["linear", "conv", "lqr"]
each_name = pytest.mark.parametrize("name", NAMES)


def original(name="linear"):
    return master.read(SOLUTIONS / f"{name}.ipynb")


def changed(**settings):
    """grading.yml with other settings for linear."""
    grading = load()
    linear = grading.assignments.linear
    linear = linear.model_copy(update=settings)
    return grading.model_copy(
        update={"assignments": grading.assignments.model_copy(update={"linear": linear})})


def sources(notebook, kind):
    return [cell["source"] for cell in notebook["cells"] if cell["cell_type"] == kind]


@each_name
def test_handouts_are_what_build_makes(name):
    assert stale(name, SOLUTIONS, HANDOUTS) == "", f"run: autograder build {name} -o dist " \
                                                   "--handouts assignments"


def test_a_changed_master_makes_its_handout_stale(tmp_path):
    shutil.copy(SOLUTIONS / "linear.ipynb", tmp_path)
    path = tmp_path / "linear.ipynb"
    path.write_text(path.read_text(encoding="utf-8").replace("Allow an hour", "Allow two hours"),
                    encoding="utf-8")
    assert "another master" in stale("linear", tmp_path, HANDOUTS)


@pytest.mark.parametrize("file", ["linear.ipynb", "tests/own-graph.py"])
def test_a_handout_changed_by_hand_is_stale(tmp_path, file):
    shutil.copytree(HANDOUTS / "linear", tmp_path / "linear")
    path = tmp_path / "linear" / file
    path.write_text(path.read_text(encoding="utf-8").replace("step", "stop"), encoding="utf-8")
    assert "by hand" in stale("linear", SOLUTIONS, tmp_path)


def test_other_points_make_a_handout_stale(tmp_path):
    text = (ROOT / "grading.yml").read_text(encoding="utf-8")
    path = tmp_path / "grading.yml"
    path.write_text(text.replace("own-graph: 3", "own-graph: 4", 1), encoding="utf-8")
    assert "other points" in stale("linear", SOLUTIONS, HANDOUTS, path)


@each_name
def test_each_check_has_one_question_with_its_points(name):
    grading = load()
    completed = master.complete(original(name), name, grading)
    questions = [yaml.safe_load(s) for s in sources(completed, "raw")
                 if s.startswith("# BEGIN QUESTION")]
    assert {q["name"]: q["points"] for q in questions} == grading.settings(name).points
    assert sources(completed, "raw").count("# BEGIN TESTS") == len(EXERCISES[name].checks)


@each_name
def test_a_test_says_what_is_wanted_and_no_more(name):
    completed = master.complete(original(name), name, load())
    tests = [s for s in sources(completed, "code") if "BEGIN TEST CONFIG" in s]
    for test, check in zip(tests, [q["name"] for s in sources(completed, "raw") if s.startswith(
            "# BEGIN QUESTION") and (q := yaml.safe_load(s))], strict=True):
        function = ast.parse(test).body[1]
        title = EXERCISES[name].checks[check].__doc__.strip()
        assert ast.unparse(function.body[1]) == f"expect(env, {name!r}, {check!r}, {title!r})"
        assert len(function.body) == 2


def test_a_master_whose_questions_are_not_the_checks_is_refused():
    notebook = original()
    for cell in notebook["cells"]:
        cell["source"] = cell["source"].replace("name: own-graph", "name: own-grpah")
    with pytest.raises(BadMaster, match="own-grpah"):
        master.complete(notebook, "linear", load())
    with pytest.raises(BadMaster, match="no such exercise"):
        master.complete(notebook, "linaer", load())


def test_hidden_checks_are_announced_and_marked():
    grading = changed(judged_later=["converges", "loss-falls"])
    assert master.later("linear", grading) == ["loss-falls", "converges"]
    told = "2 more checks, 5 points, are judged after you submit."
    assert master.announcement("linear", grading) == told
    completed = master.complete(original(), "linear", grading)
    tests = [s for s in sources(completed, "code") if "BEGIN TEST CONFIG" in s]
    assert all(told in test for test in tests)
    assert sum("hidden: true" in test for test in tests) == 2
    told = "1 more check, 1 point, is judged after you submit."
    assert master.announcement("linear", changed(judged_later=["runs"])) == told
    assert master.announcement("linear", load()) == ""


def test_a_success_message_cannot_break_the_test_file_nor_the_page():
    completed = master.complete(original("conv"), "conv", load())
    for test in sources(completed, "code"):
        if "BEGIN TEST CONFIG" in test:
            config = yaml.safe_load(ast.parse(test).body[0].value.value.split("\n", 1)[1])
            assert not set('"<>\n\\') & set(config["success_message"])


def test_configure_merges_and_keeps_what_the_master_says():
    notebook = master.configure(original(), {"generate": {"plugins": ["a.B"]}, "name": "other"})
    config = yaml.safe_load(notebook["cells"][0]["source"])
    assert config["name"] == "other"
    assert config["generate"] == {"pdf": False, "plugins": ["a.B"]}
    assert original()["cells"][0]["source"].count("plugins") == 0


def test_the_digest_is_of_what_the_cells_say():
    notebook = original()
    before = master.digest(notebook)
    notebook["metadata"]["x"] = 1
    notebook["cells"][1]["id"] = "other"
    assert master.digest(notebook) == before
    notebook["cells"][1]["source"] += "."
    assert master.digest(notebook) != before


@each_name
def test_handouts_give_no_line_of_the_solution_away(name):
    assert len(secrets(original(name))) >= 3
    assert list(leaks(original(name), HANDOUTS / name)) == []


@pytest.mark.parametrize("where", ["tests/hint.py", "linear.ipynb"])
def test_a_leak_is_found_wherever_it_is(tmp_path, where):
    shutil.copytree(HANDOUTS / "linear", tmp_path / "linear")
    path = tmp_path / "linear" / where
    line = "        optimizer.step()"
    if where.endswith(".py"):
        path.write_text(f"# \n{line}\n", encoding="utf-8")
    else:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        notebook["cells"][1]["source"] = ["Try this:\n", line]
        path.write_text(json.dumps(notebook), encoding="utf-8")
    found = list(leaks(original(), tmp_path / "linear"))
    assert found == [(path, "optimizer.step()")]
