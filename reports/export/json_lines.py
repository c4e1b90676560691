"""JSON Lines: one object for each student, for programs. Points that could not be graded are null."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, BinaryIO

from reports.export.outcome import Written
from reports.export.rows import ExerciseRow, Row, rounded
from reports.text import json_text

SCHEMA = "grade/export/v1"


def write_json_lines(rows: Iterable[Row], out: BinaryIO) -> Written:
    """Row by row, in UTF-8 without a byte order mark."""
    written = 0
    for row in rows:
        text = json.dumps(_object(row), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        out.write(json_text(text.encode("utf-8", "replace")) + b"\n")
        written += row.points is not None
    return Written(written)


def _object(row: Row) -> dict[str, Any]:
    who, late = row.who, row.late
    return {
        "schema": SCHEMA,
        "key": who.key,
        "platform": who.platform,
        "name": who.name,
        "login": who.login,
        "email": who.email,
        "number": who.number,
        "repository": who.repository,
        "state": row.state,
        "attempt": row.attempt,
        "submitted": row.submitted or None,
        "points": _points(row.points),
        "max_points": row.max_points,
        "points_before_lateness": _points(row.earned),
        "late": {"percent": late.percent, "sentence": late.sentence, "certain": late.certain} if late else None,
        "exercises": [_exercise(one) for one in row.exercises],
    }


def _exercise(exercise: ExerciseRow) -> dict[str, Any]:
    return {
        "name": exercise.name,
        "points": _points(exercise.points),
        "max_points": exercise.max_points,
        "checks": [
            {
                "name": check.name,
                "verdict": check.verdict,
                "points": _points(check.points),
                "max_points": check.max_points,
                "tag": check.tag or None,
            }
            for check in exercise.checks
        ],
    }


def _points(points: float | None) -> float | None:
    return None if points is None else rounded(points)
