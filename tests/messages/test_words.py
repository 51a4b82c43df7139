"""Every code has words in both languages, a page in both, and a case in the corpus."""

import re
from pathlib import Path

import pytest
import yaml

from autograder.diagnoses.ordering import CHECK_CODES, EXPLAINS, MEND_FIRST
from autograder.exercises.registry import EXERCISES
from autograder.messages import FOLDER, HINTS, LANGUAGES, Messages
from autograder.report import Diagnosis

ROOT = Path(__file__).parents[2]
CATALOGUES = {name: yaml.safe_load((FOLDER / f"{name}.yml").read_text("utf-8"))
              for name in LANGUAGES}
CODES = sorted(CATALOGUES["en"]["codes"])
CASES = yaml.safe_load((ROOT / "tests/corpus/cases.yml").read_text("utf-8"))


def codes_in_the_source():
    found = {*MEND_FIRST, *EXPLAINS, *(c for codes in CHECK_CODES.values() for c in codes)}
    for path in (ROOT / "autograder/diagnoses").rglob("*.py"):
        found |= set(re.findall(r'Diagnosis\(\s*"([a-z-]+)"', path.read_text("utf-8")))
        found |= set(re.findall(r'Rule\("([a-z-]+)"', path.read_text("utf-8")))
    return found


def test_every_code_that_a_diagnoser_gives_has_words():
    assert codes_in_the_source() <= set(CODES)


@pytest.mark.parametrize("code", CODES)
def test_a_code_has_words_in_every_language(code):
    for language, catalogue in CATALOGUES.items():
        entry = catalogue["codes"][code]
        for part in ("title", "message", "why", "ask"):
            assert entry.get(part, "").strip(), f"{code}: no {part} in {language}"


@pytest.mark.parametrize("code", CODES)
def test_a_code_has_a_page_in_every_language(code):
    for language in LANGUAGES:
        assert (FOLDER / "explain" / f"{code}.{language}.md").is_file()


@pytest.mark.parametrize("code", CODES)
def test_a_code_has_a_case_in_the_corpus(code):
    assert any(code in case.get("names", ()) for case in CASES)


def test_no_page_is_left_of_a_code_that_is_gone():
    pages = {path.name.split(".")[0] for path in (FOLDER / "explain").iterdir()}
    assert pages == set(CODES)


def leaves(tree, path=()):
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield from leaves(value, (*path, key))
    elif isinstance(tree, list):
        for number, value in enumerate(tree):
            yield from leaves(value, (*path, number))
    else:
        yield path, tree


def test_both_languages_have_the_same_keys_and_blanks():
    english, chinese = (dict(leaves({k: v for k, v in CATALOGUES[name].items() if k != "checks"}))
                        for name in ("en", "zh"))
    assert english.keys() == chinese.keys()
    for key, text in english.items():
        blanks, others = (set(re.findall(r"{(\w+)}", t)) for t in (text, chinese[key]))
        assert blanks == others, key


def test_every_check_has_a_chinese_title():
    messages = Messages("zh")
    for exercise in (EXERCISES[name] for name in ("linear", "conv", "lqr")):
        for check in exercise.checks:
            assert messages.check(exercise.name, check, "") != "", (exercise.name, check)


def test_titles_and_messages_stand_alone_and_do_not_end_in_a_full_stop():
    for catalogue in CATALOGUES.values():
        for key, text in leaves(catalogue["codes"]):
            assert not text.strip().endswith((".", "。")), key


DIAGNOSIS = Diagnosis("timeout", None, {"during": "start-1234567"})


def test_a_message_names_a_question_and_not_its_seed():
    said = Messages().of(DIAGNOSIS).message
    assert "building the agent" in said
    assert "1234567" not in said


@pytest.mark.parametrize("hints", HINTS)
def test_each_rung_of_the_hint_ladder_says_more(hints):
    words = Messages("en", hints).of(DIAGNOSIS)
    assert words.message
    assert bool(words.why) == (hints != "where")
    assert bool(words.ask) == (hints == "ask")


def test_evidence_becomes_a_sentence():
    seen = Messages().seen
    assert seen("graph-leak", {"live_nodes": [5, 10, 15, 20, 25, 30]}) == (
        "graph nodes alive at each step: 5, 10, 15, …, 30")
    assert seen("crash", {"error": "ValueError", "torch_says": "one\ntwo"}) == "ValueError: one"
    assert seen("graph-leak", {}) == ""


def test_an_unknown_language_is_refused_by_name():
    with pytest.raises(ValueError, match="'fr'.*en, zh"):
        Messages("fr")
