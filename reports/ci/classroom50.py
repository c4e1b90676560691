"""Classroom 50: `result.json`, schema `classroom50/result/v1`.

All scores are whole numbers from 0 (true and 1.0 are refused), so points are told in hundredths, rounded down. The
platform stamps who owns the repository, and of which kind the task is.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from reports.ci.findings import Base, Finding, findings
from reports.text import json_text, line
from reports.words import say

SCALE = 100
_TOLD = {
    "classroom": "CLASSROOM",
    "assignment": "ASSIGNMENT",
    "submission": "SUBMISSION_TAG",
    "commit": "COMMIT_URL",
    "release": "RELEASE_URL",
    "review": "REVIEW_URL",
}


def result(record: dict[str, Any], environ: Mapping[str, str]) -> bytes | None:
    """The result; None where a check could not be carried out, for then there is no score that would be fair.

    `environ` is the platform's environment, which names the submission; elsewhere the names are said to be not known.
    """
    checks = list(findings(record, Base()))
    if any(found.kind == "ungraded" for found in checks):
        return None
    tests = [_test(found) for found in checks]
    made = {
        "schema": "classroom50/result/v1",
        **{name: line(environ.get(variable) or say("ci.not_told"), 500) for name, variable in _TOLD.items()},
        "datetime": line(record["timing"]["started"], 40),
        "score": sum(test["score"] for test in tests),
        "max-score": sum(test["max-score"] for test in tests),
        "tests": tests,
    }
    return json_text((json.dumps(made, indent=2, ensure_ascii=False) + "\n").encode("utf-8", "replace"))


def _test(found: Finding) -> dict[str, Any]:
    most = _whole(found.max_points)
    return {
        "test-name": f"{found.exercise}: {found.title}",
        "passed": found.points >= found.max_points and found.kind == "passed",
        "score": min(_whole(found.points), most),
        "max-score": most,
        "message": found.message,
    }


def _whole(points: float) -> int:
    return max(0, math.floor(points * SCALE + 1e-6))
