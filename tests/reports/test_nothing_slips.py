"""No expected value, secret datum, seed, tolerance or solution line in what a student reads."""

import json
import re
from pathlib import Path

import nbformat
import numpy as np
import pytest

from autograder.engine import defined_names
from autograder.exercises import conv, linear
from autograder.exercises.registry import EXERCISES
from autograder.judge import judge
from autograder.messages import FOLDER, Messages
from autograder.reports import html, terminal
from autograder.submission import read

ROOT = Path(__file__).parents[2]
NAMES = ["handout", "solution", "leak", "sensitivity", "dead"]


def outputs(graded, grading):
    """Everything a student may be shown, in both languages, tags and SVG coordinates aside."""
    for language in ("en", "zh"):
        messages = Messages(language)
        plain = graded.report.to_plain()
        yield "\n".join(line.plain for line in terminal.lines(plain, 88, messages))
        yield json.dumps(plain, ensure_ascii=False)
        page = html.render(graded, grading, messages)
        yield re.sub(r"<style>.*?</style>|<[^>]+>", " ", page, flags=re.DOTALL)


def numbers(text):
    """Numbers with three significant digits or more: shorter ones agree by chance."""
    for token in re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", text):
        if len(re.sub(r"e.*|\D", "", token).lstrip("0")) >= 3:
            yield float(token)


def secrets_of(name, seed):
    module = {"linear": linear, "conv": conv}.get(name)
    if module is None:
        rng = np.random.default_rng([seed, 4])
        return np.array([]), [int(s) for s in rng.integers(1, 2**31 - 2, 40)]
    found = module.secrets(seed)
    values = [v for secret in (found.recorded, found.long)
              for v in (*secret.truth.optimum, *secret.X.values, *secret.Y.values)]
    return np.array(values), [found.seed, found.seed + 1]


@pytest.mark.parametrize("name", NAMES)
def test_no_secret_number_and_no_seed(graded, grading, name):
    case = graded[name]
    values, seeds = secrets_of(case.report.assignment, case.seed)
    for text in outputs(case, grading):
        for seed in (case.seed, *seeds):
            assert str(seed) not in text
        said = sorted({n for n in numbers(text) if n not in (100.0, 1.23)})
        told = [n for n in said if len(values)
                and np.min(np.abs(values - n) / np.maximum(np.abs(values), 1e-9)) < 2e-5]
        assert not told


@pytest.mark.parametrize("name", NAMES)
def test_the_outputs_do_not_depend_on_tolerances(graded, grading, name):
    case = graded[name]
    exercise = EXERCISES[case.report.assignment]
    settings = grading.settings(exercise.name)
    asked = {"delta", "update_rate", "training_rate"}  # these belong to the questions
    moved = settings.model_copy(update={
        key: value * 0.9371 for key, value in settings.model_dump().items()
        if isinstance(value, float) and key not in asked})
    other = grading.model_copy(update={"assignments": grading.assignments.model_copy(
        update={exercise.name: moved})})

    def all_of(used):
        report = judge(exercise, case.submission, case.evidence, used, Messages(), seed=case.seed)
        return list(outputs(type(case)(report, case.submission, case.evidence, case.seed), used))

    assert all_of(grading) == all_of(other)


def code_lines(path):
    if path.suffix == ".py":
        return set()
    cells = nbformat.read(path, as_version=4).cells
    return {line.strip() for c in cells if c.cell_type == "code" for line in c.source.split("\n")}


EVERYBODYS = {"optimizer.zero_grad()", "optimizer.step()", "with torch.no_grad():"}
"""What stands in every program: it tells nothing."""


@pytest.fixture(scope="module")
def solution_lines():
    """Lines that stand in a solution, and in no handout."""
    found = set()
    for name in ("linear", "conv", "lqr"):
        found |= (code_lines(ROOT / f"solutions/{name}.ipynb")
                  - code_lines(ROOT / f"assignments/{name}/{name}.ipynb"))
    return {line for line in found - EVERYBODYS
            if len(line) > 12 and not line.startswith(("#", '"', "from "))}


@pytest.mark.parametrize("name", [n for n in NAMES if n != "solution"])
def test_no_line_of_a_solution(graded, grading, solution_lines, name):
    own = graded[name].submission.source
    for text in outputs(graded[name], grading):
        assert not [line for line in solution_lines if line in text and line not in own]


def test_no_line_of_a_solution_in_the_pages(solution_lines):
    assert len(solution_lines) > 10
    for path in (FOLDER / "explain").iterdir():
        lines = {line.split("#")[0].strip() for line in path.read_text("utf-8").split("\n")}
        assert not lines & solution_lines, path.name


def test_no_page_uses_the_names_of_an_assignment():
    names = {n for f in ("linear", "conv", "lqr")
             for n in defined_names(read(ROOT / f"solutions/{f}.ipynb"))} - {"grader", "x"}
    for path in (FOLDER / "explain").glob("*.en.md"):
        code = " ".join(re.findall(r"```python\n(.*?)```", path.read_text("utf-8"), re.DOTALL))
        assert not names & set(re.findall(r"\w+", code)), path.name
