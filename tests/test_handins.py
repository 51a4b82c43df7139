"""Whose is which file: folders and the bulk downloads of course platforms."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from autograder.handins import Handin, Student, collect

METADATA = """
submission_12:
  :submitters:
  - :name: 李雷
    :sid: '77'
    :email: li@example.edu
  - :name: Bo
    :sid: '78'
    :email: bo@example.edu
  :created_at: 2026-11-01 10:00:00
"""


def archive(path: Path, *members: str, **contents: str) -> Path:
    with zipfile.ZipFile(path, "w") as file:
        for name in members:
            file.writestr(name, contents.get(Path(name).stem, "x = 1"))
    return path


def by_name(*paths: Path) -> dict[str, Handin]:
    handins, _ = collect(paths)
    found = {h.name: h for h in handins}
    assert len(found) == len(handins)
    return found


def test_gradescope(tmp_path: Path) -> None:
    top = "assignment_1_export"
    path = archive(
        tmp_path / "export.zip", f"{top}/submission_metadata.yml",
        f"{top}/submission_12/linear.ipynb", f"{top}/submission_12/helper.py",
        f"{top}/submission_13/linear.ipynb", submission_metadata=METADATA)
    found = by_name(path)
    assert {h.student for h in found.values()} == {
        Student("李雷 & Bo", "77 & 78", "li@example.edu & bo@example.edu"),
        Student("submission_13", "13")}
    assert [h.filename for h in found.values()] == ["linear.ipynb"] * 2


def test_canvas(tmp_path: Path) -> None:
    path = archive(tmp_path / "submissions.zip", "doejane_1234_5678_linear.ipynb",
                   "doejane_1234_5678_conv.ipynb", "roe_LATE_1235_5679_linear-1.ipynb",
                   "poe_1236_5680_essay.pdf")
    found = by_name(path)
    assert {n: (h.student.id, h.filename) for n, h in found.items()} == {
        "doejane_1234-linear": ("1234", "linear.ipynb"),
        "doejane_1234-conv": ("1234", "conv.ipynb"),
        "roe_1235": ("1235", "linear-1.ipynb"),
        "poe_1236": ("1236", "essay.pdf"),  # a row, to say that it cannot be read
    }


@pytest.mark.parametrize("pattern", [
    "{}_assignsubmission_file_/linear.ipynb", "{}_assignsubmission_file_linear.ipynb"])
def test_moodle(tmp_path: Path, pattern: str) -> None:
    path = archive(tmp_path / "moodle.zip", *(pattern.format(f"Jane Doe_{n}") for n in (123, 124)))
    found = by_name(path)
    assert {h.student for h in found.values()} == {
        Student("Jane Doe", "123"), Student("Jane Doe", "124")}
    assert set(found) == {"Jane Doe_123", "Jane Doe_124"}


def test_a_name_that_a_student_wrote_is_not_believed(tmp_path: Path) -> None:
    path = archive(tmp_path / "moodle.zip",
                   "Eve_999_assignsubmission_file_Bob_555_assignsubmission_file_linear.ipynb",
                   "Eve_998_assignsubmission_file_/Bob_555_assignsubmission_file_/linear.ipynb",
                   "eve_997_1111_bob_555_2222_linear.ipynb")
    assert {h.student.id for h in by_name(path).values()} == {"999", "998", "997"}


def test_an_archive_in_a_folder_is_one_submission(tmp_path: Path) -> None:
    (tmp_path / "eve").mkdir()
    archive(tmp_path / "eve" / "mine.zip", "bob_1234_5678_linear.ipynb")
    (tmp_path / "eve" / "bob_1234_5678_linear.ipynb").write_text("{}")
    assert {h.student for h in by_name(tmp_path).values()} == {Student()}


def test_what_nobody_is_named_for_is_graded_and_doubted(tmp_path: Path) -> None:
    path = archive(tmp_path / "canvas.zip", "doe_1234_5678_linear.ipynb", "stray.ipynb")
    handins, doubts = collect([path])
    assert {h.student.id for h in handins} == {"1234", ""}
    assert [d.where for d in doubts] == [f"{path}!stray.ipynb"]


def test_a_document_in_a_plain_folder_is_doubted(tmp_path: Path) -> None:
    (tmp_path / "alice.pdf").write_text("x")
    (tmp_path / "data.csv").write_text("x")
    handins, doubts = collect([tmp_path])
    assert handins == []
    assert [d.where for d in doubts] == [str(tmp_path / "alice.pdf")]


def test_every_name_is_its_own_and_safe(tmp_path: Path) -> None:
    for name in ("a/linear.ipynb", "a/linear.py", "b/linear.ipynb", "B/LINEAR.ipynb", "a-linear.py",
                 "con:<>|.py", "=cmd.py", "名.py", ".hidden/x.py", "tests/q1.py",
                 "a/.ipynb_checkpoints/linear-checkpoint.ipynb"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text("x = 1")
    found = by_name(tmp_path)
    assert len(found) == 8
    assert len({n.casefold() for n in found}) == 8
    assert not any(c in name for name in found for c in '/\\:<>|"?*')
    assert "名" in found


def test_two_folders_with_one_name_in_each(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "linear.py").write_text("x = 1")
    assert set(by_name(tmp_path / "one", tmp_path / "two")) == {"one-linear", "two-linear"}


def test_bytes_are_the_members(tmp_path: Path) -> None:
    path = archive(tmp_path / "c.zip", "doe_1234_5678_linear.ipynb", doe_1234_5678_linear="here")
    (handin,) = by_name(path).values()
    assert handin.read() == b"here"


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"PK\x05\x06" + b"\0" * 18])
def test_a_damaged_archive_is_one_submission(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x.zip").write_bytes(data)
    assert set(by_name(tmp_path / "x.zip")) == {"x"}
