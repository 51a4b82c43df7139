"""A class of submissions: each once, each kept, taken up again after the worst."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from autograder import batch, grading
from autograder.engines.local import Local
from autograder.engines.work import Job, Outcome, Terms, work
from autograder.handins import Handin, Student
from autograder.reports import csv_
from autograder.reports.progress import Tally
from autograder.sandbox.choice import sandbox
from autograder.store import Store, key, write

ROOT = Path(__file__).parent.parent
AUTOGRADER = (sys.executable, "-c", "from autograder.cli import main; main()")
SOLUTION = (ROOT / "solutions" / "linear.ipynb").read_bytes()


def terms(**changes: Any) -> Terms:
    return Terms(**{"grading": grading.load(), "seed": 1} | changes)


NOBODY = Student()


def handin(name: str, data: bytes = b"x = 1", student: Student = NOBODY) -> Handin:
    return Handin(name, f"{name}.py", f"in/{name}.py", partial(bytes, data), student)


def report(score: float = 7.0, code: str = "graph-reuse") -> dict[str, Any]:
    return {"assignment": "linear", "score": score, "max_score": 10.0,
            "checks": [{"id": "runs", "score": 1.0, "max_score": 1.0, "status": "passed"},
                       {"id": "own-graph", "score": 0.0, "max_score": 3.0, "status": "failed"}],
            "diagnoses": [{"code": code}] if code else [], "environment": {"sandbox": "full"}}


class Counting:
    """An engine that runs nothing, and remembers what it was given."""

    name = "counting"

    def __init__(self) -> None:
        self.jobs: list[str] = []

    def run(self, jobs: Iterable[Job], terms: Terms) -> Iterator[Outcome]:
        for job in jobs:
            self.jobs.append(job.name)
            yield Outcome(job.name, job.key, report(), '{"evidence": {}}')


def graded(handins: list[Handin], out: Path, wanted: Terms | None = None,
           **options: bool) -> tuple[list[str], list[batch.Result]]:
    engine = Counting()
    results = list(batch.run(handins, Store(out), wanted or terms(), engine, **options))
    assert sorted(r.row.name for r in results) == sorted(h.name for h in handins)
    return engine.jobs, results


def test_what_is_done_is_not_done_again(tmp_path: Path) -> None:
    handins = [handin("a"), handin("b")]
    assert graded(handins, tmp_path)[0] == ["a", "b"]
    again, results = graded([*handins, handin("c")], tmp_path)
    assert again == ["c"]
    assert {r.row.name: r.row.reused for r in results} == {"a": True, "b": True, "c": False}
    assert {r.row.score for r in results} == {7.0}


@pytest.mark.parametrize("change", [
    {"seed": 2}, {"assignment": "linear"}, {"language": "zh"},
    {"grading": grading.load().model_copy(update={"digest": "other"})}])
def test_other_terms_are_another_grading(tmp_path: Path, change: dict[str, Any]) -> None:
    graded([handin("a")], tmp_path)
    assert graded([handin("a")], tmp_path, terms(**change))[0] == ["a"]


def test_changed_content_and_force_are_graded_again(tmp_path: Path) -> None:
    graded([handin("a"), handin("b")], tmp_path)
    assert graded([handin("a", b"x = 2"), handin("b")], tmp_path)[0] == ["a"]
    assert graded([handin("a", b"x = 2"), handin("b")], tmp_path, force=True)[0] == ["a", "b"]


@pytest.mark.parametrize("damage", [b"", b'{"key": "12', b"\xff\xfe"])
@pytest.mark.parametrize("file", ["report.json", "evidence.json"])
def test_a_damaged_result_is_no_result(tmp_path: Path, file: str, damage: bytes) -> None:
    graded([handin("a")], tmp_path)
    (tmp_path / "students" / "a" / file).write_bytes(damage)
    assert graded([handin("a")], tmp_path)[0] == ["a"]


def test_results_without_a_sandbox_do_not_count_where_one_is_required(tmp_path: Path) -> None:
    store = Store(tmp_path)
    bare = report() | {"environment": {"sandbox": "process"}}
    wanted = key(hashlib.sha256(b"x = 1").hexdigest(), "a.py", terms())
    store.save(Outcome("a", wanted, bare, '{"evidence": {}}'))
    assert graded([handin("a")], tmp_path)[0] == []
    assert graded([handin("a")], tmp_path, strict=True)[0] == ["a"]


def test_what_cannot_be_opened_has_its_row(tmp_path: Path) -> None:
    def broken() -> bytes:
        raise OSError("the disk is gone")

    jobs, (result,) = graded([Handin("a", "a.py", "in/a.py", broken)], tmp_path)
    assert jobs == []
    assert (result.row.status, result.row.score) == ("unreadable", 0)
    assert "the disk is gone" in result.doubt


def test_a_whole_class_is_never_held_at_once(tmp_path: Path) -> None:
    read: list[str] = []

    def reading(name: str) -> bytes:
        read.append(name)
        return b"x = 1"

    handins = [Handin(n, f"{n}.py", n, partial(reading, n)) for n in "abcdef"]
    results = batch.run(handins, Store(tmp_path), terms(), Counting())
    next(results)
    assert len(read) == 1


def test_an_unknown_assignment_has_a_row_and_a_reason() -> None:
    job = Job("a", "a.py", b"x = 1", "", "k")
    outcome = work(job, terms(), lambda submission: pytest.fail("ran"))
    assert outcome.report is None
    assert "-a linear" in outcome.doubt


def test_an_unreadable_file_runs_nothing() -> None:
    job = Job("a", "linear.ipynb", b"", "", "k")
    outcome = work(job, terms(), lambda submission: pytest.fail("ran"))
    assert outcome.report is not None
    assert outcome.report["diagnoses"][0]["code"] == "unreadable"


@pytest.mark.parametrize(("score", "code", "status"), [
    (10, "", "full"), (7, "x", "partial"), (0, "x", "zero"), (0, "crash", "crash"),
    (0, "timeout", "timeout"), (3, "timeout", "timeout"), (0, "killed", "killed")])
def test_status(score: float, code: str, status: str) -> None:
    assert batch.status(report(score, code)) == status


def test_grades_csv_is_safe_and_whole() -> None:
    odd = handin("=cmd|'/c calc'!A1", student=Student("李雷", "7"))
    rows = [batch.row(odd, report(), grading.load()),
            batch.Row("@b", "in/b", status="unknown-assignment")]
    first, second = csv.DictReader(io.StringIO(csv_.grades(rows)))
    assert first["submission"] == "'=cmd|'/c calc'!A1"
    assert second["submission"] == "'@b"
    assert (first["student"], first["runs"], first["own-graph"]) == ("李雷", "1", "0")
    assert (first["raw"], first["final"], first["profile"]) == ("7", "7", "full")
    assert (second["raw"], second["runs"]) == ("", "")


def test_csv_survives_a_spreadsheet(tmp_path: Path) -> None:
    write(tmp_path / "grades.csv", "a,李\r\n", bom=True)
    assert (tmp_path / "grades.csv").read_bytes() == b"\xef\xbb\xbfa,\xe6\x9d\x8e\r\n"
    assert [p.name for p in tmp_path.iterdir()] == ["grades.csv"]


def test_two_for_one_assignment_are_doubted() -> None:
    rows = [batch.row(handin(n, student=Student(n, i)), report(), grading.load())
            for n, i in (("a", "1"), ("b", "1"), ("c", "2"))]
    (doubt,) = batch.doubled(rows)
    assert "a, b" in doubt.why


def test_tally() -> None:
    tally = Tally()
    for score, code in ((10, ""), (7, "x"), (0, "timeout"), (0, "killed"), (0, "crash")):
        said = report(score, code)
        tally.add(batch.Result(batch.row(handin("a"), said, grading.load()), said))
    assert tally.counts() == "full 1 · partial 1 · zero 0 · crashed 2 · timed out 1"
    assert tally.missed() == "own-graph  100 % miss it"


def test_the_local_engine_agrees_with_a_process_each(tmp_path: Path) -> None:
    """Fork or no fork, sandbox or none: the same score, the same diagnoses."""
    handout = (ROOT / "assignments" / "linear" / "linear.ipynb").read_bytes()
    handins = [Handin(n, "linear.ipynb", n, partial(bytes, d))
               for n, d in (("right", SOLUTION), ("wrong", handout))]
    found = []
    for name in (None, "process"):
        engine = Local(partial(sandbox, name), 2)
        results = batch.run(handins, Store(tmp_path / str(name)), terms(), engine)
        found.append({r.row.name: (r.report or {}) | {"environment": None} for r in results})
    assert found[0] == found[1]
    assert found[0]["right"]["score"] == 10


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="kills by Linux means")
@pytest.mark.parametrize("profile", [(), ("--sandbox", "portable")], ids=["best", "portable"])
def test_kill_and_resume_loses_and_repeats_nothing(tmp_path: Path,
                                                   profile: tuple[str, ...]) -> None:
    folder, out, scratch = (tmp_path / n for n in ("in", "out", "scratch"))
    folder.mkdir()
    scratch.mkdir()
    names = [f"student{n:02}" for n in range(10)]
    for name in names:
        plain = json.loads(SOLUTION)
        plain["metadata"]["whose"] = name
        (folder / f"{name}-linear.ipynb").write_text(json.dumps(plain))
    line = [*AUTOGRADER, "grade", str(folder), "-o", str(out), "-j", "2", *profile]
    environment = os.environ | {"TMPDIR": str(scratch)}
    with subprocess.Popen(line, start_new_session=True, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, env=environment) as first:
        until = time.monotonic() + 120
        while len(finished(out)) < 3 and time.monotonic() < until:
            assert first.poll() is None, "it was over before it could be killed"
            time.sleep(0.02)
        os.killpg(first.pid, signal.SIGKILL)
    before = finished(out)
    assert 3 <= len(before) < len(names)

    again = subprocess.run(line, capture_output=True, text=True, env=environment, check=True)
    run = json.loads((out / "run.json").read_text())
    reused = {s["name"] for s in run["submissions"] if s["reused"]}
    assert set(before) <= reused
    assert {n: t for n, t in finished(out).items() if n in before} == before
    assert again.stderr.count("already graded") == len(reused) < len(names)
    rows = list(csv.DictReader(io.StringIO((out / "grades.csv").read_text("utf-8-sig"))))
    assert [(r["submission"], r["final"]) for r in rows] == [(f"{n}-linear", "10") for n in names]
    until = time.monotonic() + 10  # the first zygote notices that its judge is gone
    while any(scratch.iterdir()) and time.monotonic() < until:
        time.sleep(0.1)
    assert list(scratch.iterdir()) == []


def finished(out: Path) -> dict[str, int]:
    """Name → when its result was written."""
    return {p.parent.name: p.stat().st_mtime_ns for p in out.glob("students/*/evidence.json")}


def test_half_a_file_is_never_seen(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    write(path, "old")
    shutil.copy(path, tmp_path / "y.json")
    write(path, "new")
    assert path.read_text() == "new"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["x.json", "y.json"]
