import re
from html.parser import HTMLParser

import pytest

from autograder.evidence import Node, Spot
from autograder.messages import Messages
from autograder.reports import html, step_graph
from reports.examples import HOSTILE

NAMES = ["handout", "solution", "leak", "sensitivity", "dead"]
VOID = {"meta", "br", "input", "link", "img"}


class Reader(HTMLParser):
    """Tags in order, with their attributes; checks that they nest."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.stack, self.words = [], [], []
        self.feed(text)
        assert self.stack == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.stack.pop() == tag

    def handle_data(self, data):
        self.words.append(data)

    def all(self, name):
        return [attrs for tag, attrs in self.tags if tag == name]


def page(graded, grading, language="en", hints="ask"):
    return html.render(graded, grading, Messages(language, hints))


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", NAMES)
def test_a_page_is_whole_and_asks_for_nothing_outside(graded, grading, name, language):
    text = page(graded[name], grading, language)
    reader = Reader(text)
    assert reader.all("html")[0]["lang"] == {"en": "en", "zh": "zh-CN"}[language]
    assert not reader.all("script")
    assert not re.search(r"(src|href)=\"(?!#)", text)
    assert "@import" not in text
    assert not re.search(r"url\((?!#)", text)
    headings = [int(tag[1]) for tag, _ in reader.tags if re.fullmatch(r"h[1-6]", tag)]
    assert headings[0] == 1
    assert headings.count(1) == 1
    assert all(b - a <= 1 for a, b in zip(headings, headings[1:]))
    ids = [attrs["id"] for _, attrs in reader.tags if attrs.get("id")]
    assert len(ids) == len(set(ids))
    assert len(reader.all("caption")) == len(reader.all("table"))
    assert all("scope" in attrs for attrs in reader.all("th"))


@pytest.mark.parametrize("name", NAMES)
def test_every_drawing_has_a_name_a_description_and_a_table(graded, grading, name):
    text = page(graded[name], grading)
    drawings = re.findall(r'<svg class="(?:plot|graph)".*?</svg>', text, re.DOTALL)
    for drawing in drawings:
        assert re.search(r"<title id=\"[\w-]+\">[^<]+</title><desc id=\"[\w-]+\">[^<]+", drawing)
        assert not re.search(r'="[^"]*\b(nan|inf)\b', drawing)
    tables = text.count("<table>") - 1 - ("raw evidence" in text and "passes" in text)
    assert tables >= len(drawings) - 1


def test_what_is_drawn_for_each_exercise(graded, grading):
    def titles(name):
        return re.findall(r"<figcaption[^>]*>([^<]+)", page(graded[name], grading))

    assert titles("handout") == ["Loss on data not seen before",
                                 "Distance of the parameters to their target",
                                 "Graph nodes alive, step by step"]
    assert titles("sensitivity") == ["The control law that was learned",
                                     "Exact cost of the controller, step by step",
                                     "Graph nodes alive, step by step"]


def test_old_operations_are_drawn_in_another_shape_and_named(graded, grading):
    text = page(graded["handout"], grading)
    assert text.count('<polygon class="old"') == 2
    assert text.count('<rect class="fresh"') == 5
    assert "old · 3:6" in text
    assert '<polygon class="old"' not in page(graded["solution"], grading)


def test_nothing_of_a_submission_becomes_markup(evil, grading):
    text = page(evil, grading)
    reader = Reader(text)
    assert not reader.all("script")
    assert not reader.all("img")
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert any("<script>alert(1)</script>" in words for words in reader.words)
    assert HOSTILE not in text


def test_the_seed_in_a_questions_label_is_not_shown(evil, grading):
    assert "8675309" not in page(evil, grading)


@pytest.mark.parametrize(("hints", "why", "ask"), [
    ("where", False, False), ("why", True, False), ("ask", True, True)])
def test_the_hint_ladder(graded, grading, hints, why, ask):
    from autograder.exercises.registry import EXERCISES
    from autograder.judge import judge

    case = graded["dead"]
    report = judge(EXERCISES["linear"], case.submission, case.evidence, grading,
                   Messages("en", hints))
    text = page(type(case)(report, case.submission, case.evidence, case.seed), grading,
                hints=hints)
    assert ("<dt>why</dt>" in text) == why
    assert ("<dt>ask</dt>" in text) == ask
    assert ("<summary>learn" in text) == why
    assert "leaf-in-place" in text


def test_a_large_graph_is_drawn_by_line():
    nodes = [Node(id=i, operator="AddBackward0", spot=Spot(line=1 + i % 3), fresh=i < 90,
                  inputs=[i + 1] if i < 99 else []) for i in range(100)]
    found = step_graph.boxes(nodes)
    assert len(found) <= step_graph.MOST
    assert sum(len(b.operators) for b in found.values()) == 100
    drawing = step_graph.draw("g", "t", "d", nodes, Messages())
    assert "operations" in drawing
