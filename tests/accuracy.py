"""The labelled corpus as a measure: `python tests/accuracy.py [--compare] [--long] [FILTER…]`.

Prints how many right submissions get full marks, how many wrong ones lose points, how many of
those have their fault named, and at the right line; then every disagreement. With --long only the
right ones, recorded for 1,000 steps: long past convergence, where updates are below rounding.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from autograder.engine import Graded, grade_file
from autograder.grading import Grading, load
from autograder.messages import Messages

CORPUS = Path(__file__).parent / "corpus"
TRACES = Path(__file__).parent / "trace"


@dataclass(frozen=True)
class Case:
    """One labelled file."""

    file: str
    verdict: str
    assignment: str = ""
    kind: str = "submission"
    names: tuple[str, ...] = ()
    line: int | None = None
    cell: int | None = None

    @property
    def path(self) -> Path:
        """Where it lies."""
        return (CORPUS if self.assignment else TRACES) / self.file


def cases(folder: Path = CORPUS) -> list[Case]:
    """All cases of cases.yml."""
    known = set(Case.__dataclass_fields__)
    entries = yaml.safe_load((folder / "cases.yml").read_text(encoding="utf-8"))
    return [
        Case(**{k: v for k, v in e.items() if k in known and k != "names"},
             names=tuple(e.get("names") or ()))
        for e in entries
    ]


@dataclass(frozen=True)
class Result:
    """A case beside what the grader said of it."""

    case: Case
    graded: Graded

    @property
    def report(self) -> dict[str, Any]:
        """In the JSON shape."""
        return self.graded.report.to_plain()

    @property
    def full(self) -> bool:
        """Whether it got full marks."""
        return self.graded.report.score >= self.graded.report.max_score > 0

    @property
    def codes(self) -> list[str]:
        """The diagnoses' codes."""
        return [d["code"] for d in self.graded.report.diagnoses]

    @property
    def verdict_right(self) -> bool:
        """Full marks and no diagnosis for a right one, fewer for a wrong one."""
        if self.case.verdict == "right":
            return self.full and not self.codes
        return not self.full

    @property
    def named(self) -> bool:
        """Whether a diagnosis names the fault."""
        return bool(set(self.codes) & set(self.case.names))

    @property
    def line_right(self) -> bool | None:
        """Whether a diagnosis that names the fault points at the labelled line; None: no label."""
        if not self.named or self.case.line is None:
            return None
        places = [d["where"] for d in self.graded.report.diagnoses if d["code"] in self.case.names]
        return any(w and (w.get("cell"), w["line"]) == (self.case.cell, self.case.line)
                   for w in places)


@contextmanager
def runner() -> Iterator[Any]:
    """The best sandbox that works here: forks of a warmed process where it can be."""
    from autograder.sandbox.choice import sandbox

    with sandbox() as chosen:
        yield chosen.witness


def quick() -> Grading:
    """grading.yml with shorter time limits: the corpus has endless loops in it."""
    grading = load()
    limits = grading.limits.model_copy(update={"question": 12.0, "load": 12.0})
    return grading.model_copy(update={"limits": limits})


def recording(steps: int) -> Grading:
    """grading.yml, with so many steps under the recorder."""
    grading = load()
    longer = {
        name: grading.settings(name).model_copy(update={"recorded_steps": steps})
        for name in ("linear", "conv", "lqr")
    }
    return grading.model_copy(update={
        "assignments": grading.assignments.model_copy(update=longer)})


def grade_all(wanted: Iterable[Case], workers: int = 2,
              grading: Grading | None = None) -> list[Result]:
    """Grade them, `workers` at a time."""
    grading, messages = grading or quick(), Messages()
    with runner() as run, ThreadPoolExecutor(workers) as pool:
        def one(case: Case) -> Result:
            return Result(case, grade_file(
                case.path, grading, messages, assignment=case.assignment, run=run))

        return list(pool.map(one, wanted))


def submissions() -> list[Case]:
    """The cases that keep an assignment's contract."""
    return [c for c in cases() if c.kind == "submission"]


def main(arguments: list[str]) -> None:
    """Print the rates and every disagreement."""
    words = [a for a in arguments if not a.startswith("--")]
    wanted = [c for c in submissions() if not words or any(w in c.file for w in words)]
    if "--long" in arguments:
        wanted = [c for c in wanted if c.verdict == "right"]
    grading = recording(1000) if "--long" in arguments else None
    results = grade_all(wanted, os.cpu_count() or 2, grading)
    right = [r for r in results if r.case.verdict == "right"]
    wrong = [r for r in results if r.case.verdict == "wrong"]
    lines = [r.line_right for r in wrong if r.line_right is not None]
    print(f"right, full marks and no diagnosis  {rate(r.verdict_right for r in right)}")
    print(f"wrong, fewer than full marks        {rate(r.verdict_right for r in wrong)}")
    print(f"wrong, fault named                  {rate(r.named for r in wrong)}")
    print(f"named, at the labelled line         {rate(bool(x) for x in lines)}")
    for r in results:
        if not r.verdict_right or (r.case.verdict == "wrong" and not r.named):
            print(f"  {r.case.file}: {r.report['score']:g}, said {r.codes}, "
                  f"wanted {list(r.case.names) or 'full marks'}")
    for r in results:
        if r.line_right is False:
            told = [d["where"] and d["where"]["line"] for d in r.graded.report.diagnoses]
            print(f"  {r.case.file}: line {told}, labelled {r.case.line}")
    if "--compare" in arguments:
        import comparison

        comparison.show(results)


def rate(values: Iterable[bool]) -> str:
    """`12 / 13 (92.3 %)`."""
    listed = list(values)
    share = 100 * sum(listed) / len(listed) if listed else 0.0
    return f"{sum(listed):4d} / {len(listed):<4d} ({share:.1f} %)"


if __name__ == "__main__":
    main(sys.argv[1:])
