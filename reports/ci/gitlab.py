"""GitLab: the code quality report, a JSON array in UTF-8 without a byte order mark."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from typing import Any

from reports.ci.findings import Base, Finding, findings
from reports.text import json_text

_SEVERITIES = {"lost": "major", "partial": "minor", "stopped": "critical", "not_run": "minor"}


def code_quality(record: dict[str, Any], base: Base) -> bytes:
    """One entry for each check that did not pass.

    The fingerprint is made of the file and the check, not of the line: GitLab then knows the same trouble again after
    lines were added above it.
    """
    seen: Counter[str] = Counter()
    made = [_entry(found, seen) for found in findings(record, base) if found.kind != "passed"]
    return json_text((json.dumps(made, indent=2, ensure_ascii=False) + "\n").encode("utf-8", "replace"))


def _entry(found: Finding, seen: Counter[str]) -> dict[str, Any]:
    known = f"{found.path}\0{found.key}"
    seen[known] += 1
    known += f"\0{seen[known]}" if seen[known] > 1 else ""
    return {
        "description": f"{found.title} {found.message}",
        "check_name": f"grade/{found.key}",
        "fingerprint": hashlib.sha256(known.encode("utf-8", "replace")).hexdigest()[:32],
        "severity": _SEVERITIES.get(found.kind, "info"),
        "location": {"path": found.path, "lines": {"begin": found.line or 1}},
    }
