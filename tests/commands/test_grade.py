"""`autograder grade`: what it refuses, and where it runs."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from click.testing import CliRunner

from autograder.commands.grade import command
from autograder.sandbox.choice import Refused, sandbox

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a CUDA device")
@pytest.mark.parametrize("options", [("--device", "cuda"), ("--device", "abacus"),
                                     ("--scheduler", "tcp://127.0.0.1:1")])
def test_a_usage_error_says_so_before_anything_is_written(tmp_path: Path,
                                                          options: tuple[str, ...]) -> None:
    out = tmp_path / "out"
    done = CliRunner().invoke(command, [str(ROOT / "solutions"), "-o", str(out), *options])
    assert done.exit_code == 2
    assert options[0] in done.output or options[1] in done.output
    assert not out.exists()


def test_on_another_device_there_is_no_sandbox_and_a_loud_warning() -> None:
    with sandbox(device="mps") as chosen:
        assert chosen.name == "process"
        assert "mps" in chosen.warning
    with pytest.raises(Refused), sandbox(required=True, device="mps"):
        pass
