import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.messages import Messages
from autograder.reports import class_page
from autograder.similarity import Group
from reports.examples import EVIL, LINEAR
from reports.test_html import Reader

ROWS = [
    {"name": "ada", "student": "Ada L.", "status": "partial", "report": LINEAR, "file": "a.ipynb"},
    {"name": "b c", "student": "Bo", "status": "partial", "report": {**LINEAR, "score": 7.0}},
    {"name": "eve<i>", "status": "partial", "report": EVIL},
    {"name": "lost", "status": "unknown-assignment", "report": None},
]
BEFORE = {"submissions": [{"name": "ada", "score": 1.0, "status": "partial"},
                          {"name": "b c", "score": 7.0, "status": "partial"}]}


def page(language="en", **more):
    return class_page.render(ROWS, Messages(language), **more)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_page_is_whole_and_asks_for_nothing_outside(language):
    text = page(language, before=BEFORE, doubts=[("x.zip", "<b>bad</b>")],
                alike=[Group(("ada", "b c"), True)])
    reader = Reader(text)
    assert len(reader.all("script")) == 1
    assert not re.search(r"src=|@import|https?:", text)
    assert "<i>" not in text
    assert "<b>bad" not in text
    assert all("scope" in attrs for attrs in reader.all("th"))
    assert len(reader.all("caption")) == len(reader.all("table"))


def test_names_lead_to_reports_and_odd_characters_do_not_break_the_address():
    reader = Reader(page())
    links = [a["href"] for a in reader.all("a") if "students" in a["href"]]
    assert links == ["students/ada/report.html", "students/b%20c/report.html",
                     "students/eve%3Ci%3E/report.html"]


def test_what_changed_since_the_last_run():
    text = page(before=BEFORE)
    assert "1 → 4" in text
    assert text.count("<td>new</td>") == 4  # two, in both tables
    assert "since the last run" not in page().lower()


def test_failure_rates_count_submissions():
    text = page()
    row = re.search(r"<code>own-graph</code>.*?</tr>", text, re.DOTALL)[0]
    assert "3 · 100 %" in row
    row = re.search(r"<code>broadcast</code>.*?</tr>", text, re.DOTALL)[0]
    assert "2 · 67 %" in row


@pytest.mark.parametrize(("scores", "most", "expected"), [
    ([0, 4, 4, 10], 10, {"0": 1, "4": 2, "10": 1}),
    ([3.5], 10, {"3": 1}),
    ([0, 99, 100], 100, {"0–9": 1, "90–99": 1, "100–100": 1}),
])
def test_bins(scores, most, expected):
    assert {label: n for label, n in class_page.bins(scores, most) if n} == expected


def test_a_class_of_a_thousand_is_small():
    rows = [{**ROWS[i % 3], "name": f"student-{i}"} for i in range(1000)]
    text = class_page.render(rows, Messages(), before=BEFORE)
    assert len(text.encode()) < 3_000_000


def test_a_class_of_none():
    assert "0 submissions" in class_page.render([], Messages())


def test_equally_frequent_codes_stand_in_the_same_order_in_every_run():
    program = ("from autograder.messages import Messages\n"
               "from autograder.reports.class_page import render\n"
               "from reports.test_class_page import ROWS\n"
               "print(render(ROWS, Messages()))")
    pages = {
        subprocess.run([sys.executable, "-c", program], check=True, capture_output=True,
                       env=os.environ | {"PYTHONHASHSEED": seed,
                                         "PYTHONPATH": str(Path(__file__).parents[1])}).stdout
        for seed in ("1", "2", "3", "4")
    }
    assert len(pages) == 1
