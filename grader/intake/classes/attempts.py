"""Which attempts of a student count, as far as that needs no grades."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, tzinfo
from typing import Literal

from grader.model.class_handed_in import Attempts, HandIn

Choose = Literal["deadline", "last", "best", "all"]
Deadline = Callable[[HandIn], datetime | None]


def attempts(
    hand_ins: Iterable[HandIn],
    choose: Choose = "deadline",
    *,
    deadline: Deadline = lambda _: None,
    zone: tzinfo = UTC,
) -> tuple[Attempts, ...]:
    """For each student all attempts, oldest first, and those to be graded; nothing is thrown away.

    "deadline" takes the newest one that is not late, and the newest of all where every one is. "best" and "all" take
    every one: which is the best is known after grading. `deadline` tells the one that holds for a hand-in, with a time
    zone (extensions differ by student); `zone` is that of times which the platform writes without one.
    """
    students: dict[tuple[str, str], list[HandIn]] = {}
    for one in hand_ins:
        students.setdefault((one.key, one.assignment), []).append(one)
    return tuple(
        _chosen(
            key, tuple(sorted(every, key=lambda one: one.attempt)), choose, lambda one: is_late(one, deadline, zone)
        )
        for (key, _), every in students.items()
    )


def is_late(hand_in: HandIn, deadline: Deadline, zone: tzinfo) -> bool:
    """By the time that it was handed in where that and a deadline are known, else by what the platform says."""
    due, submitted = deadline(hand_in), moment(hand_in, zone)
    if due is None or submitted is None:
        return bool(hand_in.late)
    return submitted > due


def moment(hand_in: HandIn, zone: tzinfo) -> datetime | None:
    """When it was handed in, with a time zone; None if that is not known."""
    if hand_in.submitted is None:
        return None
    when = datetime.fromisoformat(hand_in.submitted)
    return when if when.tzinfo else when.replace(tzinfo=zone)


def _chosen(key: str, every: tuple[HandIn, ...], choose: Choose, late: Callable[[HandIn], bool]) -> Attempts:
    if len(every) == 1:
        return Attempts(key, every, every, "the only attempt")
    if choose in ("best", "all"):
        return Attempts(key, every, every, "every attempt is graded")
    in_time = tuple(one for one in every if not late(one))
    if choose == "last":
        return Attempts(key, every, every[-1:], "the last attempt")
    if in_time:
        return Attempts(key, every, in_time[-1:], "the last attempt before the deadline")
    return Attempts(key, every, every[-1:], "the last attempt: all are late")
