"""From a master notebook to what students get and what grades them, through `otter assign`."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from autograder.grading import DEFAULT, load
from autograder.otter import master, package
from autograder.otter.sheet import PLUGIN, Marker

KEY = "autograder"
"""Of the handout's metadata: from which master it was made, and what it then said."""
TELLING = 8
"""A line of the solution as short as this gives nothing away."""


class BuildFailed(Exception):
    """An assignment that cannot be built; the message says why."""


@dataclass(frozen=True)
class Build:
    """How assignments are built; `grading` is the course's grading.yml."""

    masters: Path
    out: Path
    grading: Path = DEFAULT
    shipping: package.Shipping = field(default_factory=package.Shipping)

    def assignment(self, name: str) -> Path:
        """Build one; the folder with student/ and autograder.zip."""
        grading = load(self.grading)
        original = master.read(self.masters / f"{name}.ipynb")
        completed = master.complete(original, name, grading)
        with TemporaryDirectory() as scratch:
            made = self._assign(name, completed, Path(scratch))
            student = made / "student"
            for check in master.later(name, grading):
                # Without its hidden test the file is empty, and otter says that it passed.
                (student / "tests" / f"{check}.py").unlink(missing_ok=True)
            _sign(student / f"{name}.ipynb", completed)
            self._inspect(name, original, student)
            target = self.out / name
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(student, target / "student")
            (archive,) = (made / "autograder").glob("*.zip")
            self.shipping.pack(archive, target / "autograder.zip")
        return target

    def _assign(self, name: str, completed: dict[str, Any], scratch: Path) -> Path:
        """Run otter assign, which grades the solution and fails short of full marks."""
        settings = {"assignment": name, "grading": self.grading.read_text(encoding="utf-8")}
        notebook = master.configure(completed, {
            "python_version": f"{sys.version_info.major}.{sys.version_info.minor}",
            "requirements": self.shipping.requirements(),
            "generate": {
                "pdf": False, "show_hidden": True, "show_all_public": True,
                "force_public_test_summary": False, "plugins": [{PLUGIN: settings}],
            },
        })
        path = scratch / f"{name}.ipynb"
        path.write_text(json.dumps(notebook), encoding="utf-8")
        command = [sys.executable, "-m", "otter", "assign", str(path), str(scratch / "made")]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            raise BuildFailed(f"{name}: otter assign failed:\n{done.stdout[-3000:]}")
        return scratch / "made"

    def _inspect(self, name: str, original: dict[str, Any], student: Path) -> None:
        """The handout must hold no answer and must not have full marks."""
        for path, line in leaks(original, student):
            raise BuildFailed(f"{name}: {path} gives a line of the solution away: {line}")
        marker = Marker(name, self.grading.read_text(encoding="utf-8"))
        report = marker.file(student / f"{name}.ipynb").report
        if report is None:
            raise BuildFailed(f"{name}: the handout could not be graded.")
        if report["score"] >= report["max_score"]:
            raise BuildFailed(f"{name}: the handout has full marks before a student touches it.")


def _sign(path: Path, completed: dict[str, Any]) -> None:
    """Make the handout depend on its master alone, and note both digests in it."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    for number, cell in enumerate(notebook["cells"]):
        cell["id"] = f"cell-{number:02d}"  # otter gives its own cells random ones
    notebook["metadata"][KEY] = {
        "master": master.digest(completed), "handout": _digest(notebook, path.parent)}
    text = json.dumps(notebook, indent=1, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")


def stale(name: str, masters: Path, handouts: Path, grading: Path = DEFAULT) -> str:
    """Why a handout is not what `build` would make of its master; empty where it is."""
    path = handouts / name / f"{name}.ipynb"
    try:
        notebook = master.read(path)
    except master.BadMaster as error:
        return str(error)
    signed = notebook["metadata"].get(KEY, {})
    completed = master.complete(
        master.read(masters / f"{name}.ipynb"), name, load(grading))
    if signed.get("master") != master.digest(completed):
        return f"{path} was made of another master, or with other points, than there are now."
    if signed.get("handout") != _digest(notebook, path.parent):
        return f"{path.parent} was changed by hand: change the master and build."
    return ""


def _digest(notebook: dict[str, Any], folder: Path) -> str:
    tests = [{"cell_type": path.name, "source": path.read_text(encoding="utf-8")}
             for path in sorted((folder / "tests").glob("*.py"))]
    return master.digest({"cells": [*notebook["cells"], *tests]})


def leaks(original: dict[str, Any], student: Path) -> Iterator[tuple[Path, str]]:
    """Lines that stand only in the solution, and yet in a file that students get."""
    secret = secrets(original)
    for path in sorted(p for p in student.rglob("*") if p.is_file()):
        text = path.read_bytes().decode("utf-8", "replace")
        if path.suffix == ".ipynb":
            text = "\n".join(cell["source"] for cell in master.read(path)["cells"]) + text
        lines = {line.strip() for line in text.splitlines()}
        yield from ((path, line) for line in sorted(secret)
                    if line in lines or (len(line) > 3 * TELLING and line in text))


def secrets(original: dict[str, Any]) -> set[str]:
    """The lines of the master's solutions that stand nowhere else in it."""
    # Raw cells have markers of the same words, around cells that are not solutions altogether.
    sources = "\n\n".join(c["source"] for c in original["cells"] if c["cell_type"] != "raw")
    pattern = r"# BEGIN SOLUTION( NO PROMPT)?\n(.*?)# END SOLUTION"
    solutions = "\n".join(found[1] for found in re.findall(pattern, sources, re.DOTALL))
    rest = {line.strip() for line in re.sub(pattern, "", sources, flags=re.DOTALL).splitlines()}
    lines = {line.strip() for line in solutions.splitlines()}
    return {line for line in lines - rest if len(line) > TELLING and not line.startswith("#")}
