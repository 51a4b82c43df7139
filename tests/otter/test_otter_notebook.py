"""Checks inside a notebook: its state, its display, and stand-ins while it is graded."""

import sys
import time
from types import SimpleNamespace

import pytest
import torch

import autograder
from autograder import notebook
from autograder.evidence import Train
from autograder.grading import load
from autograder.live import Live, State, in_force, of_globals, of_shell
from autograder.messages import Messages
from autograder.notebook import NotJudged, NotYet, Shown, expect, inert
from autograder.probe.session import Session
from autograder.probe.standins import standing_in
from autograder.reports import notebook as page
from autograder.sandbox.process import Lost
from autograder.submission import Cell, Submission

HEAD = "import torch\nfrom torch import nn"
DATA = """def make_data(seed):
    torch.manual_seed(seed)
    X = torch.rand(32, 5, requires_grad={leaf})
    return X, X @ torch.arange(1.0, 6.0).reshape(5, 1) + 2.0"""
TRAIN = """def train(X, Y, *, steps=600, lr=0.01, seed=0):
    torch.manual_seed(seed)
    layer = nn.Linear(5, 1)
    losses = []
    for step in range(steps):
        loss = ((layer(X) - Y) ** 2).sum()
        layer.zero_grad()
        loss.backward(retain_graph=True)
        with torch.no_grad():
            for p in layer.parameters():
                p -= lr * p.grad
        losses.append(loss.item())
    return layer, losses"""
RIGHT = [HEAD, DATA.format(leaf=False), TRAIN]
WRONG = [HEAD, DATA.format(leaf=True), TRAIN]


class Shell:
    """What is used of an IPython shell, without a kernel."""

    def __init__(self, *sources):
        self.user_ns = {"In": [], "Out": {}, "get_ipython": lambda: self}
        self.history_manager = SimpleNamespace(
            input_hist_raw=[""], input_hist_parsed=[""], exceptions={})
        self.compile = SimpleNamespace(get_code_name=lambda raw, parsed, n: f"/tmp/{hash(raw)}.py")
        for source in sources:
            self.run(source)

    def run(self, source):
        history = self.history_manager
        number = len(history.input_hist_raw)
        history.input_hist_raw.append(source)
        history.input_hist_parsed.append(source)
        name = self.compile.get_code_name(source, source, number)
        try:
            exec(compile(source, name, "exec"), self.user_ns)
        except Exception as error:
            history.exceptions[number] = {
                "ename": type(error).__name__, "evalue": str(error),
                "traceback": [f"\x1b[31mCell\x1b[0m In[{number}], line {error.__traceback__}"]}


@pytest.fixture
def at(monkeypatch):
    """Sits down at a notebook in which these cells were run."""
    def sit(*sources):
        shell = Shell(*sources)
        monkeypatch.setattr(notebook, "_shell", lambda: shell)
        return shell

    return sit


def test_importing_the_package_brings_no_torch():
    import subprocess

    code = "import sys, autograder; assert 'torch' not in sys.modules; autograder.check"
    subprocess.run([sys.executable, "-c", code], check=True)
    with pytest.raises(AttributeError, match="chekc"):
        autograder.chekc  # noqa: B018


def test_check_shows_text_and_html_with_the_notebooks_lines(at):
    at(*WRONG)
    shown = notebook.check("linear")
    assert (shown.report["score"], shown.report["max_score"]) == (7, 10)
    assert shown.report["diagnoses"][0]["code"] == "graph-reuse"
    assert shown.report["diagnoses"][0]["where"]["cell"] == 2
    assert shown.report["diagnoses"][0]["where"]["line"] == 4
    assert "cell 2:4" in repr(shown)
    html = shown._repr_html_()
    assert "linear: 7 / 10" in html and "graph-reuse" in html and "✗" in html


def test_check_of_a_right_notebook_and_of_what_is_inferred(at):
    at(*RIGHT)
    assert notebook.check().report["score"] == 10


def test_an_unknown_assignment_names_the_near_one(at):
    at("x = 1")
    with pytest.raises(ValueError, match='Did you mean check."linear"'):
        notebook.check("liner")
    with pytest.raises(ValueError, match="which assignment"):
        notebook.check()


def test_expect_is_silent_or_says_why(at):
    shell = at(*WRONG)
    expect(shell.user_ns, "linear", "converges", "")
    with pytest.raises(NotYet, match=r"error\[graph-reuse\]"):
        expect(shell.user_ns, "linear", "own-graph", "")
    shell.run("del train")
    with pytest.raises(NotJudged, match="runs"):
        expect(shell.user_ns, "linear", "converges", "")


def test_one_state_is_probed_once(at, monkeypatch):
    asked = []
    before = notebook.examine
    monkeypatch.setattr(notebook, "examine", lambda *a: asked.append(1) or before(*a))
    shell = at(*WRONG)
    for check in ("runs", "loss-falls", "converges"):
        shell.run(f'# one more\ngrader.check("{check}")')
        expect(shell.user_ns, "linear", check, "")
    shell.user_ns["check"] = notebook.check
    shell.run("from autograder import check\n# once more:")
    notebook.check("linear")
    assert len(asked) == 1
    shell.run(DATA.format(leaf=False))
    expect(shell.user_ns, "linear", "own-graph", "")
    assert len(asked) == 2


def test_a_changed_helper_and_a_changed_setting_are_new_states():
    shell = Shell("rate = [1]", "def helper(): return 1")
    first = of_shell(shell)
    assert of_shell(shell) == first
    shell.run("def helper(): return 1")
    second = of_shell(shell)
    assert second != first
    shell.run("rate.append(2)")
    assert of_shell(shell) != second


def test_cells_that_later_ones_replaced_are_left_out():
    ran = [Cell(1, "def f(): pass"), Cell(2, "x = 1"), Cell(3, "print(x)"),
           Cell(4, "def f(): return 1"), Cell(5, "def f(:")]
    assert [cell.number for cell in in_force(ran, {})] == [2, 3, 4, 5]
    assert [cell.number for cell in in_force(ran[:4], {4: {}})] == [1, 2, 3, 4]


def test_a_cell_that_failed_is_told_with_its_line(at):
    shell = at(HEAD, "boom\ndef train(X, Y): pass")
    shell.history_manager.exceptions[2]["traceback"] = [
        "\x1b[36mCell\x1b[0m\x1b[36m \x1b[39m\x1b[32mIn[2]\x1b[39m\x1b[32m, line 1\x1b[39m"]
    (failure,) = of_shell(shell).errors
    assert (failure.kind, failure.frames[0].cell, failure.frames[0].line) == ("NameError", 2, 1)
    first = notebook.check("linear").report["diagnoses"][0]
    assert (first["code"], first["where"]["cell"]) == ("missing-name", 2)


def test_a_script_can_ask_too(tmp_path, capsys):
    path = tmp_path / "mine.py"
    path.write_text("\n".join(WRONG), encoding="utf-8")
    namespace = {"__file__": str(path), "__name__": "mine"}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), namespace)
    state = of_globals(namespace)
    report = notebook._judged("linear", state).to_plain()
    assert report["score"] == 7
    assert report["diagnoses"][0]["where"]["line"] == 6
    assert "cell" not in report["diagnoses"][0]["where"]


def test_checking_leaves_the_students_random_numbers_alone(at):
    at(*RIGHT)
    torch.manual_seed(3)
    wanted = torch.rand(1)
    torch.manual_seed(3)
    notebook.check("linear")
    assert torch.rand(1) == wanted


def test_what_never_ends_is_stopped_at_its_deadline():
    source = ("def train(X, Y, *, steps=1, seed=0):\n"
              "    while True:\n        try:\n            while True: pass\n"
              "        except Exception: pass")
    shell = Shell(source)
    question = Train(steps=1).model_dump_json().encode()
    shell.user_ns["make_data"] = lambda seed: (torch.zeros(1), torch.zeros(1))
    started = time.monotonic()
    with Live(of_shell(shell)) as witness, pytest.raises(Lost, match="timeout"):
        witness.ask(question, 0.3)
    assert time.monotonic() - started < 20


def test_checks_for_later_are_announced_and_not_shown(at, monkeypatch):
    grading = load()
    linear = grading.assignments.linear.model_copy(update={"judged_later": ["own-graph", "runs"]})
    grading = grading.model_copy(
        update={"assignments": grading.assignments.model_copy(update={"linear": linear})})
    monkeypatch.setattr(notebook, "_course", lambda: (grading, Messages()))
    at(*WRONG)
    shown = notebook.check("linear")
    assert [row["id"] for row in shown.report["checks"]] == [
        "loss-falls", "converges", "fresh-gradients"]
    assert shown.report["diagnoses"] == []
    told = "2 more checks, 4 points, are judged after you submit."
    assert told in repr(shown) and told in shown._repr_html_()
    assert "own-graph" not in repr(shown)


def test_nothing_of_the_students_is_markup():
    attack = "<script>alert(1)</script>&lt;"
    report = {"assignment": attack, "submission": attack, "score": 0, "max_score": 1, "checks": [
        {"id": attack, "title": attack, "status": "failed", "score": 0, "max_score": 1}],
        "diagnoses": [{"code": "crash", "message": attack, "why": attack, "ask": attack,
                       "evidence": {}, "where": {"line": 1, "text": attack}}]}
    html = page.render(report, attack, Messages())
    assert "<script" not in html and html.count("&amp;lt;") >= 4
    assert "<script" not in inert(attack) and "&lt;" not in inert(attack)
    assert inert(attack).replace("\u2060", "") == attack
    assert Shown(report, "", Messages())._repr_html_().startswith("<div>")


HANDED_IN = """import otter
from otter import Notebook
from otter.check.notebook import Notebook as Other
grader = otter.Notebook("linear.ipynb")
grader.check("runs")
result = grader.check_all()
for row in result: print(row)
grader.export(pdf=False, run_tests=True)
from autograder import check
shown = check("linear")
import autograder.notebook
autograder.notebook.check("linear")
from autograder.notebook import check as again, expect
again(); expect({}, "linear", "runs", "")
after = 1
"""


def test_a_handed_in_notebook_may_call_otter_and_us():
    real = sys.modules.get("otter"), sys.modules["autograder.notebook"], autograder.check
    submission = Submission("a.ipynb", (Cell(1, HANDED_IN),), "")
    with Session(submission) as session:
        assert session.loaded.errors == []
        assert session.namespace["after"] == 1
    assert (sys.modules.get("otter"), sys.modules["autograder.notebook"], autograder.check) == real


def test_stand_ins_are_no_modules_for_who_looks_closely():
    import copy

    with standing_in():
        import otter

        silent = otter.Notebook()
        assert copy.copy(silent) is not None
        assert not silent.anything().at.all
        assert not hasattr(silent, "__array__")


def test_a_state_hashes_by_its_key_alone():
    one = State((1,), Submission("a", (), ""), {})
    assert one == State((1,), Submission("b", (), ""), {"x": 1}) and len({one, one}) == 1
