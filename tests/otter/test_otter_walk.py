"""docs/otter.md, walked: from a master notebook to results.json, with the real otter all the way.

Then what students hand in to break it, through the same autograder.zip.
"""

import json
import os
import pickle
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest
import yaml
from nbclient import NotebookClient

from autograder.otter import master

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT / "tests" / "corpus" / "linear"
BIN = Path(sys.executable).parent
POINTS = {"runs": 1, "loss-falls": 2, "converges": 3, "own-graph": 3, "fresh-gradients": 1}
pytestmark = pytest.mark.filterwarnings("ignore")


def run(*command, cwd, ok=True, **environment):
    done = subprocess.run([str(part) for part in command], cwd=cwd, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env=os.environ | environment)
    assert not ok or done.returncode == 0, done.stdout[-4000:]
    return done


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """dist/linear."""
    folder = tmp_path_factory.mktemp("build")
    run(BIN / "autograder", "build", "linear", "-o", folder, "--masters", ROOT / "solutions",
        "--torch-index", "https://torch.example/cpu", cwd=folder)
    return folder / "linear"


def otter_run(built, submission, out):
    out.mkdir()
    run(BIN / "otter", "run", "-a", built / "autograder.zip", "-o", out, "--no-logo", submission,
        cwd=out)
    return checked(out / "results.json")


def checked(path):
    """The results, which are whole whatever was handed in."""
    results = json.loads(path.read_text(encoding="utf-8"))
    assert {t["name"]: t["max_score"] for t in results["tests"]} == POINTS
    assert all(t["visibility"] == "visible" and t["output"] for t in results["tests"])
    return results


def score(results):
    return sum(test["score"] for test in results["tests"])


def solved(notebook):
    """The solution's cells in the place of the handout's, as a student would edit them."""
    cells = [cell.source for cell in nbformat.read(ROOT / "solutions" / "linear.ipynb", 4).cells]
    for name in ("make_data", "train"):
        source = next(s for s in cells if f"def {name}(" in s)
        solution = source.split("NO PROMPT\n")[1].split("# END SOLUTION")[0]
        next(c for c in notebook.cells if f"def {name}(" in c.source)["source"] = solution


def said(cell):
    """All that a cell's output shows, in every form it has."""
    texts = []
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        texts += [output.get("text", ""), data.get("text/plain", ""), data.get("text/html", "")]
    return "".join(texts)


def test_the_walk(built, tmp_path):
    assert {p.name for p in (built / "student" / "tests").iterdir()} == {f"{c}.py" for c in POINTS}
    work = tmp_path / "student"
    shutil.copytree(built / "student", work)
    path = work / "linear.ipynb"
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell(
        'from autograder import check\ncheck("linear")'))
    checks = {c: next(cell for cell in notebook.cells if f'grader.check("{c}")' in cell.source)
              for c in POINTS}
    export = next(cell for cell in notebook.cells if "grader.export(" in cell.source)
    client = NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(work)}})
    with client.setup_kernel():
        def run_all(*left_out):
            for number, cell in enumerate(notebook.cells):
                if cell.cell_type == "code" and cell not in left_out:
                    client.execute_cell(cell, number)

        run_all(export)
        everything = notebook.cells[-1]
        assert "4 / 10" in said(everything) and "graph-reuse" in said(everything)
        failed = said(checks["own-graph"])
        assert "error[graph-reuse]" in failed and "cell 3:6" in failed
        assert "'every step builds its own graph and lets go of it')" in failed
        assert "X @ w" in failed and "requires_grad=True" not in failed.split("NotYet")[0]
        assert "passed!" in said(checks["runs"])

        solved(notebook)
        nbformat.write(notebook, path)  # saved, as the export asks for
        run_all()
    assert all("passed!" in said(cell) for cell in checks.values())
    assert "10 / 10" in said(notebook.cells[-1])
    assert "own-graph results: All test cases passed!" in said(export)

    (exported,) = work.glob("*.zip")
    results = otter_run(built, exported, tmp_path / "out")
    assert score(results) == 10 and "10 / 10" in results["output"]
    assert "nothing to mend" in results["output"]


SHADOW = "import pathlib; open({canary!r}, 'w').write('ran')\n"


class Bomb:
    """Its unpickling is the attack."""

    def __init__(self, canary):
        self.canary = canary

    def __reduce__(self):
        return os.system, (f"touch {self.canary}",)


def test_a_hostile_zip_runs_nothing_in_otter_and_gets_its_results(built, tmp_path):
    canary = str(tmp_path / "canary")
    notebook = nbformat.v4.new_notebook(metadata={"kernelspec": {
        "name": "no-such-kernel", "display_name": "-"}})
    notebook.cells = [nbformat.v4.new_code_cell(source) for source in (
        "import sys, os\nsys.exit(0)",
        "def make_data(seed):\n    os._exit(0)",
        "def train(X, Y, *, steps=1, lr=1, seed=0):\n    os._exit(0)",
    )]
    handed_in = tmp_path / "attack.zip"
    with zipfile.ZipFile(handed_in, "w") as archive:
        archive.writestr("linear.ipynb", nbformat.writes(notebook))
        shadow = SHADOW.format(canary=canary)
        for name in ("ipykernel_launcher.py", "ipykernel/__init__.py", "otter/__init__.py",
                     "autograder/__init__.py", "torch.py", "dill.py", "tests/own-graph.py",
                     "files/own-graph.py", "sitecustomize.py", "matplotlib/__init__.py"):
            archive.writestr(name, shadow)
        archive.writestr(".OTTER_LOG", pickle.dumps(Bomb(canary)))
    results = otter_run(built, handed_in, tmp_path / "out")
    assert not Path(canary).exists()
    assert score(results) == 0 and "error[killed]" in results["output"]


@pytest.fixture
def container(built, tmp_path):
    """The folders that Gradescope makes, in the order in which it makes them."""
    base = tmp_path / "autograder"
    for name in ("source", "submission", "results"):
        (base / name).mkdir(parents=True)
    with zipfile.ZipFile(built / "autograder.zip") as archive:
        archive.extractall(base / "source")
    shutil.copy(base / "source" / "run_autograder", base)
    (base / "submission_metadata.json").write_text('{"users": []}', encoding="utf-8")
    return base


def grade(container):
    """What its run_autograder does, but for the environment that it activates."""
    lines = (container / "run_autograder").read_text(encoding="utf-8").splitlines()
    command = lines[-1].replace("/autograder", str(container)).split()
    assert command == ["python", f"{container}/source/run_otter.py"]
    run(sys.executable, *command[1:], cwd=container)
    pickled = pickle.loads((container / "results" / "results.pkl").read_bytes())
    results = checked(container / "results" / "results.json")
    assert pickled.total == score(results) and pickled.possible == 10
    return results


def test_in_gradescopes_folders_a_script_gets_points_rows_and_the_cause(container):
    shutil.copy(CORPUS / "w02_retain_graph_silences.py", container / "submission")
    results = grade(container)
    assert {t["name"]: t["score"] for t in results["tests"]} == POINTS | {"own-graph": 0}
    row = next(t for t in results["tests"] if t["name"] == "own-graph")
    assert "error[graph-reuse]" in row["output"]
    assert "--> w02_retain_graph_silences.py:" in row["output"]


def test_in_gradescopes_folders_a_damaged_notebook_gets_its_results(container):
    shutil.copy(CORPUS / "xw48_truncated.ipynb", container / "submission")
    assert "error[unreadable]" in grade(container)["output"]


STUB = """#!/bin/bash
echo "$(basename "$0") $*" >> {log}
case "$(basename "$0") $4" in
    "mamba pip") shift 4; {python} -m pip -q "$@" -t {target} ;;
    jq*) exit 1 ;;
    wget*) printf '#!/bin/bash\\n' > "${{@: -1}}" ;;
esac
"""


def test_otter_grades_dockerfile_finds_and_installs_the_wheel(built, tmp_path):
    """The image as Docker would build it: only what it has copied when it runs setup.sh."""
    import otter

    dockerfile = Path(otter.__file__).parent / "grade" / "Dockerfile"
    before, after = dockerfile.read_text(encoding="utf-8").split("RUN dos2unix", 1)
    copied = [line.split()[1:-1] for line in before.splitlines() if line.startswith("ADD")]
    assert "RUN touch /autograder/submission_metadata.json" in after
    unpacked, base, stubs, target = (tmp_path / n for n in ("zip", "autograder", "bin", "site"))
    for folder in (unpacked, base / "source", stubs):
        folder.mkdir(parents=True)
    with zipfile.ZipFile(built / "autograder.zip") as archive:
        archive.extractall(unpacked)
    for pattern in (pattern for line in copied for pattern in line):
        for path in unpacked.glob(pattern):
            shutil.copy(path, base / "source")
    for name in ("apt-get", "wget", "mamba", "jq", "dpkg"):
        text = STUB.format(log=tmp_path / "log", python=sys.executable, target=target)
        (stubs / name).write_text(text, encoding="utf-8")
        (stubs / name).chmod(0o755)
    (base / "source" / "otter_config.json").write_text("{}", encoding="utf-8")
    setup = base / "source" / "setup.sh"
    setup.write_text(setup.read_text(encoding="utf-8").replace("/autograder", str(base)),
                     encoding="utf-8")
    run("bash", setup, cwd=base, PATH=f"{stubs}:{os.environ['PATH']}", HOME=str(tmp_path))
    (base / "submission_metadata.json").touch()
    assert json.loads((base / "submission_metadata.json").read_text(encoding="utf-8")) == {}
    assert (target / "autograder" / "otter" / "plugin.py").is_file()
    assert (target / "autograder" / "grading.yml").is_file()
    assert (target / "autograder" / "messages" / "en.yml").is_file()


def test_the_zip_is_pinned_and_has_nothing_that_could_be_shadowed(built):
    with zipfile.ZipFile(built / "autograder.zip") as archive:
        names = archive.namelist()
        environment = yaml.safe_load(archive.read("environment.yml"))
        config = json.loads(archive.read("otter_config.json"))
    assert not [name for name in names if name.startswith("files/")]
    assert sum(name.startswith("requirements.") and name.endswith(".whl") for name in names) == 1
    pip = environment["dependencies"][-1]["pip"]
    assert "--extra-index-url https://torch.example/cpu" in pip
    assert any(line.startswith("torch==") and line.endswith("+cpu") for line in pip)
    assert all("==" in line for line in pip if not line.startswith("--"))
    assert "assignment_name" not in config
    assert config["plugins"][0]["autograder.otter.plugin.Plugin"]["assignment"] == "linear"


def test_the_student_gets_no_grading_file_and_no_answer(built):
    text = "".join(path.read_text(encoding="utf-8")
                   for path in (built / "student").rglob("*") if path.is_file())
    assert "excess" not in text and "20261130" not in text
    original = master.read(ROOT / "solutions" / "linear.ipynb")
    from autograder.otter.build import secrets

    lines = {line.strip() for line in text.splitlines()}
    assert not secrets(original) & lines
