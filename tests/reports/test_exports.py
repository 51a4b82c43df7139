"""What other systems read: Canvas' gradebook, Gradescope's results, JUnit."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from autograder.batch import Row
from autograder.handins import Student
from autograder.messages import Messages
from autograder.reports import canvas, gradescope
from autograder.reports.junit import junit
from reports.examples import EVIL, LINEAR

ROOT = Path(__file__).parents[2]
TITLE = "Linear (4711)"
EXPORTED = """\ufeffStudent,ID,SIS User ID,SIS Login ID,Section,Warm-up (4710),Linear (4711),Total
    Points Possible,,,,,5,10,(read only)
"Lovelace, Ada",101,S1,ada@uni.edu,A,5,,
"Noether, Emmy",102,S2,emmy,A,4,3,
"李, 雷",103,S3,lilei,A,-1,,
"Turing, Alan",104,S4,alan,B,5,EX,
"Smith, Kim",105,S5,kim,B,5,,
"Smith, Kim",106,S6,kim2,B,5,,
"=cmd, Eve",107,S7,eve,B,5,,
"Student, Test",1,,t,B,,,
"""


def row(name: str, student: Student | None = None, score: float = 7.0, *, graded: bool = True,
        penalty: float = 0.0) -> Row:
    return Row(name, f"in/{name}", student or Student(), "linear" if graded else "",
               "partial" if graded else "unreadable", score=score, max_score=10, penalty=penalty)


def filled(*rows: Row) -> tuple[dict[str, str], list[str]]:
    """(ID → what stands in the column, doubts)."""
    result = canvas.fill(canvas.read(EXPORTED, TITLE), rows)
    lines = list(csv.DictReader(io.StringIO(result.text)))
    return {line["ID"]: line[TITLE] for line in lines}, [d.why for d in result.doubts]


UNTOUCHED = {"": "10", "101": "", "102": "3", "103": "", "104": "EX", "105": "", "106": "",
             "107": "", "1": ""}


@pytest.mark.parametrize(("student", "name", "line"), [
    (Student("lovelaceada", "101"), "x", "101"),  # Canvas' bulk download
    (Student("Ada Lovelace", "S1", "ada@uni.edu"), "x", "101"),  # Gradescope's
    (Student("A. King", "", "ADA@uni.edu"), "x", "101"),
    (Student("Emmy Noether", "9999"), "x", "102"),  # Moodle's: only the name is common
    (Student("雷 李", ""), "x", "103"),
    (None, "emmy", "102"), (None, "S2", "102"), (None, "102", "102"), (None, "Emmy Noether", "102"),
])
def test_finds_a_student_by_number_login_or_name(student: Student | None, name: str,
                                                 line: str) -> None:
    found, doubts = filled(row(name, student))
    assert (found, doubts) == (UNTOUCHED | {line: "7"}, [])


@pytest.mark.parametrize(("student", "why"), [
    (Student("Nobody", "555"), "nobody"),
    (Student("Kim Smith", ""), "2 students"),
    (Student("Emmy Noether", "101"), "somebody else's"),  # another platform's number
    (Student("Ada Lovelace", "S2"), "another's"),
    (Student("Ada Lovelace & Emmy Noether", "S1"), "nobody"),
    (Student("Alan Turing", "S4"), "excused"),
    (Student("Student, Test", "1"), "nobody"),
    (Student("", "Points Possible"), "nobody"),
    (None, "nobody"),
])
def test_never_guesses(student: Student | None, why: str) -> None:
    found, doubts = filled(row("submission-1", student))
    assert found == UNTOUCHED
    (doubt,) = doubts
    assert why in doubt


def test_two_submissions_of_one_student_are_for_a_person_to_choose() -> None:
    found, (doubt,) = filled(row("a", Student("", "S1")), row("b", Student("", "S1"), 9))
    assert found == UNTOUCHED
    assert "a, b" in doubt


def test_a_group_shares_its_score_and_the_penalty_counts() -> None:
    both = Student("Ada Lovelace & Emmy Noether", "S1 & S2", "ada@uni.edu & e@uni.edu")
    found, doubts = filled(row("x", both, 7.125, penalty=1))
    assert (found, doubts) == (UNTOUCHED | {"101": "6.12", "102": "6.12"}, [])


def test_what_was_not_graded_leaves_its_cell_alone() -> None:
    found, (doubt,) = filled(row("x", Student("", "S2"), graded=False))
    assert found == UNTOUCHED
    assert "no score (unreadable)" in doubt


def test_every_other_cell_is_as_it_was_but_no_formula() -> None:
    before = list(csv.reader(io.StringIO(EXPORTED.removeprefix("\ufeff"))))
    after = list(csv.reader(io.StringIO(canvas.fill(canvas.read(EXPORTED, TITLE), []).text)))
    before[8][0] = "'=cmd, Eve"
    assert after == before


@pytest.mark.parametrize(("column", "said"), [
    ("Linear", "Did you mean 'Linear (4711)'"), ("linear (4712)", "Did you mean 'Linear (4711)'"),
    ("Zzz", "It has 'Warm-up (4710)', 'Linear (4711)', 'Total'"), ("Section", "no column")])
def test_a_missing_column_names_the_nearest(column: str, said: str) -> None:
    with pytest.raises(canvas.BadGradebook, match="no column") as error:
        canvas.read(EXPORTED, column)
    assert said in str(error.value)


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", "submission,student\n"])
def test_another_file_is_no_gradebook(text: str) -> None:
    with pytest.raises(canvas.BadGradebook, match="no gradebook"):
        canvas.read(text, TITLE)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_gradescope_has_a_visible_row_a_check(language: str) -> None:
    results = gradescope.results(LINEAR, Messages(language))
    assert [t["score"] for t in results["tests"]] == [1, 0, 0, 0, 1]
    assert sum(t["max_score"] for t in results["tests"]) == 10
    assert {t["visibility"] for t in results["tests"]} == {"visible"}
    assert [t["status"] for t in results["tests"]] == [
        "passed", "failed", "failed", "failed", "passed"]
    assert "graph-reuse" in results["tests"][3]["output"]
    assert "linear.ipynb:" in results["tests"][3]["output"]
    assert "graph-reuse" in results["output"]
    assert results["score"] == 4


def test_gradescope_shows_no_secret_and_no_escape() -> None:
    text = json.dumps(gradescope.results(EVIL, Messages()), ensure_ascii=False)
    assert "8675309" not in text
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_junit_is_a_suite_a_student() -> None:
    root = ET.fromstring(junit([("李雷", "partial", LINEAR), ("eve\x00<i>", "partial", EVIL),
                                ("lost", "unknown-assignment", None)]).encode())
    assert [s.get("name") for s in root] == ["李雷", "eve?<i>", "lost"]
    assert dict(root[0].attrib) == {"name": "李雷", "tests": "5", "failures": "2", "errors": "0",
                                    "skipped": "1"}
    assert root.get("tests") == "11"
    assert [c.get("name") for c in root[0]] == [
        "runs", "loss-falls", "converges", "own-graph", "fresh-gradients"]
    failure = root[0][3][0]
    assert (failure.tag, failure.get("type")) == ("failure", "graph-reuse")
    assert "0 of 3 points" in (failure.get("message") or "")
    assert "(cell 2, line 6)" in (failure.text or "")
    assert root[2][0][0].get("message") == "unknown-assignment"


def grade(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from autograder.cli import main; main()", "grade",
         *map(str, arguments)], capture_output=True, text=True, timeout=120, cwd=cwd, check=False)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("batch")
    (folder / "in").mkdir()
    corpus = ROOT / "tests/corpus/linear"
    (folder / "in/lovelaceada_101_900_linear.py").write_bytes(
        (corpus / "r02_no_grad_inplace.py").read_bytes())
    (folder / "in/ghost_999_901_linear.py").write_bytes(
        (corpus / "w06_bias_forgotten.py").read_bytes())
    (folder / "book.csv").write_text(EXPORTED, "utf-8")
    return folder


def test_a_wrong_column_is_known_before_anything_is_graded(place: Path) -> None:
    done = grade("in", "-o", "none", "--canvas", "book.csv", "--canvas-column", "Linear", cwd=place)
    assert done.returncode == 2
    assert "Did you mean 'Linear (4711)'" in done.stderr
    assert not (place / "none").exists()
    done = grade("in", "-o", "none", "--canvas", "book.csv", cwd=place)
    assert (done.returncode, "belong together" in done.stderr) == (2, True)


def test_a_batch_writes_everything(place: Path) -> None:
    line: tuple[Any, ...] = ("in", "-o", "out", "--canvas", "book.csv", "--canvas-column", TITLE)
    done = grade(*line, cwd=place)
    assert done.returncode == 0, done.stderr
    out = place / "out"
    book = {r["ID"]: r[TITLE] for r in csv.DictReader(
        io.StringIO((out / "canvas.csv").read_text("utf-8-sig")))}
    assert book == UNTOUCHED | {"101": "10"}
    assert "ghost" in (out / "needs-review.csv").read_text("utf-8-sig")
    assert "1 scores filled in; 1 not" in done.stdout
    assert len(ET.parse(out / "junit.xml").getroot()) == 2
    index = (out / "index.html").read_text("utf-8")
    for folder in (out / "students").iterdir():
        assert f"students/{folder.name}/report.html" in index
        assert "could not be drawn" not in (folder / "report.html").read_text("utf-8")
        results = json.loads((folder / "results.json").read_text("utf-8"))
        assert results["score"] == json.loads((folder / "report.json").read_text())["score"]

    again = grade(*line, "--no-html", cwd=place)  # all is done: pages of this state may stay
    assert again.stderr.count("already graded") == 2
    assert not (out / "index.html").exists()
    grade(*line, "--no-html", "--force", cwd=place)
    assert not list(out.glob("students/*/report.html"))
    pages = grade(*line, cwd=place)  # what has no page is not done
    assert "already graded" not in pages.stderr
    assert len(list(out.glob("students/*/report.html"))) == 2
