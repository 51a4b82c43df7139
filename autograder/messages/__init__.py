"""The words of diagnoses, apart from the logic: one YAML file a language, one page a code."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import yaml

from autograder.report import Diagnosis

FOLDER = Path(__file__).parent
LANGUAGES: Mapping[str, str] = MappingProxyType({"en": "English", "zh": "中文"})
HINTS = ("where", "why", "ask")
"""The hint ladder: each rung says what the one before it says, and more."""


@dataclass(frozen=True)
class Words:
    """What a diagnosis says: what was seen, why it matters, and a question to think about."""

    message: str
    why: str = ""
    ask: str = ""
    title: str = ""


class Messages:
    """The catalogue of one language.

    Args:
        hints: how much a student is told: `where`, `why` or `ask`.
    """

    def __init__(self, language: str = "en", hints: str = "ask") -> None:
        if language not in LANGUAGES:
            raise ValueError(f"no messages in {language!r}; known are {', '.join(LANGUAGES)}")
        self.language = language
        self.hints = hints
        self._catalogue = _load(language)

    def of(self, diagnosis: Diagnosis) -> Words:
        """The words for a diagnosis, its variant's message where there is one."""
        entry = self._catalogue["codes"][diagnosis.code]
        template = entry.get("variants", {}).get(diagnosis.variant) or entry["message"]
        rung = HINTS.index(self.hints)
        return Words(
            template.format_map(_Blanks(self._spoken(diagnosis.data))).strip(),
            entry.get("why", "").strip() if rung >= 1 else "",
            entry.get("ask", "").strip() if rung >= 2 else "", self.title(diagnosis.code))

    def _spoken(self, data: dict[str, Any]) -> dict[str, Any]:
        """The label of a question, which names seeds, as what the student knows of it."""
        if "during" not in data:
            return data
        kind = re.sub(r"-\d+$", "", str(data["during"]))
        return data | {"during": self._catalogue["during"].get(kind, kind)}

    def title(self, code: str) -> str:
        """What a code means, in one line."""
        return str(self._catalogue["codes"][code]["title"])

    def seen(self, code: str, evidence: Mapping[str, Any]) -> str:
        """The evidence in words: the first of the code's sentences that it fills; else ''."""
        templates = self._catalogue["codes"].get(code, {}).get("seen", [])
        filled = {key: _short(value) for key, value in evidence.items()}
        for template in (*templates, *self._catalogue["seen"]):
            try:
                return str(template.format_map(filled))
            except KeyError:
                continue
        return ""

    def note(self, key: str) -> str:
        """A label for a related line."""
        return str(self._catalogue["notes"].get(key, key))

    def label(self, key: str, **blanks: Any) -> str:
        """A fixed word or sentence of the reports."""
        return str(self._catalogue["labels"][key]).format_map(_Blanks(blanks))

    def check(self, assignment: str, check: str, title: str) -> str:
        """A check's title; `title`, the English one, where the language has none of its own."""
        titles = self._catalogue.get("checks", {})
        return str(titles.get(assignment, {}).get(check) or titles.get("all", {}).get(check)
                   or title)

    def page(self, code: str) -> str:
        """The page that explains a code, in Markdown; in English where there is no other; or ''."""
        for language in (self.language, "en"):
            path = FOLDER / "explain" / f"{code}.{language}.md"
            if path.is_file():
                return path.read_text(encoding="utf-8")
        return ""

    @property
    def codes(self) -> list[str]:
        """All codes that have words."""
        return list(self._catalogue["codes"])


class _Blanks(dict[str, Any]):
    """Leaves a blank that the diagnosis does not fill empty rather than failing a report."""

    def __missing__(self, key: str) -> str:
        return "…"


def _short(value: Any) -> str:
    """A value of the evidence in a sentence: lists by their ends, texts by their start."""
    if isinstance(value, list):
        shown = [_short(v) for v in value]
        return ", ".join(shown if len(shown) <= 5 else [*shown[:3], "…", shown[-1]])
    if isinstance(value, dict):
        return ", ".join(f"{key} {_short(v)}" for key, v in value.items())
    text = f"{value:g}" if isinstance(value, float) else str(value)
    first = text.strip().split("\n")[0]
    return first if len(first) <= 160 else first[:159] + "…"


@cache
def _load(language: str) -> dict[str, Any]:
    path = FOLDER / f"{language}.yml"
    return dict(yaml.safe_load(path.read_text(encoding="utf-8")))
