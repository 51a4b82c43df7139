"""The commands as a student types them: words, exit codes, JSON; in processes of their own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

ROOT = Path(__file__).parents[2]
CORPUS = ROOT / "tests" / "corpus"
SCHEMA = json.loads((ROOT / "docs" / "report.schema.json").read_text(encoding="utf-8"))


def run(*arguments: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from autograder.cli import main; main()", *map(str, arguments)],
        capture_output=True, text=True, timeout=120, cwd=cwd, check=False)


def report(*arguments: str | Path) -> tuple[int, dict[str, Any]]:
    done = run("check", *arguments, "--json")
    assert done.stderr == ""
    plain = json.loads(done.stdout)
    jsonschema.validate(plain, SCHEMA)
    return done.returncode, plain


def test_full_marks_exit_0() -> None:
    code, plain = report(ROOT / "solutions" / "linear.ipynb")
    assert (code, plain["score"], plain["diagnoses"]) == (0, 10, [])


def test_points_missing_exit_1_and_say_cause_and_line() -> None:
    code, plain = report(CORPUS / "linear" / "w02_retain_graph_silences.py")
    assert (code, plain["score"]) == (1, 7)
    (diagnosis,) = plain["diagnoses"]
    assert diagnosis["code"] == "graph-reuse"
    assert diagnosis["where"]["line"] == 8
    assert diagnosis["where"]["text"].lstrip().startswith("Y = ")


def test_same_submission_and_seed_same_report() -> None:
    file = CORPUS / "linear" / "w06_bias_forgotten.py"
    one, two, other = (report(file, "--seed", s)[1] for s in ("5", "5", "6"))
    assert one == two
    assert other["score"] == one["score"]


def test_damaged_file_is_a_diagnosis_not_a_traceback(tmp_path: Path) -> None:
    file = tmp_path / "linear.ipynb"
    file.write_text("{ not json", encoding="utf-8")
    code, plain = report(file)
    assert (code, plain["score"], plain["max_score"]) == (1, 0, 10)
    assert plain["diagnoses"][0]["code"] == "unreadable"


def test_endless_loop_ends(tmp_path: Path) -> None:
    grading = (ROOT / "grading.yml").read_text(encoding="utf-8")
    quick = tmp_path / "quick.yml"
    quick.write_text(grading.replace("load: 30 ", "load: 4 "), encoding="utf-8")
    file = tmp_path / "linear.py"
    file.write_text("def train(): ...\nwhile True: pass\n", encoding="utf-8")
    code, plain = report(file, "--grading", quick)
    assert code == 1
    assert plain["diagnoses"][0]["code"] == "timeout"


@pytest.mark.parametrize(("arguments", "said"), [
    (["check", "linaer.py"], "linear.py"),
    (["check", "linear.py", "--device", "cuda"], "cuda"),
    (["check", "linear.py", "--device", "tpu"], "cpu, cuda and mps"),
    (["check", "linear.py", "-a", "liner"], "linear"),
    (["check", "other.py"], "-a linear"),
    (["chekc", "linear.py"], "check"),
    (["trace", "broken.ipynb"], "broken.ipynb"),
    (["grade", "linear.py"], "--out"),
    (["check", "linear.py", "--grading", "bad.yml"], "bad.yml:2"),
])
def test_usage_errors_say_what_to_do(tmp_path: Path, arguments: list[str], said: str) -> None:
    import torch

    if "cuda" in arguments and torch.cuda.is_available():
        pytest.skip("there is a CUDA device")
    (tmp_path / "linear.py").write_text("def train(): ...\n", encoding="utf-8")
    (tmp_path / "other.py").write_text("x = 1\n", encoding="utf-8")
    (tmp_path / "broken.ipynb").write_text("", encoding="utf-8")
    (tmp_path / "bad.yml").write_text("schema: 1\nsed: 5\nassignments: {}\n", encoding="utf-8")
    done = run(*arguments, cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_trace_finds_the_labels_of_the_question() -> None:
    done = run("trace", CORPUS / "linear" / "w56_script_original.py", "--json")
    plain = json.loads(done.stdout)
    jsonschema.validate(plain, SCHEMA)
    assert done.returncode == 1
    assert [(d["code"], d["where"]["line"]) for d in plain["diagnoses"]] == [("graph-reuse", 6)]


def test_trace_of_a_right_script_is_silent() -> None:
    done = run("trace", CORPUS / "linear" / "r25_script_fixed.py", "--json")
    assert (done.returncode, json.loads(done.stdout)["diagnoses"]) == (0, [])


def test_help_needs_no_torch() -> None:
    code = ("import sys; sys.argv = ['autograder', '--help']\n"
            "from autograder.cli import main\n"
            "try:\n    main()\nexcept SystemExit:\n    pass\n"
            "assert 'torch' not in sys.modules and 'numpy' not in sys.modules")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stderr
    assert "trace" in done.stdout
