"""Every labelled submission: right ones full and without a word, wrong ones caught and named.

`make accuracy` prints the same as rates.
"""

from __future__ import annotations

import accuracy
import pytest
from accuracy import Case, Result

CASES = accuracy.submissions()


@pytest.fixture(scope="module")
def results() -> dict[str, Result]:
    return {r.case.file: r for r in accuracy.grade_all(CASES)}


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.file)
def test_verdict(case: Case, results: dict[str, Result]) -> None:
    result = results[case.file]
    assert result.verdict_right, (result.report["score"], result.codes)


LONG = (
    "linear/r01_optim_sgd_sum.py", "linear/r06_torch_func.py", "linear/xr07_newton.py",
    "linear/xr30_cycle_each_step.py", "conv/r01_seed_style.py", "lqr/r01_autograd_grad.py",
)


def test_right_ones_recorded_long_past_convergence_raise_no_alarm() -> None:
    wanted = [c for c in CASES if c.file in LONG]
    assert len(wanted) == len(LONG)
    for result in accuracy.grade_all(wanted, grading=accuracy.recording(500)):
        assert result.verdict_right, (result.case.file, result.codes)


def test_nearly_every_fault_is_named_at_its_line(results: dict[str, Result]) -> None:
    wrong = [r for r in results.values() if r.case.verdict == "wrong"]
    unnamed = [(r.case.file, r.codes) for r in wrong if not r.named]
    assert len(unnamed) <= 0.03 * len(wrong), unnamed
    labelled = [r for r in wrong if r.line_right is not None]
    off = [r.case.file for r in labelled if not r.line_right]
    assert len(off) <= 0.1 * len(labelled), off


def test_every_lost_point_has_a_cause(results: dict[str, Result]) -> None:
    for result in results.values():
        report = result.report
        assert (report["score"] < report["max_score"]) == bool(report["diagnoses"]), (
            result.case.file)
        for check in report["checks"]:
            if check["status"] == "failed":
                assert check["because"], (result.case.file, check["id"])
