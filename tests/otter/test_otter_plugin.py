"""Rows for otter, and results where otter gives none."""

import json
import pickle
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from otter.run import AutograderConfig
from otter.test_files import GradingResults

from autograder.grading import DEFAULT, load
from autograder.judge import unreadable
from autograder.messages import Messages
from autograder.otter import plugin, runner
from autograder.otter.plugin import Plugin, filled
from autograder.otter.sheet import PLUGIN, Marker, Row, Sheet, sheet, words

POINTS = load().assignments.linear.points
SHOWN = {"show_hidden": True, "show_all_public": True, "force_public_test_summary": False}
ROWS = (Row("runs", "it runs", True, 1.0, 1.0, "it runs"),
        Row("own-graph", "own graphs", False, 0.0, 3.0, "error[graph-reuse]: old\n  --> a.py:6"),
        Row("owners", "owners", False, 0.714, 1.0, "5 of 7"))


def test_rows_become_results_with_fractions_messages_and_output():
    results = filled(Sheet(ROWS, "the whole report", {"score": 1.714}))
    plain = results.to_gradescope_dict(AutograderConfig(SHOWN))
    assert plain["output"] == "the whole report"
    assert [(t["name"], t["score"], t["max_score"], t["visibility"]) for t in plain["tests"]] == [
        ("runs", 1, 1, "visible"), ("own-graph", 0, 3, "visible"), ("owners", 0.714, 1, "visible")]
    assert "  --> a.py:6" in plain["tests"][1]["output"]
    assert results.get_plugin_data(PLUGIN) == {"score": 1.714}


def test_results_hold_nothing_of_ours_for_who_unpickles_them():
    text = pickle.dumps(filled(Sheet(ROWS, "", None)))
    assert b"cautograder" not in text and b"autograder.otter.sheet" not in text
    assert b"autograder.otter.plugin\x94" not in text


def test_words_of_a_row():
    messages = Messages()
    report = {"assignment": "linear", "submission": "a.py", "diagnoses": [{
        "code": "graph-reuse", "message": "seen", "evidence": {},
        "where": {"line": 6, "text": "Y = X @ w"}}]}
    told = words(report, {"id": "own-graph", "title": "t", "status": "failed",
                          "because": ["graph-reuse"]}, messages)
    assert told.startswith("error[graph-reuse]: seen") and "a.py:6" in told
    waiting = {"id": "converges", "title": "t", "status": "not-judged", "needs": "runs"}
    assert "runs" in words(report, waiting, messages)
    unexplained = {"id": "converges", "title": "t", "status": "failed", "because": []}
    assert words(report, unexplained, messages).startswith("✗ ")


def test_a_fault_of_ours_costs_no_results_and_says_whose_it_is(tmp_path, monkeypatch):
    def fails(*args, **kwargs):
        raise ZeroDivisionError("ours")

    monkeypatch.setattr("autograder.otter.sheet.grade_file", fails)
    made = Marker("linear").file(tmp_path / "a.py")
    assert [row.name for row in made.rows] == list(POINTS)
    assert all("the grader itself failed" in row.text for row in made.rows)
    assert "ZeroDivisionError: ours" in made.output


def test_a_broken_grading_text_still_gives_rows(tmp_path):
    made = Marker("linear", grading="schema: 7\n").nothing("a.ipynb", "none")
    assert [row.name for row in made.rows] == list(POINTS)
    assert all(row.score == 0 for row in made.rows)


@pytest.fixture
def container(tmp_path, monkeypatch):
    """The folders of a grading container, otter standing in the submission's."""
    for name in ("submission", "source", "results"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "submission")
    return tmp_path


def start(container, name, **config):
    submitted = container / "submission" / name
    made = Plugin(str(submitted), {}, {"assignment": "linear"})
    made.before_grading(AutograderConfig(config))
    return made


def test_otter_leaves_the_folder_of_the_submission(container):
    for name in ("a.ipynb", ".OTTER_LOG", "pathlib.py", "ipykernel_launcher.py"):
        (container / "submission" / name).write_bytes(b"\xff not read")
    made = start(container, "a.ipynb")
    assert Path.cwd().parent == container and Path.cwd().name == plugin.EMPTY
    assert [path.name for path in Path().iterdir()] == ["a.ipynb"]
    assert json.loads(Path("a.ipynb").read_text(encoding="utf-8"))["cells"] == []
    assert made.before_execution("print('student')").cells == []


def test_a_script_in_any_encoding_is_not_read_by_otter(container):
    (container / "submission" / "a.py").write_bytes("x = 'é'".encode("utf-16"))
    start(container, "a.py")
    assert Path("a.py").read_text(encoding="utf-8") == ""


def test_the_submission_itself_is_there_for_a_pdf(container):
    (container / "submission" / "a.ipynb").write_text("{}", encoding="utf-8")
    start(container, "a.ipynb", pdf=True)
    assert Path("a.ipynb").read_text(encoding="utf-8") == "{}"


def test_what_never_ends_is_a_zero_with_a_reason(container):
    path = container / "submission" / "endless.py"
    path.write_text("while True: pass\n", encoding="utf-8")
    grading = yaml.safe_load(DEFAULT.read_text(encoding="utf-8"))
    grading["limits"] = {"load": 3, "question": 3, "total": 6}
    made = Plugin(str(path), {}, {"assignment": "linear", "grading": yaml.safe_dump(grading)})
    results = GradingResults([])
    made.after_grading(results)
    assert (results.total, results.possible) == (0, sum(POINTS.values()))
    assert "error[timeout]" in results.output


def test_results_of_a_kernel_that_died_are_replaced_too(container, monkeypatch):
    monkeypatch.setattr(Marker, "file", lambda self, path: Sheet(ROWS, "out", None))
    made = Plugin(str(container / "submission" / "a.ipynb"), {}, {"assignment": "linear"})
    results = GradingResults.without_results(RuntimeError("kernel died"))
    made.after_grading(results)
    assert not results.has_catastrophic_failure()
    assert list(results.results) == ["runs", "own-graph", "owners"]
    assert made.generate_report() == "out"


CONFIG = {"plugins": ["other.Plugin", {PLUGIN: {"assignment": "linear"}}], **SHOWN}


def names(files, container):
    for name, content in files.items():
        path = container / "submission" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return runner.fallback(container / "submission", Marker(**runner.settings(CONFIG)))


@pytest.mark.parametrize(("files", "said"), [
    ({}, "no notebook, no script"),
    ({"tests/own-graph.py": "x", "__init__.py": "", ".hidden.ipynb": "{}"}, "no notebook"),
    ({"a.ipynb": "{}", "b.ipynb": "{}"}, "more than one .ipynb file (a.ipynb, b.ipynb)"),
    ({"a.ipynb": '{"cells": [', "helper.py": "x = 1"}, "cut off"),
    ({"hw/deep/a.ipynb": "<html>"}, "web page"),
    ({"a-checkpoint.ipynb": "{}", "a.ipynb": "{}"}, "no list of cells"),
])
def test_what_otter_refuses_gets_a_row_a_check_and_the_reason(container, files, said):
    made = names(files, container)
    assert [row.name for row in made.rows] == list(POINTS)
    assert sum(row.score for row in made.rows) == 0
    assert said in " ".join(made.output.split())


def test_a_link_is_no_submission(container):
    (container / "source" / "secret.ipynb").write_text("{}", encoding="utf-8")
    (container / "submission" / "a.ipynb").symlink_to(container / "source" / "secret.ipynb")
    assert "no notebook" in names({}, container).output


def test_the_runner_writes_results_where_otter_stops(container, monkeypatch, capsys):
    (container / "source" / "otter_config.json").write_text(json.dumps(CONFIG), encoding="utf-8")
    (container / "source" / "tests").mkdir()
    (container / "submission" / "a.ipynb").write_text("{nothing", encoding="utf-8")
    monkeypatch.chdir(container)
    runner.main(str(container))
    results = json.loads((container / "results" / "results.json").read_text(encoding="utf-8"))
    assert [test["name"] for test in results["tests"]] == list(POINTS)
    assert "error[unreadable]" in results["output"]
    assert "otter stopped with" in capsys.readouterr().err
    pickled = pickle.loads((container / "results" / "results.pkl").read_bytes())
    assert pickled.total == 0 and pickled.possible == sum(POINTS.values())


def test_the_runner_keeps_otters_results(container, monkeypatch):
    def otter_main(folder):
        path = Path(folder) / "results" / "results.json"
        path.write_text('{"tests": [{"name": "runs", "max_score": 1}]}', encoding="utf-8")

    (container / "source" / "otter_config.json").write_text(json.dumps(CONFIG), encoding="utf-8")
    monkeypatch.setattr("otter.run.run_autograder.main", otter_main)
    monkeypatch.setattr(runner, "fallback", lambda *a: pytest.fail("otter had results"))
    runner.main(str(container))


def test_every_row_of_an_unreadable_file_is_explained():
    from autograder.exercises.registry import EXERCISES

    report = unreadable("a.ipynb", "it is empty", EXERCISES["linear"], load(), Messages())
    made = sheet(report, Messages())
    assert "it is empty" in made.rows[0].text
    assert SimpleNamespace(**made.report).score == 0
