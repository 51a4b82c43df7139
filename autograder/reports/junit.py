"""A batch as JUnit XML: a suite a student, a case a check."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from xml.etree import ElementTree as ET

Suite = tuple[str, str, Mapping[str, Any] | None]
"""Name, status, and the report where there is one."""


def junit(suites: Iterable[Suite]) -> str:
    """The document."""
    root = ET.Element("testsuites", name="autograder")
    for name, status, report in suites:
        if report is not None and report["checks"]:
            root.append(_suite(name, report))
        else:
            root.append(_ungraded(name, status))
    for total in ("tests", "failures", "errors", "skipped"):
        root.set(total, str(sum(int(suite.get(total, "0")) for suite in root)))
    ET.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(root, "unicode") + "\n"


def _suite(name: str, report: Mapping[str, Any]) -> ET.Element:
    statuses = [check["status"] for check in report["checks"]]
    suite = _counted(name, len(statuses), failures=statuses.count("failed"),
                     skipped=statuses.count("not-judged"))
    told = {d["code"]: d for d in report["diagnoses"]}
    for check in report["checks"]:
        case = ET.SubElement(suite, "testcase", name=check["id"],
                             classname=_clean(f"{report['assignment']}.{name}"))
        points = f"{check['score']:g} of {check['max_score']:g} points"
        if check["status"] == "not-judged":
            ET.SubElement(case, "skipped", message=f"needs {check['needs']}; {points}")
        elif check["status"] == "failed":
            causes = [told[code] for code in check.get("because", ()) if code in told]
            failure = ET.SubElement(case, "failure", type=causes[0]["code"] if causes else "",
                                    message=_clean(f"{check['title']}: {points}"))
            failure.text = _clean("\n".join(_told(cause) for cause in causes))
    return suite


def _told(cause: Mapping[str, Any]) -> str:
    where = cause["where"]
    cell = f"cell {where['cell']}, " if where and "cell" in where else ""
    place = f" ({cell}line {where['line']})" if where else ""
    return f"{cause['code']}: {cause['message']}{place}"


def _ungraded(name: str, status: str) -> ET.Element:
    suite = _counted(name, 1, errors=1)
    case = ET.SubElement(suite, "testcase", name="graded", classname=_clean(name))
    ET.SubElement(case, "error", message=_clean(status), type=_clean(status))
    return suite


def _counted(name: str, tests: int, *, failures: int = 0, errors: int = 0,
             skipped: int = 0) -> ET.Element:
    return ET.Element("testsuite", name=_clean(name), tests=str(tests), failures=str(failures),
                      errors=str(errors), skipped=str(skipped))


def _clean(text: str) -> str:
    """Without the characters that no XML document may hold, however escaped."""
    return "".join(c if c in "\n\t" or (c >= " " and not "\ud800" <= c <= "\udfff"
                                        and c not in "\ufffe\uffff") else "?" for c in text)
