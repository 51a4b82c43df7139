"""One engine behind every door: the same score and the same first diagnosis, whichever one it is.

`check` and `grade` call `grade_file`, with one kind of process or another; the plugin does so from
within `otter run`; in a notebook the functions that stand in the kernel are called.
"""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from autograder.engine import grade_file
from autograder.grading import load
from autograder.messages import Messages
from autograder.otter.sheet import PLUGIN
from autograder.sandbox.choice import sandbox

HERE = Path(__file__).parent
CORPUS = HERE.parent / "corpus"
# Of every assignment right and wrong ones, scripts and notebooks; none that ends its kernel.
SAMPLE = {
    "linear": [
        "r01_optim_sgd_sum.py", "r02_no_grad_inplace.py", "r06_torch_func.py", "r22_float64.py",
        "w01_labels_carry_graph.py", "w02_retain_graph_silences.py",
        "w04_zero_grad_outside_loop.py", "w06_bias_forgotten.py", "w12_leaf_inplace.py",
        "w22_total_loss_graph.py", "w46_no_step.py", "xw27_losses_first.py",
        "xr18_notebook_magics.ipynb", "xw46_notebook_retain_graph.ipynb",
        "xw47_notebook_cell_fails.ipynb",
    ],
    "conv": [
        "r01_seed_style.py", "r02_sgd.py", "xr12_notebook.ipynb", "w01_no_zero_grad.py",
        "w04_wrong_sign.py", "w05_kernel_in_label_graph.py", "w15_true_convolution.py",
        "w17_outputs_kept.py", "xw11_no_corr2d.py", "xw22_notebook_zero_once.ipynb",
    ],
    "lqr": [
        "r01_autograd_grad.py", "w01_original_backward.py", "w04_published_fix.py",
        "w05_create_graph_leak.py", "w15_leaf_inplace.py", "xw18_other_class_name.py",
        "xw19_step_returns_nothing.py", "xw26_notebook_truncated_tilde.ipynb",
    ],
}
CASES = [(name, CORPUS / name / file) for name, files in SAMPLE.items() for file in files]
UNDER_OTTER = ("xw22_notebook_zero_once.ipynb", "w05_create_graph_leak.py")


def verdict(report):
    """What must be the same: points by check, and the first diagnosis with its line."""
    points = {check["id"]: (check["status"], check["score"]) for check in report["checks"]}
    first = report["diagnoses"][0] if report["diagnoses"] else {"code": None, "where": None}
    where = first["where"] or {}
    return report["score"], points, first["code"], where.get("line"), where.get("text")


@pytest.fixture(scope="module")
def engine():
    """The reports of `check` and `grade`, while the notebooks of the other fixture run."""
    arguments = [f"{name}={path}" for name, path in CASES]
    desk = subprocess.Popen(
        [sys.executable, str(HERE / "desk.py"), *arguments], text=True, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, env=os.environ | {"OMP_NUM_THREADS": "1"})
    grading, messages = load(), Messages()
    reports = {}
    with sandbox() as chosen:
        for name, path in CASES:
            graded = grade_file(path, grading, messages, assignment=name, run=chosen.witness)
            reports[path] = json.loads(json.dumps(graded.report.to_plain()))
    return reports, desk


@pytest.fixture(scope="module")
def in_notebook(engine):
    """The reports of `check(…)` in a shell, by file."""
    out, _ = engine[1].communicate(timeout=600)
    lines = [json.loads(line) for line in out.splitlines() if line.startswith('{"file"')]
    return {Path(line["file"]): line["report"] for line in lines}


def test_the_sample_is_large_and_mixed(engine):
    reports = engine[0]
    assert len(CASES) >= 30
    for name in SAMPLE:
        full = [r["score"] == r["max_score"] for (n, p), r in zip(CASES, reports.values())
                if n == name]
        assert any(full) and not all(full)


@pytest.mark.parametrize(("name", "path"), CASES, ids=lambda value: getattr(value, "stem", value))
def test_a_notebook_says_what_the_engine_says(engine, in_notebook, name, path):
    assert verdict(in_notebook[path]) == verdict(engine[0][path])


@pytest.mark.parametrize("file", UNDER_OTTER)
def test_otter_run_says_what_the_engine_says(engine, tmp_path, file):
    name, path = next(case for case in CASES if case[1].name == file)
    with zipfile.ZipFile(tmp_path / "autograder.zip", "w") as archive:
        archive.writestr("tests/none.py", "")
        archive.writestr("otter_config.json", json.dumps({
            "plugins": [{PLUGIN: {"assignment": name}}], "show_hidden": True}))
    otter = Path(sys.executable).parent / "otter"
    subprocess.run([str(otter), "run", "-a", "autograder.zip", "-o", ".", "--no-logo", str(path)],
                   cwd=tmp_path, check=True, capture_output=True)
    results = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    report = engine[0][path]
    rows = {t["name"]: t["score"] for t in results["tests"] if "max_score" in t}
    assert rows == {check["id"]: check["score"] for check in report["checks"]}
    assert f"first thing to mend: {report['diagnoses'][0]['code']}" in results["output"]
