"""The autograder.zip: otter's own, with our wheel in it and installed by its setup.sh.

One zip for Gradescope, `otter run` and `otter grade`. The last builds an image for which it copies,
before it runs setup.sh, nothing but setup.sh, environment.yml and what is called `requirements.*`:
so that is what the wheel is called. Nothing goes into files/, for a folder of the student's with
the same name would take its place.
"""

from __future__ import annotations

import importlib.metadata
import json
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile

PROJECT = "autograd-autograder"
SOURCE = Path(__file__).parents[2]
PREFIX = "requirements."

RUN = '''\
"""Grades a submission: otter, with autograder as its plugin."""

from pathlib import Path

from autograder.otter.runner import main

if __name__ == "__main__":
    main(str(Path(__file__).resolve().parents[1]))
'''

SETUP = """
# Install autograder. No dependencies: environment.yml has them, pinned.
for wheel in {folder}/source/requirements.*.whl; do
    named=/tmp/$(basename "$wheel" | sed 's/^requirements\\.//')
    cp "$wheel" "$named"
    mamba run -n otter-env pip install --no-deps "$named"
done

# The Dockerfile of `otter grade` leaves this file empty, which stops every plugin.
test -s {folder}/submission_metadata.json || echo '{{}}' > {folder}/submission_metadata.json
"""


class NoWheel(Exception):
    """There is nothing that a wheel could be made of."""


@dataclass(frozen=True)
class Shipping:
    """What goes with the tests: `wheel` is built where none is given.

    `torch_index` is the address of a package index with CPU builds of torch; without one, pip takes
    what its ordinary index has, which for Linux is a CUDA build of several gigabytes.
    """

    torch_index: str = ""
    wheel: Path | None = None
    folder: str = "/autograder"

    def requirements(self) -> list[str]:
        """Our dependencies at the versions this machine has, for pip's part of environment.yml."""
        names = [re.split(r"[ ;<>=!~\[]", line)[0] for line in
                 importlib.metadata.requires(PROJECT) or () if "extra ==" not in line]
        # Otter pins itself.
        pins = [f"{name}=={self._version(name)}" for name in names if name != "otter-grader"]
        return [*([f"--extra-index-url {self.torch_index}"] if self.torch_index else []), *pins]

    def _version(self, name: str) -> str:
        version = importlib.metadata.version(name)
        if name != "torch":
            return version
        return version.split("+")[0] + ("+cpu" if self.torch_index else "")

    def pack(self, made: Path, target: Path) -> None:
        """Write otter's zip `made` to `target`, with our wheel, set-up and run script."""
        with TemporaryDirectory() as scratch, ZipFile(made) as old, \
                ZipFile(target, "w", ZIP_DEFLATED) as new:
            for name in old.namelist():
                data = old.read(name)
                if name == "setup.sh":
                    data += SETUP.format(folder=self.folder).encode()
                elif name == "run_otter.py":
                    data = RUN.encode()
                elif name == "otter_config.json":
                    config = json.loads(data)
                    # Else otter refuses a notebook that lacks the name, without results.
                    config.pop("assignment_name", None)
                    data = json.dumps(config, indent=2).encode()
                new.writestr(name, data)
            wheel = self.wheel or build_wheel(Path(scratch))
            new.write(wheel, PREFIX + wheel.name)


def build_wheel(scratch: Path) -> Path:
    """Our wheel, made of a clean copy of the source: a build folder may hold deleted modules."""
    if not (SOURCE / "pyproject.toml").is_file():
        raise NoWheel("autograder was not installed from its source here: "
                      "give its wheel with --wheel FILE.")
    copy = scratch / "source"
    copy.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        if (SOURCE / name).is_file():
            shutil.copy(SOURCE / name, copy)
    shutil.copytree(SOURCE / "autograder", copy / "autograder",
                    ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation",
               "-w", str(scratch), str(copy)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise NoWheel(f"pip wheel failed:\n{done.stdout[-2000:]}")
    (wheel,) = scratch.glob("*.whl")
    return wheel
