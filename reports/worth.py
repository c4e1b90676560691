"""What every student has to do is worth the same for all; who has begun more can earn more, and can lose more.

Where all are shown on one scale, or one number of points is asked for, the share of one's own points counts: full marks
are full marks, whatever was begun beside what has to be done.
"""

from __future__ import annotations

from typing import Any


def worth(record: dict[str, Any]) -> float:
    """The points for what every student has to do; all there are where nothing has to be done."""
    checks = [check for exercise in record["exercises"] for check in exercise["checks"] if not check.get("optional")]
    return round(sum(float(check["max_points"]) for check in checks), 2) or float(record["max_points"])


def on_one_scale(points: float, most: float, scale: float) -> float:
    """Points of `most` as points of `scale`; the same number where these are equal."""
    return points if most == scale or not most else round(points * scale / most, 4)
