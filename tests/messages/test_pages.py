"""The pages that explain codes: their examples do what the page says they do."""

import contextlib
import io
import re

import pytest
import torch

from autograder.messages import FOLDER, LANGUAGES, Messages

CODES = Messages().codes
BLOCK = re.compile(r"```(\w+)\n(.*?)\n```", re.DOTALL)
LINES, COLUMNS = 15, 88


def blocks(code, language="en"):
    """(broken, what it gives, repaired, what that gives)."""
    text = (FOLDER / "explain" / f"{code}.{language}.md").read_text("utf-8")
    kinds, bodies = zip(*BLOCK.findall(text))
    assert kinds == ("python", "text", "python", "text")
    return bodies


def result(source):
    """What it prints, or the error that it stops with, as Python would name it."""
    printed = io.StringIO()
    with torch.random.fork_rng(), contextlib.redirect_stdout(printed):
        try:
            exec(compile(source, "example", "exec"), {"__name__": "example"})
        except Exception as error:
            return f"{type(error).__name__}: {error}", error
    return printed.getvalue().rstrip(), None


def agrees(seen, said):
    return seen.startswith(said[:-1].rstrip()) if said.endswith("…") else seen == said


@pytest.mark.parametrize("code", CODES)
def test_the_examples_give_what_the_page_says(code):
    broken, fault, repaired, fine = blocks(code)
    for source in (broken, repaired):
        lines = source.split("\n")
        assert len(lines) <= LINES
        assert max(map(len, lines)) <= COLUMNS
    seen, _ = result(broken)
    assert agrees(seen, fault), seen
    seen, error = result(repaired)
    assert error is None, seen
    assert agrees(seen, fine), seen
    assert fine != fault


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_shows_the_same_examples(code, language):
    assert blocks(code, language) == blocks(code)


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_begins_with_its_code_and_title(code, language):
    first = Messages(language).page(code).split("\n")[0]
    assert first.startswith(f"# {code}")
    assert first.endswith(Messages(language).title(code))
