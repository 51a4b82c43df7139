"""Make the handouts in assignments/ from the master notebooks in solutions/.

    python tools/make_assignments.py            write assignments/
    python tools/make_assignments.py --check    exit 1 where assignments/ is out of date

Each master goes through `otter assign`, which also runs the tests on the solution and stops if it
fails one. A handout depends on its master alone: the random ids that otter gives to its own cells
are replaced by numbers.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parents[1]
MASTERS = ROOT / "solutions"
ASSIGNMENTS = ROOT / "assignments"


def assign(master: Path, out: Path) -> Path:
    """Run otter assign on a master; return the folder of what a student gets."""
    command = [sys.executable, "-m", "otter", "assign", str(master), str(out)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"otter assign {master.name} failed:\n{done.stdout}")
    student = out / "student"
    number_cells(student / master.name)
    return student


def number_cells(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    for number, cell in enumerate(notebook.cells):
        cell["id"] = f"cell-{number:02d}"
    nbformat.write(notebook, path)


def contents(folder: Path) -> dict[Path, bytes]:
    """The files of a folder, by their path inside it; caches and logs are nobody's source."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    kept = [path for path in files if path.suffix in {".ipynb", ".py"}]
    return {path.relative_to(folder): path.read_bytes() for path in kept}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these (default: all)")
    parser.add_argument("--check", action="store_true", help="compare, and change nothing")
    arguments = parser.parse_args()

    names = arguments.names or sorted(master.stem for master in MASTERS.glob("*.ipynb"))
    stale = []
    for name in names:
        with tempfile.TemporaryDirectory() as out:
            student = assign(MASTERS / f"{name}.ipynb", Path(out))
            target = ASSIGNMENTS / name
            if not arguments.check:
                shutil.rmtree(target, ignore_errors=True)
                shutil.copytree(student, target)
                print(f"{name}: made")
            elif contents(student) != contents(target):
                stale.append(name)
                print(f"{name}: out of date (run python tools/make_assignments.py {name})")
            else:
                print(f"{name}: up to date")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
