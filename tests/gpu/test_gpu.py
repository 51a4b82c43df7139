"""The same verdict on a GPU as on the CPU. Skipped where torch finds no CUDA device."""

from __future__ import annotations

import functools

import accuracy
import pytest
import torch

from autograder.engine import grade_file
from autograder.messages import Messages
from autograder.sandbox.process import Process

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="torch finds no CUDA device"),
]

# A program that names its device itself is judged by where it runs: left out.
CASES = [c for c in accuracy.submissions() if "cuda" not in c.file][::8]


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.file)
def test_verdict_is_the_cpus(case: accuracy.Case) -> None:
    def report(device: str) -> dict[str, object]:
        run = functools.partial(Process, device=device)
        plain = grade_file(case.path, accuracy.quick(), Messages(), assignment=case.assignment,
                           run=run).report.to_plain()
        return {"score": plain["score"], "codes": [d["code"] for d in plain["diagnoses"]],
                "checks": [(c["id"], c["status"]) for c in plain["checks"]]}

    assert report("cuda") == report("cpu")
