"""When work is due and what lateness costs: data of the course, reckoned from raw facts whenever a report is made.

Nothing of it is stored with a grade, so an extension given afterwards counts from the next report on. Days are counted
on the clock of `time_zone`: the first started day ends when the clock shows the time of the deadline again, be that 23,
24 or 25 hours later. A time that the clock shows twice, or never, in the nights when it is changed, is taken as the
later of its two readings.
"""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import msgspec

DAY = timedelta(days=1)
_FIRST, _LAST = datetime(1900, 1, 1), datetime(3200, 1, 1)
_MOST_LATE = timedelta(days=36_525)  # arithmetic with nonsensical times of hand-in stays within the calendar


class Deadline(msgspec.Struct, frozen=True):
    """The table `[deadline]` of course.toml. Instants are in UTC; `extensions` are by student id.

    Each started day takes `percent_per_day` of the points that were earned, all days together at most `most_percent`.
    What comes within `grace_minutes` is in time; what comes later is counted from the deadline itself.
    """

    at: datetime
    time_zone: str
    grace_minutes: float = 0.0
    percent_per_day: float = 0.0
    most_percent: float = 100.0
    extensions: dict[str, datetime] = {}

    @property
    def zone(self) -> ZoneInfo:
        """The clock by which days are counted and times are told."""
        return ZoneInfo(self.time_zone)

    def due(self, student: str) -> datetime:
        """When this student's work is due; an extension never takes time away."""
        return max(self.at, self.extensions.get(student, self.at))


class Arrival(msgspec.Struct, frozen=True):
    """Who handed in and when, as far as it is known. What is known most exactly counts.

    `submitted_at` without an offset is on the clock of the course, the earlier of two readings; `late_seconds` is how
    late it was by the LMS's own reckoning, `late` the mere mark.

    Raises:
        ValueError: seconds that are no number.
    """

    student: str
    submitted_at: datetime | None = None
    late: bool | None = None
    late_seconds: float | None = None

    def __post_init__(self) -> None:
        if self.late_seconds is not None and math.isnan(self.late_seconds):
            raise ValueError("late_seconds is no number")


class Lateness(msgspec.Struct, frozen=True):
    """How late it was, and what is left of the points that were earned; `sentence` is for the student.

    `extended`: `due` is later than for others. `late_seconds` are those after `due`, 0 where it was in time or nobody
    knows. `certain` is False where the LMS tells too little: then no more is taken off than the facts prove, and a
    teacher should look.
    """

    due: datetime
    extended: bool
    in_time: bool
    late_seconds: float
    started_days: int
    percent: float
    earned: float
    points: float
    certain: bool
    sentence: str


def settle(deadline: Deadline, arrival: Arrival, earned: float) -> Lateness:
    """How late a hand-in was, and how many of the points that it earned remain."""
    due, instant = deadline.due(arrival.student), _instant(deadline, arrival)
    if instant is None:
        in_time, days = not arrival.late, _proven_days(deadline, arrival)
    else:
        in_time = instant <= due + timedelta(minutes=deadline.grace_minutes)
        days = 0 if in_time else started_days(due, instant, deadline.zone)
    percent = min(deadline.most_percent, days * deadline.percent_per_day)
    points = min(earned, round(earned * (100 - percent) / 100, 2))
    return Lateness(
        due=due,
        extended=due > deadline.at,
        in_time=in_time,
        late_seconds=0.0 if in_time or instant is None else (instant - due).total_seconds(),
        started_days=days,
        percent=percent,
        earned=earned,
        points=points,
        certain=instant is not None or arrival.late is False,
        sentence=_when(deadline, arrival, instant) + _cost(deadline, days, (earned, points)),
    )


def started_days(due: datetime, handed_in: datetime, zone: ZoneInfo) -> int:
    """How many days had begun after `due`, on the clock of `zone`; `handed_in` is later than `due`."""
    wall = due.astimezone(zone).replace(tzinfo=None)
    days = max(1, (handed_in - due) // DAY - 1)  # never too many: a clock is put forward by a day at most
    while readings(wall + days * DAY, zone)[1] < handed_in:
        days += 1
    return days


def readings(wall: datetime, zone: ZoneInfo) -> tuple[datetime, datetime]:
    """The first and the last instant at which a clock in `zone` shows `wall`, or would if it did not jump over it."""
    first, last = sorted(wall.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
    return first, last


def _instant(deadline: Deadline, arrival: Arrival) -> datetime | None:
    """When it was handed in, in UTC, or None when that is not known."""
    at = arrival.submitted_at
    if at is not None:
        if at.utcoffset() is None:
            at, _ = readings(min(max(at, _FIRST), _LAST), deadline.zone)
        after = at - deadline.at
    elif arrival.late_seconds is not None:
        after = timedelta(seconds=min(max(arrival.late_seconds, 0.0), _MOST_LATE.total_seconds()))
    else:
        return None
    return deadline.at + min(max(after, -_MOST_LATE), _MOST_LATE)


def _proven_days(deadline: Deadline, arrival: Arrival) -> int:
    """A mark proves that the first day has started, unless this student could be late and still in time."""
    allowed = deadline.grace_minutes > 0 or deadline.due(arrival.student) > deadline.at
    return int(arrival.late is True and not allowed)


def _when(deadline: Deadline, arrival: Arrival, instant: datetime | None) -> str:
    due = deadline.due(arrival.student)
    asked = f"due {_shown(due, deadline.zone)}{', with your extension' if due > deadline.at else ''}"
    if instant is None:
        if arrival.late:
            waits = (
                "" if _proven_days(deadline, arrival) else " Nothing is taken off before a teacher has looked at it."
            )
            return f"Marked as late, though not by how much ({asked}).{waits}"
        return f"{'Marked as in time' if arrival.late is False else 'The time of hand-in is not known'} ({asked})."
    if instant <= due:
        return f"Handed in on time ({asked})."
    grace = timedelta(minutes=deadline.grace_minutes)
    within = f", within the {_number(deadline.grace_minutes)} minutes of grace" if instant <= due + grace else ""
    return f"Handed in {_shown(instant, deadline.zone)}{within} ({asked})."


def _cost(deadline: Deadline, days: int, points: tuple[float, float]) -> str:
    """What is taken off and why; nothing is said where nothing was late."""
    if not days:
        return ""
    begun = f" {days} {'day' if days == 1 else 'days'} late, each started day counted"
    if not deadline.percent_per_day:
        return f"{begun}: no points are taken off."
    asked = days * deadline.percent_per_day
    most = f", at most {_number(deadline.most_percent)} %" if asked > deadline.most_percent else ""
    earned, left = map(_number, points)
    taken = _number(min(asked, deadline.most_percent))
    each = f"{_number(deadline.percent_per_day)} % each{most}"
    return f"{begun}, {each}: {taken} % of {earned} points are taken off, {left} remain."


def _shown(instant: datetime, zone: ZoneInfo) -> str:
    """On the clock of `zone`, to the second that has begun where it is not a full minute."""
    if instant.microsecond:
        instant += timedelta(microseconds=1_000_000 - instant.microsecond)
    return f"{instant.astimezone(zone):%Y-%m-%d %H:%M{':%S' if instant.second else ''} %Z}"


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
