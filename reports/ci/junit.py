"""JUnit XML: the set that GitLab, Jenkins and the GitHub reporters have in common.

No host name, which is nobody's business. What went wrong is told in the content of `failure` and `error`, for GitLab
reads no attribute of them. Characters that no XML file may hold are marks by then (`reports.text`).
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter
from itertools import groupby
from typing import Any

from reports.ci.findings import Base, Finding, findings
from reports.text import line, log_row, without_commands
from reports.words import say

_FAILED, _COULD_NOT = ("lost", "partial"), ("stopped", "ungraded")


def junit_xml(record: dict[str, Any], base: Base) -> bytes:
    """A test suite for each exercise, a test case for each check.

    `failure` is wrong work; `error` is work that could not be judged to its end; `skipped` is not run, or left to a
    teacher. Names are unique, because GitLab drops a second test of the same name.
    """
    root = ET.Element("testsuites", {"name": "grade"})
    seen: Counter[tuple[str, str]] = Counter()
    everything = list(findings(record, base))
    for exercise, group in groupby(everything, key=lambda found: found.exercise):
        checks = list(group)
        suite = ET.SubElement(root, "testsuite", {"name": without_commands(exercise), **_counts(checks)})
        for found in checks:
            _case(suite, found, seen)
    for name, value in _counts(everything).items():
        root.set(name, value)
    ET.indent(root)
    made: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return made + b"\n"


def _case(suite: ET.Element, found: Finding, seen: Counter[tuple[str, str]]) -> None:
    seen[found.exercise, found.title] += 1
    again = seen[found.exercise, found.title]
    name = f"{found.title} ({again})" if again > 1 else found.title
    told = {"classname": found.exercise, "name": name, "file": found.path}
    if found.line:
        told["line"] = str(found.line)
    told["time"] = _seconds([found])
    case = ET.SubElement(suite, "testcase", {key: without_commands(value) for key, value in told.items()})
    properties = ET.SubElement(case, "properties")
    ET.SubElement(properties, "property", {"name": "points", "value": found.amount})
    if found.kind == "passed":
        return
    first = without_commands(line(found.message.partition("\n")[0]))
    if found.kind in _FAILED or found.kind in _COULD_NOT:
        kind = "failure" if found.kind in _FAILED else "error"
        ended = ET.SubElement(case, kind, {"type": without_commands(found.tag or found.verdict), "message": first})
        amount = say("ci.points", title=found.path + (f":{found.line}" if found.line else ""),
                     points=found.amount.partition("/")[0], max=found.amount.partition("/")[2])  # fmt: skip
        ended.text = _content(f"{found.message}\n{amount}")
    else:
        ET.SubElement(case, "skipped", {"message": first}).text = _content(found.message)


def _counts(checks: list[Finding]) -> dict[str, str]:
    kinds = [found.kind for found in checks]
    failed, errors = sum(kind in _FAILED for kind in kinds), sum(kind in _COULD_NOT for kind in kinds)
    skipped = len(kinds) - failed - errors - kinds.count("passed")
    counts = {"tests": len(kinds), "failures": failed, "errors": errors, "skipped": skipped}
    return {**{name: str(number) for name, number in counts.items()}, "time": _seconds(checks)}


def _seconds(checks: list[Finding]) -> str:
    return f"{sum(found.seconds or 0.0 for found in checks):.3f}"


def _content(text: str) -> str:
    """Text of several lines, none of which is a command to the CI system whose log shows the file."""
    return "\n".join(log_row(row) for row in text.split("\n"))
