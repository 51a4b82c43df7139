"""Submissions of the same text: worth a look, never a verdict. And an export for Dolos.

Two submissions are alike when they agree token by token after comments, layout and docstrings are
taken off and names are numbered in the order in which they first occur. Small programs agree by
chance: the larger a group, the less it says.
"""

from __future__ import annotations

import csv
import hashlib
import io
import keyword
import re
import tokenize
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from autograder.submission import Submission

_LAYOUT = frozenset({
    tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.COMMENT,
    tokenize.ENCODING, tokenize.ENDMARKER,
})
_BLOCKS = frozenset({tokenize.INDENT, tokenize.DEDENT})


@dataclass(frozen=True)
class Group:
    """Submissions of the same text; `to_the_letter` where names and comments agree as well."""

    names: tuple[str, ...]
    to_the_letter: bool


def groups(submissions: Mapping[str, Submission],
           templates: Iterable[Submission] = ()) -> list[Group]:
    """Groups of two or more, the smallest first; those who handed in a template unchanged aside."""
    given = {fingerprint(t) for t in templates}
    found: dict[str, list[str]] = {}
    for name, submission in submissions.items():
        found.setdefault(fingerprint(submission), []).append(name)
    return sorted(
        (Group(tuple(sorted(names)), len({letters(submissions[n]) for n in names}) == 1)
         for print_, names in found.items() if len(names) > 1 and print_ not in given),
        key=lambda group: (len(group.names), group.names))


def fingerprint(submission: Submission) -> str:
    """The same for programs that differ in names, comments and layout alone."""
    text = "\n".join(" ".join(_normal(cell.source)) for cell in submission.cells)
    return hashlib.sha256(text.encode()).hexdigest()


def letters(submission: Submission) -> str:
    """The same for programs that differ in white space alone."""
    return hashlib.sha256(re.sub(r"\s+", "", submission.source).encode()).hexdigest()


def _normal(source: str) -> list[str]:
    """Tokens; a source that is no Python as its words."""
    numbers: dict[str, str] = {}
    words: list[str] = []
    try:
        before = tokenize.NEWLINE
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type in _BLOCKS:
                words.append("{" if token.type == tokenize.INDENT else "}")
            elif token.type == tokenize.STRING and before in _LAYOUT:
                continue  # a docstring
            elif token.type == tokenize.NAME and not keyword.iskeyword(token.string):
                words.append(numbers.setdefault(token.string, f"n{len(numbers)}"))
            elif token.type not in _LAYOUT:
                words.append(token.string)
            before = token.type
    except (tokenize.TokenError, SyntaxError, ValueError):
        return source.split()
    return words


def dolos(submissions: Mapping[str, Submission], *, labels: Mapping[str, str] | None = None,
          full_names: Mapping[str, str] | None = None,
          template: Submission | None = None) -> dict[str, str]:
    """File name → text, in the layout that Dolos reads: the programs and info.csv beside them.

    Args:
        labels: what Dolos colours by, such as the assignment or the score.
        template: the handout; Dolos leaves its text out with `--ignore template.py`.
    """
    files: dict[str, str] = {}
    table = io.StringIO()
    writer = csv.writer(table)
    writer.writerow(["filename", "label", "full_name"])
    for name, submission in submissions.items():
        filename = _free(re.sub(r"[^\w.-]", "_", name) or "submission", files)
        files[filename] = submission.source + "\n"
        writer.writerow([filename, (labels or {}).get(name, ""),
                         (full_names or {}).get(name, name)])
    if template is not None:
        files["template.py"] = template.source + "\n"
    files["info.csv"] = table.getvalue()
    return files


def _free(stem: str, taken: Mapping[str, str]) -> str:
    name, number = f"{stem}.py", 1
    while name in taken or name == "template.py":
        number += 1
        name = f"{stem}-{number}.py"
    return name
