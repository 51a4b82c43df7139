"""Write the reference of grading.yml into docs/instructors.md, from the model and from the file.

    python tools/grading_reference.py            write it
    python tools/grading_reference.py --check    exit 1 where it is out of date
"""

import re
import sys
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel

from autograder.grading import Grading
from autograder.lateness import Late
from autograder.settings import Limits, LqrSettings, TrainerSettings

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "instructors.md"
BEGIN, END = "<!-- grading.yml: begin (tools/grading_reference.py) -->", "<!-- grading.yml: end -->"
BOUNDS = {"minimum": "≥ {}", "exclusiveMinimum": "> {}", "maximum": "≤ {}",
          "exclusiveMaximum": "< {}"}
WORDS = {"points": "points of each check, by its id", "schema": "of this file's layout",
         "judged_later": "checks whose result students learn after handing in alone"}


def comments(text: str) -> dict[str, str]:
    """Key → the comment behind it, or above it; the first one of a key counts."""
    found: dict[str, str] = {}
    above: list[str] = []
    for line in text.split("\n"):
        match = re.match(r"\s*([\w-]+):[^#]*(?:#\s*(.*))?$", line)
        if match:
            found[match[1]] = found.get(match[1]) or match[2] or " ".join(above)
        above = [*above, line.strip("# ")] if line.startswith("#") else []
    return found


def kind(field: dict[str, Any]) -> str:
    """What may stand there, in a few words."""
    if "enum" in field:
        return " \\| ".join(f"`{v}`" for v in field["enum"])
    if "$ref" in field or field.get("type") == "object":
        return "keys"
    inside = field.get("items") or next(iter(field.get("prefixItems", [])), None)
    if inside is not None:
        count = f"{field['maxItems']} × " if "maxItems" in field else "list of "
        return count + kind(inside)
    names = {"integer": "whole number", "number": "number"}
    bounds = [text.format(f"{field[key]:,}".removesuffix(".0"))
              for key, text in BOUNDS.items() if key in field]
    return ", ".join([names.get(field.get("type", ""), "text"), *bounds])


def table(model: type[BaseModel], values: dict[str, Any], said: dict[str, str]) -> str:
    fields = model.model_json_schema(by_alias=True)["properties"]
    lines = ["| key | what it is | may be | as shipped |", "|---|---|---|---|"]
    for key, field in fields.items():
        if key in ("digest", "limits", "late", "assignments"):
            continue
        value = values.get(key, field.get("default"))
        shown = value
        if isinstance(value, dict):
            shown = ", ".join(f"{k} {v}" for k, v in value.items())
        words = WORDS.get(key) or said.get(key, "")
        lines.append(f"| `{key}` | {words} | {kind(field)} | {shown} |")
    return "\n".join(lines)


def reference() -> str:
    text = (ROOT / "grading.yml").read_text(encoding="utf-8")
    plain, said = yaml.safe_load(text), comments(text)
    assignments = plain["assignments"]
    parts = [
        ("At the top", Grading, plain), ("`limits`", Limits, plain["limits"]),
        ("`late`", Late, plain["late"]),
        ("`assignments.linear`", TrainerSettings, assignments["linear"]),
        ("`assignments.conv`", TrainerSettings, assignments["conv"]),
        ("`assignments.lqr`", LqrSettings, assignments["lqr"]),
    ]
    return "\n\n".join(f"**{name}**\n\n{table(model, values, said)}"
                       for name, model, values in parts)


def main() -> int:
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN)
    made = f"{before}{BEGIN}\n\n{reference()}\n\n{END}{rest.split(END)[1]}"
    if "--check" in sys.argv[1:]:
        return int(made != page)
    PAGE.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
