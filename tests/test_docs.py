"""Every command in the docs is run, and what is generated is up to date."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

import jsonschema
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))
import grading_reference

ROOT = Path(__file__).parents[1]
PAGES = ["README.md", "docs/students.md", "docs/instructors.md", "docs/adding-an-exercise.md",
         "docs/architecture.md", "docs/otter.md", "docs/clusters.md"]
BLOCK = re.compile(r"^```console ?(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def commands(page):
    """(command, what is expected of it) in order."""
    for mode, body in BLOCK.findall((ROOT / page).read_text("utf-8")):
        for line in body.split("\n"):
            if line.startswith("$ "):
                yield line[2:].split(" # ")[0].strip(), mode


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder as a reader of the docs would have it: a checkout, and some files beside it."""
    here = tmp_path_factory.mktemp("docs")
    for name in ("solutions", "examples", "assignments"):
        shutil.copytree(ROOT / name, here / name, ignore=shutil.ignore_patterns("build", "*.egg*"))
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, here)
    shutil.copy(ROOT / "assignments/linear/linear.ipynb", here)
    shutil.copy(ROOT / "tests/trace/w04_running_loss.py", here / "my_training.py")
    (here / "submissions").mkdir()
    corpus = ROOT / "tests/corpus/linear"
    shutil.copy(corpus / "r02_no_grad_inplace.py", here / "submissions/ada.py")
    shutil.copy(corpus / "w12_leaf_inplace.py", here / "submissions/emmy.py")
    grading = (ROOT / "grading.yml").read_text("utf-8")
    (here / "my_grading.yml").write_text(grading, "utf-8")
    (here / "broken_grading.yml").write_text(grading.replace("hints:", "hint:"), "utf-8")
    return here


def run(command, place, mode):
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(place / "installed"),
                   "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    if command.startswith("make "):
        command = command.replace("make ", "make -n ")  # they are what runs this test
    if command.startswith("pip install ./"):
        command += " -q --no-deps --no-build-isolation --target installed"
    with subprocess.Popen(command.split(), cwd=place, env=environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        timer = threading.Timer(100, process.kill)
        timer.start()
        output = ""
        for line in process.stdout:
            output += line
            if mode == "watch" and "watching" in line:
                process.send_signal(signal.SIGINT)
        timer.cancel()
    return process.returncode, output


@pytest.mark.parametrize("page", PAGES)
def test_every_command_of_a_page_runs(page, place):
    found = list(commands(page))
    assert found
    for command, mode in found:
        code, output = run(command, place, mode)
        assert "Traceback" not in output, output
        if mode == "watch":
            assert "watching linear.ipynb" in output
        elif mode == "fails":
            assert code == 2, output
            assert "did you mean hints?" in output
        else:
            allowed = (0, 1) if re.match(r"autograder (check|trace)", command) else (0,)
            assert code in allowed, f"{command}: {code}\n{output}"


def reports(place):
    """What the batches of the docs gave, by name; the pages come before this."""
    found = {p.parent.name: json.loads(p.read_text("utf-8"))
             for p in (place / "out/students").glob("*/report.json")}
    return found or pytest.skip("the commands of the pages have not run")


def test_what_the_docs_say_of_the_fourth_exercise_is_so(place):
    results = {name: (r["score"], [d["code"] for d in r["diagnoses"]])
               for name, r in reports(place).items() if r["assignment"] == "rnn"}
    assert results == {"rnn_handout": (0, ["graph-reuse"]), "rnn_retained": (0, ["graph-reuse"]),
                       "rnn_repaired": (6, [])}


def test_the_fourth_exercise_is_short():
    lines = (ROOT / "examples/rnn_exercise/rnn_exercise.py").read_text("utf-8").split("\n")
    assert len(lines) < 150


def test_the_reference_of_grading_yml_is_up_to_date():
    page = (ROOT / "docs/instructors.md").read_text("utf-8")
    assert grading_reference.reference() in page, "run python tools/grading_reference.py"


def test_every_link_of_the_docs_leads_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)", (ROOT / page).read_text("utf-8")):
            if "://" not in target:
                assert ((ROOT / page).parent / target).exists(), (page, target)


def test_reports_and_traces_follow_the_schema(place):
    schema = json.loads((ROOT / "docs/report.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    for report in reports(place).values():
        jsonschema.validate(report, schema)
    _, output = run("autograder trace my_training.py --passes 12 --json", place, "")
    jsonschema.validate(json.loads(output), schema)
