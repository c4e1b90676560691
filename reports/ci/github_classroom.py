"""GitHub Classroom as it was: the result of a runner, which `autograding-grading-reporter` still reads.

The service was retired in 2026; its workflows run on. The reporter adds up `score` of the tests, prints numbers as they
are and messages into the log, and divides by the number of tests.
"""

from __future__ import annotations

import base64
import json
import math
from typing import Any

from reports.ci.findings import Base, Finding, findings
from reports.text import log_row

OUTPUT = "result"  # the name of the step's output


def result(record: dict[str, Any], base: Base) -> bytes | None:
    """The result; None where a check could not be carried out, or where there is none: it would count as no points."""
    checks = list(findings(record, base))
    if not checks or any(found.kind == "ungraded" for found in checks):
        return None
    tests = [_test(found) for found in checks]
    made = {
        "version": 1,
        "status": "pass" if all(test["status"] == "pass" for test in tests) else "fail",
        "max_score": _hundredths(sum(found.max_points for found in checks)),
        "tests": tests,
    }
    return (json.dumps(made, indent=2) + "\n").encode()


def step_output(made: bytes) -> bytes:
    """The line that belongs into the file that `GITHUB_OUTPUT` names."""
    packed = json.dumps(json.loads(made), separators=(",", ":")).encode()
    return f"{OUTPUT}={base64.b64encode(packed).decode()}\n".encode()


def _test(found: Finding) -> dict[str, Any]:
    whole = found.points >= found.max_points and found.kind in ("passed", "undecided")
    return {
        "name": log_row(f"{found.exercise}: {found.title}"),
        "status": "pass" if whole else "error" if found.kind == "stopped" else "fail",
        "score": _hundredths(found.points),
        "message": "\n".join(log_row(row) for row in found.message.split("\n")),
        "test_code": "",
        "filename": log_row(found.path),
        "line_no": found.line,
        "duration": round(1000 * (found.seconds or 0)),
    }


def _hundredths(points: float) -> float:
    """Rounded down, and whole numbers without a point."""
    shown = math.floor(points * 100 + 1e-6) / 100
    return int(shown) if shown == int(shown) else shown
