"""A recording that makes no sense: a row to be looked at, and neighbours that do not notice."""

import csv

import pytest
from click.testing import CliRunner

from autograder.commands import grade

HONEST = '''
import torch
from torch import nn


def make_data(seed):
    X = torch.rand(32, 5)
    return X, X.sum(1, keepdim=True) + 2


def train(X, Y, *, steps=600, lr=0.01, seed=0):
    torch.manual_seed(seed)
    layer = nn.Linear(5, 1)
    optimizer = torch.optim.SGD(layer.parameters(), lr=lr)
    losses = []
    for _ in range(steps):
        loss = ((layer(X) - Y) ** 2).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return layer, losses
'''
FORGED = '''
from autograder.evidence import Array
from autograder.recorder import Recorder
honest = Recorder.recording


def recording(self):
    found = honest(self)
    for update in found.updates:
        for part in update.parts:
            object.__setattr__(part, "delta", Array(shape=[2], values=[0.0, 1.0]))
    return found


Recorder.recording = recording
'''


@pytest.mark.parametrize("profile", ["portable"])
def test_a_forged_recording_costs_nobody_else(tmp_path, profile):
    handed_in = tmp_path / "in"
    handed_in.mkdir()
    (handed_in / "honest.py").write_text(HONEST, "utf-8")
    (handed_in / "forged.py").write_text(FORGED + HONEST, "utf-8")
    out = tmp_path / "out"
    done = CliRunner().invoke(grade.command, [
        str(handed_in), "-a", "linear", "-o", str(out), "--sandbox", profile])
    assert done.exit_code == 0, done.output
    rows = {r["submission"]: r for r in csv.DictReader(
        (out / "grades.csv").read_text("utf-8-sig").splitlines())}
    assert (rows["honest"]["status"], rows["honest"]["final"]) == ("full", "10")
    assert (rows["forged"]["status"], rows["forged"]["final"]) == ("unjudged", "")
    assert "forged.py" in (out / "needs-review.csv").read_text("utf-8-sig")
