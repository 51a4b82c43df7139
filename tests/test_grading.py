"""grading.yml: what is wrong is said with line, key and the near name; nothing is guessed."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.exercises.registry import EXERCISES
from autograder.grading import CHECKS, DEFAULT, BadGrading, load

TEXT = DEFAULT.read_text(encoding="utf-8")


def line_of(text: str, part: str) -> int:
    return next(i for i, line in enumerate(text.split("\n"), 1) if part in line)


def test_the_one_that_comes_with_the_grader() -> None:
    grading = load()
    for name, exercise in EXERCISES.items():
        settings = grading.settings(name)
        assert settings.max_score == 10
        assert tuple(settings.points) == tuple(exercise.checks) == CHECKS[name]
    assert len(grading.digest) == 64


@pytest.mark.parametrize(("old", "new", "key", "said"), [
    ("converges: 3", "convergse: 3", "convergse", "converges"),
    ("excess: 2.0e-5 ", "exces: 2.0e-5 ", "exces", "excess"),
    ("  linear:", "  liner:", "liner", "linear"),
    ("question: 60", "questions: 60", "questions", "question"),
    ("max_steps: 20000", "max_steps: many", "max_steps", "many"),
    ("recorded_steps: 12", "recorded_steps: 2", "recorded_steps", "6"),
    ("own-graph: 3", "own-graph: -3", "own-graph", "negative"),
    ("fraction: 0.5", "fraction: 1.5", "fraction", "1"),
])
def test_faults_name_line_key_and_what_is_near(
        tmp_path: Path, old: str, new: str, key: str, said: str) -> None:
    text = TEXT.replace(old, new, 1)
    assert text != TEXT
    file = tmp_path / "grading.yml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadGrading) as caught:
        load(file)
    line = line_of(text, new.split(":")[0].strip() + ":")
    told = [m for m in str(caught.value).split("\n") if key in m and said in m]
    assert any(m.startswith(f"{file}:{line}:") for m in told), str(caught.value)


@pytest.mark.parametrize(
    "text", ["", "[1, 2]", "a: [1", "schema: 1\nseed: 5\n", "\x00", "é: \t- x"])
def test_no_yaml_gets_past(tmp_path: Path, text: str) -> None:
    file = tmp_path / "grading.yml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadGrading, match=r"grading\.yml"):
        load(file)


def test_a_missing_file_and_another_encoding(tmp_path: Path) -> None:
    with pytest.raises(BadGrading, match="read"):
        load(tmp_path / "none.yml")
    (tmp_path / "latin.yml").write_bytes("seed: é".encode("latin-1"))
    with pytest.raises(BadGrading, match="read"):
        load(tmp_path / "latin.yml")


def test_missing_points_are_missed(tmp_path: Path) -> None:
    file = tmp_path / "grading.yml"
    file.write_text(TEXT.replace("      update: 2\n", "", 1), encoding="utf-8")
    with pytest.raises(BadGrading, match="update"):
        load(file)


def test_the_digest_changes_with_the_content(tmp_path: Path) -> None:
    file = tmp_path / "grading.yml"
    file.write_text(TEXT + "# a remark\n", encoding="utf-8")
    assert load(file).digest != load().digest
