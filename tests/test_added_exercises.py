"""Exercises of other packages: found by their entry point, their settings in grading.yml."""

import dataclasses
from importlib.metadata import EntryPoint
from types import MappingProxyType

import pytest

from autograder.exercises import registry
from autograder.exercises.linear import LINEAR
from autograder.grading import DEFAULT, BadGrading, load
from autograder.settings import Settings


class ToySettings(Settings):
    points: dict[str, float] = {"runs": 1}
    tries: int = 3


TOY = dataclasses.replace(LINEAR, name="toy", defaults=ToySettings())
CLASH = dataclasses.replace(LINEAR, defaults=ToySettings())


@pytest.fixture
def installed(monkeypatch):
    def install(name):
        point = EntryPoint("x", f"{__name__}:{name}", registry.GROUP)
        monkeypatch.setattr(point.__class__, "load", lambda self: globals()[name])
        monkeypatch.setattr(registry, "entry_points", lambda group: [point])

    return install


@pytest.fixture
def toy(installed, monkeypatch):
    installed("TOY")
    monkeypatch.setattr(registry, "EXERCISES", registry.collect())


def test_an_exercise_is_found_beside_those_of_this_package(installed):
    installed("TOY")
    found = registry.collect()
    assert isinstance(found, MappingProxyType)
    assert list(found) == ["linear", "conv", "lqr", "toy"]


def test_a_clash_names_both_sides(installed):
    installed("CLASH")
    with pytest.raises(registry.ClashingExercise, match=r"CLASH .*'linear'.* autograder "):
        registry.collect()


def grading(tmp_path, toy):
    path = tmp_path / "grading.yml"
    path.write_text(DEFAULT.read_text("utf-8") + f"\n  toy: {toy}\n", "utf-8")
    return path


def test_its_own_settings_hold_where_grading_yml_says_nothing(toy, tmp_path):
    assert load().settings("toy").tries == 3
    changed = load(grading(tmp_path, "{tries: 5}")).settings("toy")
    assert (changed.tries, changed.points) == (5, {"runs": 1})


@pytest.mark.parametrize(("given", "said"), [
    ("{try: 5}", "assignments.toy.try: "), ("{tries: many}", "assignments.toy.tries: ")])
def test_a_wrong_setting_is_named(toy, tmp_path, given, said):
    with pytest.raises(BadGrading, match=said):
        load(grading(tmp_path, given))


def test_settings_of_an_exercise_that_is_not_installed_are_a_mistake(tmp_path):
    with pytest.raises(BadGrading, match=r"assignments\.toy: unknown key"):
        load(grading(tmp_path, "{}"))
