"""Operators worth remembering: broadcasts held against torch's own shapes, and their price."""

from __future__ import annotations

import itertools
import subprocess
import sys

import pytest
import torch

from autograder.recorder.sightings import outer_broadcast

SHAPES = [(), (1,), (4,), (3, 1), (1, 3), (3, 4), (2, 1, 4), (0,), (3, 0)]


@pytest.mark.parametrize(("one", "two"), [*itertools.product(SHAPES, SHAPES)])
def test_outer_broadcast(one: tuple[int, ...], two: tuple[int, ...]) -> None:
    a, b = torch.zeros(one), torch.zeros(two)
    try:
        together = a + b
    except RuntimeError:
        return
    larger = together.numel() > max(a.numel(), b.numel()) and min(a.numel(), b.numel()) > 1
    assert outer_broadcast((a, b), together) == ([list(one), list(two)] if larger else None)


def test_recording_loads_no_more_of_torch() -> None:
    program = """
import sys, torch
from autograder.recorder import Recorder
before = set(sys.modules)
with Recorder(lambda: ()):
    w = torch.zeros(3, 1, requires_grad=True)
    ((w - torch.ones(4)) ** 2).sum().backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
print(len(set(sys.modules) - before))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          check=True)
    assert int(done.stdout) < 20  # measured: 0; sympy alone is 480
