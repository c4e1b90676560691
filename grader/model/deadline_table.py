"""Reads the table `[deadline]` of course.toml; whatever is wrong with it is told in a sentence."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from grader.errors import CourseError
from grader.model.deadline import DAY, Deadline, readings

_REQUIRED, _NUMBERS = {"at", "time_zone"}, {"grace_minutes": 527_040.0, "percent_per_day": 100.0, "most_percent": 100.0}
_KNOWN = _REQUIRED | _NUMBERS.keys() | {"extensions"}
_MOST_EXTENSION_DAYS = 3660
_EXAMPLE = "2026-10-04T23:59:00"


def read_deadline(table: Any, where: str) -> Deadline:
    """The deadline in a table as TOML gives it; `where` names the table in messages.

    Raises:
        CourseError: a key is missing, unknown, or has a value that makes no sense.
    """
    if not isinstance(table, dict):
        raise CourseError(f"{where} has to be a table. Write the keys below a line [deadline].")
    if unknown := sorted(table.keys() - _KNOWN):
        raise CourseError(f"{where} has the unknown key {unknown[0]!r}; known are {sorted(_KNOWN)}.")
    if missing := sorted(_REQUIRED - table.keys()):
        raise CourseError(f"{where} lacks the key {missing[0]!r}.")
    zone = _zone(table["time_zone"], where)
    at = _instant(table["at"], zone, f"{where} at")
    numbers = {key: _number(table[key], most, f"{where} {key}") for key, most in _NUMBERS.items() if key in table}
    return Deadline(at, zone.key, extensions=_extensions(table.get("extensions", {}), at, zone, where), **numbers)


def _zone(name: Any, where: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, TypeError, OSError, AttributeError):  # a folder of zones, "", "../x", a number
        raise CourseError(
            f"{where} time_zone: {name!r} is no time zone that is known here. "
            'Write for example "Europe/Berlin"; on Windows the zones come with `pip install tzdata`.'
        ) from None


def _instant(value: Any, zone: ZoneInfo, where: str) -> datetime:
    """A time in UTC; one without an offset is on the clock of `zone`."""
    if not isinstance(value, datetime):
        missing = "has no time of day" if isinstance(value, date) else "is not a time"
        raise CourseError(f"{where}: {value!s:.60} {missing}. Write it without quotes, for example {_EXAMPLE}.")
    if not 2000 <= value.year < 3000:
        raise CourseError(f"{where}: {value} is not between the years 2000 and 2999.")
    return value.astimezone(UTC) if value.tzinfo else readings(value, zone)[1]


def _number(value: Any, most: float, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        raise CourseError(f"{where}: {value!s:.60} is not a number from 0 to {most:g}.")
    return float(value)


def _extensions(table: Any, at: datetime, zone: ZoneInfo, where: str) -> dict[str, datetime]:
    if not isinstance(table, dict):
        raise CourseError(f"{where} extensions has to be a table: student ids, each with a time or a number of days.")
    return {student: _extension(value, at, zone, f"{where} extensions {student}") for student, value in table.items()}


def _extension(value: Any, at: datetime, zone: ZoneInfo, where: str) -> datetime:
    """Days move the deadline on the clock, to the same time of day."""
    if isinstance(value, int) and not isinstance(value, bool):
        if not 0 < value <= _MOST_EXTENSION_DAYS:
            raise CourseError(f"{where}: {value} is not a number of days from 1 to {_MOST_EXTENSION_DAYS}.")
        return readings(at.astimezone(zone).replace(tzinfo=None) + value * DAY, zone)[1]
    extended = _instant(value, zone, where)
    if extended < at:
        raise CourseError(f"{where}: {value} lies before the deadline. An extension only gives more time.")
    return extended
