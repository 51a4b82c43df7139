"""The code cells of a notebook."""

from __future__ import annotations

import json
from typing import Any

from autograder.submission.model import Cell, Unreadable, clean


def cells_of(label: str, text: str) -> tuple[Cell, ...]:
    """The code cells. nbformat 4 keeps them in `cells`, nbformat 2 and 3 in `worksheets`.

    Read straight from the JSON: nbformat's validation refuses much that runs perfectly well
    (missing metadata, doubled ids), and costs a third of a second to import.
    """
    tree = _json(label, text)
    try:
        sheets = tree.get("worksheets", [tree])
        listed = [cell for sheet in sheets for cell in sheet["cells"]]
    except (AttributeError, KeyError, TypeError) as error:
        raise Unreadable(
            f"{label} is no notebook, for it has no list of cells: save or download it anew."
        ) from error
    try:
        sources = [
            "".join(cell["source"] if "source" in cell else cell["input"])
            for cell in listed
            if cell["cell_type"] == "code"
        ]
    except (KeyError, TypeError) as error:
        raise Unreadable(
            f"{label} has a damaged cell: open it in Jupyter, save it, and hand it in again."
        ) from error
    if not any(source.strip() for source in sources):
        raise Unreadable(f"{label} has no code cells: save your work and hand it in again.")
    return tuple(Cell(number, clean(source)) for number, source in enumerate(sources, start=1))


def _json(label: str, text: str) -> Any:
    again = "save or download it anew and hand it in again."
    body = text.rstrip()
    try:
        return json.loads(body)
    except RecursionError as error:
        raise Unreadable(f"{label} is nested too deeply for a notebook: {again}") from error
    except json.JSONDecodeError as error:
        if not body.lstrip().startswith("{"):
            what = "is not a notebook, for it does not begin as JSON"
        elif error.msg != "Extra data" and (error.pos >= len(body) or not body.endswith("}")):
            last = body.count("\n") + 1
            what = f"is cut off at line {last}"
        else:
            what = f"is damaged at line {error.lineno}"
        raise Unreadable(f"{label} {what}: {again}") from error
    except ValueError as error:  # a number of thousands of digits
        raise Unreadable(f"{label} is damaged: {again}") from error
