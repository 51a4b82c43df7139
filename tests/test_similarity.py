import csv
import io

from autograder.similarity import Group, dolos, groups
from autograder.submission import Cell, Submission


def program(*cells):
    return Submission("a.py", tuple(Cell(None, c) for c in cells), "")


ONE = program('def area(r):\n    """of a circle"""\n    return 3 * r ** 2  # roughly\n')
RENAMED = program("def surface(radius):\n\n    return (3 *\n            radius ** 2)\n".replace(
    "(3 *\n            radius ** 2)", "3 * radius ** 2"))
OTHER = program("def area(r):\n    return 4 * r ** 2\n")
BROKEN = program("def area(r:\n  return '\n")


def test_names_layout_comments_and_docstrings_do_not_tell_programs_apart():
    assert groups({"a": ONE, "b": RENAMED, "c": OTHER, "d": BROKEN}) == [Group(("a", "b"), False)]


def test_the_same_to_the_letter_is_said():
    assert groups({"a": ONE, "b": ONE}) == [Group(("a", "b"), True)]


def test_small_groups_come_first_and_the_handout_is_nobodys_copy():
    found = groups({"a": OTHER, "b": OTHER, "c": OTHER, "d": ONE, "e": ONE})
    assert [g.names for g in found] == [("d", "e"), ("a", "b", "c")]
    assert groups({"d": ONE, "e": RENAMED}, templates=[ONE]) == []


def test_names_that_are_swapped_are_told_apart():
    one, two = program("x = y - z\n"), program("x = y - y\n")
    assert groups({"a": one, "b": two}) == []


def test_dolos_reads_programs_beside_a_table():
    files = dolos({"a b": ONE, "a/b": OTHER, "template": ONE}, labels={"a b": "7"},
                  full_names={"a b": "Ada, B."}, template=BROKEN)
    rows = list(csv.DictReader(io.StringIO(files["info.csv"])))
    assert [r["filename"] for r in rows] == ["a_b.py", "a_b-2.py", "template-2.py"]
    assert rows[0]["label"] == "7"
    assert rows[0]["full_name"] == "Ada, B."
    assert set(files) == {"info.csv", "template.py", *(r["filename"] for r in rows)}
