"""The words of diagnoses, apart from the logic: one YAML file a language."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from autograder.report import Diagnosis

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Words:
    """What a diagnosis says: what was seen, why it matters, and a question to think about."""

    message: str
    why: str = ""
    ask: str = ""


class Messages:
    """The catalogue of one language."""

    def __init__(self, language: str = "en") -> None:
        self.language = language
        self._catalogue = _load(language)

    def of(self, diagnosis: Diagnosis) -> Words:
        """The words for a diagnosis, its variant's message where there is one."""
        entry = self._catalogue["codes"][diagnosis.code]
        template = entry.get("variants", {}).get(diagnosis.variant) or entry["message"]
        data = _Blanks(diagnosis.data)
        return Words(template.format_map(data).strip(), entry.get("why", "").strip(),
                     entry.get("ask", "").strip())

    def note(self, key: str) -> str:
        """A label for a related line."""
        return str(self._catalogue["notes"].get(key, key))

    @property
    def codes(self) -> list[str]:
        """All codes that have words."""
        return list(self._catalogue["codes"])


class _Blanks(dict[str, Any]):
    """Leaves a blank that the diagnosis does not fill empty rather than failing a report."""

    def __missing__(self, key: str) -> str:
        return "…"


@cache
def _load(language: str) -> dict[str, Any]:
    path = FOLDER / f"{language}.yml"
    return dict(yaml.safe_load(path.read_text(encoding="utf-8")))
