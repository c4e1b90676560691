"""Times as platforms write them, as ISO 8601; without an offset where none is told."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

_STAMP = re.compile(r"\s*(\d{4})-(\d\d)-(\d\d)[ T-](\d\d)[:-](\d\d)(?:[:-](\d\d)(?:\.\d+)?)?\s*(\S*)")
_WORDS = re.compile(r"(?P<a>[^\W\d]+|\d{1,2})\.? (?P<b>[^\W\d]+|\d{1,2})\.?,? (?P<year>\d{4}),? (?P<clock>.+)")
_CLOCK = re.compile(r"(\d{1,2})[:.h ]?(\d\d) ?(?:([AP])\.?M\.?)?", re.IGNORECASE)
_OFFSET = re.compile(r"([+-])(\d\d):?(\d\d)")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def from_stamp(text: str, default: tzinfo | None = None) -> str | None:
    """`2026-09-14 23:10:05.12 America/New_York`, `2026-09-14-23-51-00` and the like; None if it is no time.

    `default` is the zone where none is written.
    """
    if not (match := _STAMP.match(text)):
        return None
    zone = _zone(match[7]) if match[7] else default
    try:
        return datetime.strptime("".join(match.groups("00")[:6]), "%Y%m%d%H%M%S").replace(tzinfo=zone).isoformat()
    except (ValueError, OverflowError):
        return None


def from_words(text: str) -> str | None:
    """`Sep 14, 2026 1022 PM` and `14 September 2026 22:22`; None if it is no time in English words."""
    if not (match := _WORDS.fullmatch(text.strip())):
        return None
    word, day = (match["a"], match["b"]) if match["b"].isdigit() else (match["b"], match["a"])
    clock = _CLOCK.fullmatch(match["clock"].strip())
    month = word[:3].casefold()
    if not day.isdigit() or not clock or month not in _MONTHS:
        return None
    hour = int(clock[1])
    if clock[3]:
        hour = hour % 12 + 12 * (clock[3].upper() == "P")
    try:
        return datetime(int(match["year"]), _MONTHS.index(month) + 1, int(day), hour, int(clock[2])).isoformat()
    except (ValueError, OverflowError):
        return None


def _zone(name: str) -> tzinfo | None:
    """None for one that is not known: the time is then told without."""
    if name.upper() in ("Z", "UTC", "GMT"):
        return UTC
    if match := _OFFSET.fullmatch(name):
        offset = timedelta(hours=int(match[2]), minutes=int(match[3]))
        return timezone(-offset if match[1] == "-" else offset) if offset < timedelta(hours=24) else None
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # ZoneInfoNotFoundError is a KeyError
        return None
