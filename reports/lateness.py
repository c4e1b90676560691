"""What came of handing in late, in words. It is reckoned by the course whenever a page is made, and stored nowhere."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from reports.page import Fact, Late
from reports.text import line, number, short_points
from reports.words import count, say

_SENTENCE = 600
_MINUTES = {"days": 24 * 60, "hours": 60, "minutes": 1}


@dataclass(frozen=True)
class Kept:
    """What lateness leaves: the points kept, the percent taken, the sentence, and whether the facts prove it.

    `seconds` are those after the deadline, 0 where nobody knows; `extended`: the deadline was the student's own.
    """

    points: float
    percent: float = 0.0
    sentence: str = ""
    certain: bool = True
    is_late: bool = False
    seconds: float = 0.0
    extended: bool = False


def late(record: dict[str, Any], kept: Kept) -> Late:
    """What a student reads about it."""
    most = short_points(record["max_points"])
    facts = {
        "by": duration(kept.seconds) if kept.seconds else "",
        "earned": say("page.points", points=short_points(record["points"]), max=most),
        "taken": say("late.percent", percent=number(kept.percent)) if kept.percent else say("late.nothing"),
        "counts": say("page.points", points=short_points(kept.points), max=most),
    }
    return Late(
        line(kept.sentence, _SENTENCE), tuple(Fact(say(f"late.{name}"), told) for name, told in facts.items() if told)
    )


def in_brief(kept: Kept) -> str:
    """The same in a cell of a table."""
    if not kept.is_late:
        told = say("late.in_time" if kept.certain else "late.not_known")
    elif not kept.seconds:
        told = say("late.not_by_how_much")
    else:
        told = duration(kept.seconds)
    taken = [say("late.taken_brief", percent=number(kept.percent))] if kept.percent else []
    return ", ".join([told, *taken, *([say("late.extended")] if kept.extended else [])])


def duration(seconds: float) -> str:
    """The two largest units; a minute that has begun counts as one."""
    left, parts = max(1, math.ceil(seconds / 60)), []
    for unit, minutes in _MINUTES.items():
        amount, left = divmod(left, minutes)
        parts += [count(unit, amount)] if amount else []
    return " ".join(parts[:2])


def points_of(record: dict[str, Any], kept: Kept | None) -> float:
    """The points that count."""
    return kept.points if kept else float(record["points"])


def before_it(record: dict[str, Any], kept: Kept | None) -> tuple[str, ...]:
    """The points that were earned, where fewer of them count."""
    if kept is None or kept.points == record["points"]:
        return ()
    return (say("late.before", points=short_points(record["points"])),)
