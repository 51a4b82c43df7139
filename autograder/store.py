"""A batch's folder: every file written whole or not at all, and what is done known again.

`students/<name>/evidence.json` is written last and begins with its key: where it is there with
the key of today, and the page that is wanted too, the submission is done.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from autograder.engines.work import Outcome, Terms
from autograder.reports.student import PAGE
from autograder.submission import Submission

_KEY = re.compile(rb'\{"key": "([0-9a-f]{64})"')
_EVIDENCE = ', "evidence": '
"""In no text of JSON, where quotes are escaped."""


def key(sha256: str, filename: str, terms: Terms) -> str:
    """Changes with everything that a result depends on; `sha256` is the file's."""
    parts = [sha256, filename, terms.grading.digest, str(terms.seed),
             terms.assignment or "", terms.language, terms.device, grader()]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


@cache
def grader() -> str:
    """This grader's version."""
    return version("autograd-autograder")


class Store:
    """One output folder."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self._students = out / "students"
        self._students.mkdir(parents=True, exist_ok=True)

    def folder(self, name: str) -> Path:
        """Of one submission."""
        return self._students / name

    def done(self, name: str, wanted: str, *, html: bool = False) -> dict[str, Any] | None:
        """The report of a submission that was graded with this key, else None."""
        folder = self.folder(name)
        if html and not (folder / PAGE).exists():
            return None
        with contextlib.suppress(OSError, ValueError):
            with (folder / "evidence.json").open("rb") as file:
                match = _KEY.match(file.read(100))
            if match and match[1].decode() == wanted:
                return self.report(name)
        return None

    def save(self, outcome: Outcome) -> None:
        """Report and log first, the evidence with its key last."""
        if outcome.report is None:
            return
        folder = self.folder(outcome.name)
        folder.mkdir(exist_ok=True)
        write(folder / "report.json", as_json(outcome.report))
        if outcome.log:
            write(folder / "log.txt", outcome.log)
        if PAGE not in outcome.files:
            (folder / PAGE).unlink(missing_ok=True)  # it may be of an earlier version
        for name, text in outcome.files.items():
            write(folder / name, text)
        write(folder / "evidence.json", f'{{"key": "{outcome.key}", {outcome.evidence[1:]}\n')

    def report(self, name: str) -> dict[str, Any]:
        """A stored report; raises OSError or ValueError where there is no whole one."""
        plain: dict[str, Any] = json.loads(
            (self.folder(name) / "report.json").read_text(encoding="utf-8"))
        return plain

    def evidence(self, name: str) -> str:
        """What was stored beside it, the key taken off."""
        text = (self.folder(name) / "evidence.json").read_text(encoding="utf-8")
        return "{" + text.partition(", ")[2]

    def submission(self, name: str) -> Submission | None:
        """The submission that was graded, read off the beginning of its evidence."""
        head = ""
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            with (self.folder(name) / "evidence.json").open(encoding="utf-8") as file:
                while _EVIDENCE not in head and (more := file.read(1 << 16)):
                    head += more
            plain = json.loads(head.partition(_EVIDENCE)[0] + "}")
            return Submission.from_plain(plain["submission"])
        return None


def as_json(plain: Any) -> str:
    """For people to read, too."""
    return json.dumps(plain, ensure_ascii=False, indent=2) + "\n"


def write(path: Path, text: str, *, bom: bool = False) -> None:
    """Replace a file in one step: who reads it sees the old or the new one, never half of it."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    # newline="": the csv module writes its own line ends.
    beside.write_text(text, encoding="utf-8-sig" if bom else "utf-8", newline="")
    beside.replace(path)
