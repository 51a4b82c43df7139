"""What belongs to one diagnosis: the lines it speaks of, and the checks it keeps from judgement."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def consequences(report: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Code → ids of the checks that were not judged because of it; a check under one code only."""
    checks = {c["id"]: c for c in report["checks"]}
    found: dict[str, tuple[str, ...]] = {}
    for check in report["checks"]:
        if check["status"] == "not-judged":
            causes = _root(check, checks).get("because", [])
            told = [d["code"] for d in report["diagnoses"]]
            code = next((c for c in told if c in causes), None)
            if code:
                found[code] = (*found.get(code, ()), check["id"])
    return found


def _root(check: Mapping[str, Any], checks: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any]:
    """The check at the end of the chain of needs."""
    for _ in checks:
        needed = checks.get(check.get("needs", ""))
        if needed is None:
            break
        check = needed
    return check


def places(diagnosis: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """(note, line): those in the cell to blame by line number, then those of other cells.

    The line to blame has no note. Without one there are no others either.
    """
    if not diagnosis["where"]:
        return []
    found = [("", diagnosis["where"])]
    found += [(r["note"], r["where"]) for r in diagnosis.get("related", []) if r["where"]]
    home = diagnosis["where"].get("cell")
    here = [p for p in found if p[1].get("cell") == home]
    away = [p for p in found if p[1].get("cell") != home]
    return [*sorted(here, key=lambda place: int(place[1]["line"])), *away]
