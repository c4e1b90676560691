"""Points that a person changed, as the student reads it: from what to what, and why."""

from __future__ import annotations

from typing import Any

from reports.text import block, line, short_points
from reports.words import say

_REASON = 500


def by_hand(check: dict[str, Any]) -> tuple[str, ...]:
    """The sentence, where the points of the check were changed."""
    changed = check.get("by_hand")
    if not changed:
        return ()
    told = {
        "before": short_points(changed["before"]),
        "after": short_points(check["points"]),
        "reason": reason(changed),
        "by": line(changed["by"], 60),
    }
    return (say(f"page.by_hand{'_by' if changed['by'] else ''}", **told),)


def reason(changed: dict[str, Any]) -> str:
    """Why, as safe text."""
    return block(changed["reason"], _REASON)
