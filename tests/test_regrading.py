"""Scoring anew from stored evidence: the same as grading anew, and nobody's code runs."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from autograder import batch, grading
from autograder.engines.local import Local
from autograder.engines.work import Terms
from autograder.grading import Grading
from autograder.handins import Handin, Student
from autograder.lateness import Arrival
from autograder.regrading import Change, Stale, Stored, change, rejudge
from autograder.sandbox.choice import sandbox
from autograder.store import Store, as_json, key

ROOT = Path(__file__).parent.parent
FILES = {
    "right": "solutions/conv.ipynb", "wrong": "assignments/linear/linear.ipynb",
    "bad-lqr": "solutions/published_lqr.py", "gone-linear": None,
}


ARRIVALS = {"right": Arrival(late=True),
            "wrong": Arrival(datetime(2026, 11, 2, 12, tzinfo=UTC))}


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A batch of a few, graded with grading.yml."""
    folder = tmp_path_factory.mktemp("out")
    handins = []
    for name, path in FILES.items():
        data = (ROOT / path).read_bytes() if path else b"%PDF"
        called = Path(path or "linear.ipynb").name
        handins.append(Handin(name, called, name, partial(bytes, data), Student(),
                              ARRIVALS.get(name, Arrival())))
    usual = grading.load()
    terms = Terms(usual, usual.seed)
    results = list(batch.run(handins, Store(folder), terms, Local(sandbox, 2)))
    run = batch.summary([r.row for r in results], terms, [], 0.0)
    (folder / "run.json").write_text(as_json(run))
    return folder


def altered(path: Path, *changes: tuple[str, str]) -> Grading:
    text = grading.DEFAULT.read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text)
    return grading.load(path)


def stored(out: Path, name: str) -> Stored:
    return Stored.model_validate_json(Store(out).evidence(name))


def changed(out: Path, name: str, new: Grading) -> Change | None:
    return change(name, Store(out).report(name), rejudge(stored(out, name), new).to_plain())


@pytest.mark.parametrize("name", FILES)
def test_the_same_settings_give_the_same_report(out: Path, name: str) -> None:
    again = rejudge(stored(out, name), grading.load()).to_plain()
    assert json.loads(json.dumps(again)) == Store(out).report(name)


def test_other_points(out: Path, tmp_path: Path) -> None:
    new = altered(tmp_path / "g.yml", ("own-graph: 3", "own-graph: 5"))
    found = changed(out, "wrong", new)
    assert found is not None
    assert found.why == ("own-graph out of 3 -> 5",)


def test_other_tolerances(out: Path, tmp_path: Path) -> None:
    new = altered(tmp_path / "g.yml", ("distance: 5.0e-3", "distance: 1.0e-30"))
    found = changed(out, "right", new)
    assert found is not None
    assert (found.before, found.after) == (10, 8)
    assert found.why == ("converges passed -> failed",)


def test_other_questions_need_another_run(out: Path, tmp_path: Path) -> None:
    new = altered(tmp_path / "g.yml", ("recorded_steps: 12", "recorded_steps: 13"))
    with pytest.raises(Stale, match="own"):
        rejudge(stored(out, "right"), new)


def test_the_command_lists_who_changed_and_leaves_a_batch_that_is_done(
        out: Path, tmp_path: Path) -> None:
    path = tmp_path / "g.yml"
    new = altered(
        path, ("distance: 5.0e-3", "distance: 1.0e-30"), ("update: 2", "update: 4"),
        ("per_day: 0 ", "per_day: 1.5 "), ("due: {}", "due: {linear: 2026-11-01 00:00:00 +00:00}"))
    program = "from autograder.cli import main; main()"
    line = [sys.executable, "-c", program, "regrade", str(out), "--grading", str(path)]
    dry = subprocess.run([*line, "--dry-run"], capture_output=True, text=True, check=True).stdout
    wet = subprocess.run(line, capture_output=True, text=True, check=True).stdout
    assert dry.splitlines()[:-1] == wet.splitlines()[:-1]
    assert "right: 10 -> 8 (converges passed -> failed)" in wet
    text = stored(out, "right")
    wanted = key(text.sha256, text.filename, Terms(new, text.seed))
    done = Store(out).done("right", wanted)
    assert done is not None
    assert done["score"] == 8
    table = csv.DictReader(io.StringIO((out / "grades.csv").read_text("utf-8-sig")))
    cells = {row["submission"]: (row["raw"], row["penalty"], row["final"]) for row in table}
    assert cells["right"] == ("8", "1.5", "6.5")  # Canvas said that it was late
    assert cells["wrong"][1:] == ("3", "1")  # a day and a half after it was due
    assert cells["gone-linear"][1] == "0"
