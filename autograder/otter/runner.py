"""Runs otter in a grading container, and sees to it that there are results whatever happens.

Otter gives up without results before it has loaded any plugin where a notebook is damaged, where
there are several, or none. This is what the autograder.zip's run_otter.py calls.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from autograder.otter.plugin import filled
from autograder.otter.sheet import PLUGIN, Marker, Sheet

SUFFIXES = (".ipynb", ".py", ".zip")
"""Of what may be a submission; a folder's notebook goes before its scripts, these before a zip."""


def main(folder: str) -> None:
    """Grade `folder`/submission into `folder`/results: results.json and otter's results.pkl."""
    from otter.run.run_autograder import (  # type: ignore[import-untyped]
        main as run_autograder,
    )

    base = Path(folder)
    try:
        run_autograder(folder)
    except (Exception, SystemExit) as error:
        print(f"otter stopped with {type(error).__name__}: {error}", file=sys.stderr)
    config = json.loads((base / "source" / "otter_config.json").read_text(encoding="utf-8"))
    marker = Marker(**settings(config))
    if not _whole(base / "results" / "results.json"):
        write(base / "results", fallback(base / "submission", marker), config)


def settings(config: dict[str, Any]) -> dict[str, str]:
    """Our plugin's settings in an otter_config.json."""
    return next(dict(p[PLUGIN]) for p in config["plugins"]
                if isinstance(p, dict) and PLUGIN in p)


def fallback(submission: Path, marker: Marker) -> Sheet:
    """Grade what otter would not: the one file there is, else a sheet that says why not."""
    files = sorted(_candidates(submission))
    for suffix in SUFFIXES:
        found = [path for path in files if path.suffix.lower() == suffix]
        if len(found) == 1:
            return marker.file(found[0])
        if found:
            names = ", ".join(path.name for path in found[:4])
            return marker.nothing(found[0].name, f"there is more than one {suffix} file ({names}): "
                                                 "hand in only the one to be graded.")
    return marker.nothing("submission", "there is no notebook, no script and no zip: "
                                        "hand in your notebook (.ipynb).")


def _candidates(folder: Path) -> Iterator[Path]:
    for path in folder.rglob("*"):
        *folders, name = path.relative_to(folder).parts
        ours = name == "__init__.py" or {"tests", "__MACOSX", "__pycache__"} & set(folders)
        hidden = any(part.startswith(".") for part in (*folders, name))
        checkpoint = name.lower().endswith("-checkpoint.ipynb")
        if path.is_file() and not path.is_symlink() and not (ours or hidden or checkpoint):
            yield path


def write(results: Path, sheet: Sheet, config: dict[str, Any]) -> None:
    """Write a sheet as otter writes its results."""
    import dill  # type: ignore[import-untyped]
    from otter.run import AutograderConfig  # type: ignore[import-untyped]

    made = filled(sheet)
    results.mkdir(parents=True, exist_ok=True)
    plain = made.to_gradescope_dict(AutograderConfig(config))
    (results / "results.json").write_text(json.dumps(plain, indent=4), encoding="utf-8")
    (results / "results.pkl").write_bytes(dill.dumps(made))


def _whole(path: Path) -> bool:
    """Whether otter has come as far as writing rows with points."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        tests = json.loads(path.read_text(encoding="utf-8"))["tests"]
        return any("max_score" in test for test in tests)
    return False
