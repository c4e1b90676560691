"""What is exported: one row for each student, made from the record of the attempt that counts."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from reports.lateness import Kept
from reports.text import line
from reports.worth import on_one_scale, worth

Record = dict[str, Any]

_NOT_GRADED, _NOT_DECIDED = "grader_error", "needs_review"
_IN_OWN_WORDS = frozenset({"", "plain", "pattern", "nbgrader", "blackboard"})
_OF_GITHUB = frozenset({"github-classroom", "classroom50"})
_LABEL_CHARACTERS = 60


@dataclass(frozen=True)
class Who:
    """A student in the words of the place that the hand-in came from; what is not known is empty.

    `key` tells this student from all others; `platform` is where it comes from: a layout of the intake ("canvas",
    "moodle-folders", "plain", …), "" where nobody knows. `number` is the university's (Canvas: SIS User ID). A name is
    for reading: nobody is found by it.
    """

    key: str
    platform: str = ""
    name: str = ""
    login: str = ""
    email: str = ""
    number: str = ""
    repository: str = ""

    def id_of(self, platform: str) -> str:
        """The key, if it is or may be this platform's own id of the student, else nothing."""
        return self.key if not self.platform or self.platform.startswith(platform) else ""

    @property
    def logins(self) -> tuple[str, ...]:
        """What may be a login of the school: one of GitHub's may be another student's there."""
        return () if self.platform in _OF_GITHUB and self.login == self.key else (self.login, self.own_words)

    @property
    def own_words(self) -> str:
        """The key where no platform made it up: then it may be a login, a number or an address of the school."""
        return self.key if self.platform in _IN_OWN_WORDS else ""

    @property
    def shown(self) -> str:
        """Name and key as safe text."""
        name, key = line(self.name, _LABEL_CHARACTERS), line(self.key, _LABEL_CHARACTERS)
        return f"{name} ({key})" if name and name != key else key


@dataclass(frozen=True)
class CheckRow:
    """A check; `points` is None if it could not be graded."""

    name: str
    title: str
    verdict: str
    points: float | None
    max_points: float
    tag: str = ""
    happened: str = ""
    expected: str = ""
    visibility: str = "hidden"


@dataclass(frozen=True)
class ExerciseRow:
    """An exercise; `points` is None if a check of it could not be graded."""

    name: str
    title: str
    points: float | None
    max_points: float
    checks: tuple[CheckRow, ...]
    next_step: str = ""


@dataclass(frozen=True)
class Row:
    """A student. `points` are those kept after lateness, `earned` those before; None if any part was not graded.

    No `exercises`: nothing was handed in. `worth` is what all have to do, where this student has begun more.
    `submitted` is ISO 8601. `sources` are the names under which the platform handed out the files. `page` reads the
    page to hand back when it is needed: one is in memory at a time.
    """

    who: Who
    max_points: float
    points: float | None = None
    earned: float | None = None
    exercises: tuple[ExerciseRow, ...] = ()
    attempt: int | None = None
    submitted: str = ""
    late: Kept | None = None
    sources: tuple[str, ...] = ()
    worth: float | None = None
    page: Callable[[], bytes] | None = None

    @property
    def state(self) -> str:
        """`missing`, `not_graded` (through no fault of the student), `needs_review` or `graded`."""
        if not self.exercises:
            return "missing"
        if self.points is None:
            return "not_graded"
        undecided = any(check.verdict == _NOT_DECIDED for one in self.exercises for check in one.checks)
        return "needs_review" if undecided or (self.late and not self.late.certain) else "graded"

    @property
    def scale(self) -> float:
        """What full marks are in a place that has one number for all."""
        return self.max_points if self.worth is None else self.worth

    @property
    def grade(self) -> float | None:
        """The points on that scale."""
        return None if self.points is None else on_one_scale(self.points, self.max_points, self.scale)


def row_of(record: Record, who: Who, late: Kept | None = None) -> Row:
    """The row of a record that has overrides in it. Time, sources and page are added by `dataclasses.replace`."""
    exercises = tuple(_exercise(one) for one in record["exercises"])
    graded = all(one.points is not None for one in exercises)
    return Row(
        who=who,
        max_points=float(record["max_points"]),
        points=(late.points if late else float(record["points"])) if graded else None,
        earned=float(record["points"]) if graded else None,
        exercises=exercises,
        attempt=int(record["submission"].get("attempt", 1)),
        late=late,
        worth=worth(record),
    )


def rounded(points: float) -> float:
    """At most two decimals, rounded down, so that what is less than full marks stays less."""
    return math.floor(points * 100 + 1e-6) / 100


def figure(points: float | None) -> str:
    """The same as it is written into a file: `7`, `7.5` or `7.25`, nothing for None."""
    return "" if points is None else f"{rounded(points):.2f}".rstrip("0").rstrip(".")


def _exercise(exercise: dict[str, Any]) -> ExerciseRow:
    checks = tuple(_check(one) for one in exercise["checks"])
    graded = all(one.points is not None for one in checks)
    diagnosis = exercise.get("diagnosis") or {}
    return ExerciseRow(
        name=exercise["name"],
        title=exercise["title"],
        points=float(exercise["points"]) if graded else None,
        max_points=float(exercise["max_points"]),
        checks=checks,
        next_step=diagnosis.get("next_step") or "",
    )


def _check(check: dict[str, Any]) -> CheckRow:
    return CheckRow(
        name=check["name"],
        title=check["title"],
        verdict=check["verdict"],
        points=None if check["verdict"] == _NOT_GRADED else float(check["points"]),
        max_points=float(check["max_points"]),
        tag=check.get("tag") or "",
        happened=check.get("happened") or "",
        expected=check.get("expected") or "",
        visibility=check["visibility"],
    )
