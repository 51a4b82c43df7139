"""`trace` over programs of every kind: an alarm where there is a fault, silence where none is."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import accuracy
import pytest
from accuracy import TRACES, Case

from autograder.messages import Messages
from autograder.submission import read
from autograder.tracing import trace

CASES = accuracy.cases(TRACES)


@pytest.fixture(scope="module")
def traces() -> dict[str, dict[str, Any]]:
    messages = Messages()
    with accuracy.runner() as run, ThreadPoolExecutor(2) as pool:
        def one(case: Case) -> dict[str, Any]:
            return trace(read(TRACES / case.file), messages, run=run)

        return dict(zip((c.file for c in CASES), pool.map(one, CASES), strict=True))


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.file)
def test_trace(case: Case, traces: dict[str, dict[str, Any]]) -> None:
    codes = {d["code"] for d in traces[case.file]["diagnoses"]}
    if case.verdict == "right":
        assert not codes
    else:
        assert codes & set(case.names)


def test_lines(traces: dict[str, dict[str, Any]]) -> None:
    off = [
        c.file for c in CASES if c.line and c.line not in
        [d["where"] and d["where"]["line"] for d in traces[c.file]["diagnoses"]]
    ]
    assert len(off) <= 0.1 * sum(c.line is not None for c in CASES), off
