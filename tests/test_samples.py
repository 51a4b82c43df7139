"""`make grade`: solutions full, handouts less, the published answers what their faults cost."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import accuracy
import pytest

from autograder.engine import grade_file
from autograder.messages import Messages

ROOT = Path(__file__).parents[1]
LOST: dict[str, dict[str, float]] = {
    "solutions/linear.ipynb": {},
    "solutions/conv.ipynb": {},
    "solutions/lqr.ipynb": {},
    # make_data gives two samples; the bias is never updated.
    "solutions/published_linear.py": {"runs": 1, "converges": 3},
    # create_graph keeps every step; dc is made from the wrong sensitivity.
    "solutions/published_lqr.py": {"own-graph": 3, "update": 2, "converges": 1},
    # labels in a graph, and the bias is never stepped
    "assignments/linear/linear.ipynb": {"own-graph": 3, "converges": 3},
    # the kernel's graph in the labels, and nothing answered
    "assignments/conv/conv.ipynb": {"own-graph": 3, "zero-grad-owners": 1},
    # dies at its second step
    "assignments/lqr/lqr.ipynb": {
        "runs": 1, "loss-falls": 1, "converges": 1, "own-graph": 3, "sensitivity": 2, "update": 2},
}
NAMED = {
    "solutions/published_linear.py": {"bad-return", "frozen-parameter"},
    "solutions/published_lqr.py": {"graph-leak", "wrong-policy-gradient"},
    "assignments/linear/linear.ipynb": {"graph-reuse", "frozen-parameter"},
    "assignments/conv/conv.ipynb": {"graph-reuse", "bad-return"},
    "assignments/lqr/lqr.ipynb": {"graph-reuse"},
}


@pytest.fixture(scope="module")
def reports() -> dict[str, dict[str, Any]]:
    grading, messages = accuracy.quick(), Messages()
    with accuracy.runner() as run, ThreadPoolExecutor(2) as pool:
        def one(name: str) -> dict[str, Any]:
            return grade_file(ROOT / name, grading, messages, run=run).report.to_plain()

        return dict(zip(LOST, pool.map(one, LOST), strict=True))


@pytest.mark.parametrize("name", LOST)
def test_sample_loses_what_its_faults_cost(name: str, reports: dict[str, Any]) -> None:
    lost = {c["id"]: c["max_score"] - c["score"] for c in reports[name]["checks"]
            if c["score"] < c["max_score"]}
    assert lost == LOST[name]


@pytest.mark.parametrize("name", LOST)
def test_each_fault_is_named_with_its_line(name: str, reports: dict[str, Any]) -> None:
    diagnoses = reports[name]["diagnoses"]
    assert {d["code"] for d in diagnoses} == NAMED.get(name, set())
    assert all(d["where"] and d["where"]["text"].strip() for d in diagnoses)
