"""From the records of a class to its page. As on a student's page, what is not named below does not reach it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from reports.classroom.attention import attention, begun, bounded, link, undecided
from reports.classroom.checks import FEWEST, statistics
from reports.classroom.groups import Lessons, misconceptions
from reports.classroom.overrides import overrides
from reports.classroom.page import Cell, ClassPage, Group, StudentRow, StudentTable
from reports.classroom.roster import Student
from reports.classroom.statistics import quartiles
from reports.lateness import in_brief
from reports.page import Fact, Link
from reports.student.view import confinement_level
from reports.text import line, number, points, short_digest, short_points
from reports.words import count, say, words
from reports.worth import worth

FILES = 20

Part = dict[str, Any]


@dataclass(frozen=True)
class Asked:
    """How the page is to be made. `lessons` says for each tag of a diagnosis what there is to say about it.

    `broken` holds a file and a sentence for each record that could not be read, `others` counts files of other kinds;
    `not_applied` says which rows of a file of points changed by hand were left out, and why.
    """

    anonymous: bool = False
    boundaries: tuple[float, ...] = (50.0,)
    not_applied: tuple[str, ...] = ()
    lessons: Lessons = field(default_factory=dict)
    broken: tuple[tuple[str, str], ...] = ()
    others: int = 0


def class_view(students: Sequence[Student], asked: Asked) -> ClassPage:
    """The page of a class of one student or more."""
    most = max(worth(student.latest) for student in students)
    grouped = misconceptions(students, asked.lessons)
    concerns = attention(students, asked.boundaries)
    return ClassPage(
        language="en",
        title=say("class_page.title", course=line(students[0].latest["course"]["name"])),
        summary=_summary(students, most, asked, grouped.page.groups[:1]),
        attention=concerns,
        calm=() if concerns else (say("class_page.attention_none"),),
        statistics=statistics(students, most, asked.boundaries),
        misconceptions=grouped.page,
        students=_students(students, most, grouped.numbers),
        overrides=overrides(students, asked.not_applied, anonymous=asked.anonymous),
        run=_run(students, asked),
    )


def _summary(students: Sequence[Student], most: float, asked: Asked, largest: Sequence[Group]) -> tuple[str, ...]:
    parts = [count("students", len(students)), count("records", sum(len(student.attempts) for student in students))]
    middle = quartiles([round(most * student.share, 4) for student in students])
    if middle is not None and len(students) >= FEWEST:
        parts.append(say("class_page.median", points=points(middle.median), max=short_points(most)))
    if late := sum(bool(student.known.kept and student.known.kept.is_late) for student in students):
        parts.append(count("late", late))
    if ungraded := sum(bool(undecided(student.latest)) for student in students):
        parts.append(say("class_page.to_look_at", count=count("students", ungraded)))
    for group in largest:
        parts.append(say("class_page.most_common", title=group.title, count=count("students", len(group.who))))
    if asked.anonymous:
        parts.append(say("class_page.anonymous"))
    return tuple(parts)


def _students(students: Sequence[Student], most: float, groups: dict[str, list[int]]) -> StudentTable:
    exercises = list(dict.fromkeys(one["name"] for student in students for one in student.latest["exercises"]))
    timed = any(student.known.kept for student in students)
    added = [say("class_page.column_earned"), say("class_page.column_late")] if timed else []
    return StudentTable(
        caption=say(f"class_page.students_caption{'_late' if timed else ''}", max=short_points(most)),
        columns=(*(line(name, 40) for name in exercises), *added),
        rows=tuple(
            replace(
                _student(student, exercises, groups.get(student.name, []), timed=timed), points=_total(student, most)
            )
            for student in students
        ),
    )


def _student(student: Student, exercises: Sequence[str], groups: Sequence[int], *, timed: bool) -> StudentRow:
    latest = student.latest
    earned = {exercise["name"]: exercise["points"] for exercise in latest["exercises"]}
    started = line(latest["timing"]["started"][:16].replace("T", " "))
    number_of = student.number_of_attempts
    return StudentRow(
        student=link(student),
        points=_points(student.points),
        parts=(*(_points(earned.get(name)) for name in exercises), *(_late(student) if timed else ())),
        attempts=Cell(str(number_of), str(number_of)),
        date=Cell(started, started),
        state=say(f"class_page.state_{_state(latest)}"),
        groups=tuple(Link(f"group-{n}", str(n)) for n in groups),
    )


def _total(student: Student, most: float) -> Cell:
    """The points that count; of how many, for who has begun more than has to be done. Sorted by their share."""
    own, told = student.latest["max_points"], points(student.points)
    told = told if own == most else say("page.score", points=told, max=short_points(own))
    return Cell(told, f"{most * student.share:.6g}")


def _late(student: Student) -> tuple[Cell, ...]:
    kept = student.known.kept
    lateness = Cell(in_brief(kept), f"{kept.seconds:.0f}") if kept else Cell(say("text.no_number"), "-1")
    return _points(student.latest["points"]), lateness


def _points(value: float | None) -> Cell:
    return Cell(say("text.no_number"), "-1") if value is None else Cell(points(value), f"{value:.6g}")


def _state(record: Part) -> str:
    if undecided(record):
        return "ungraded"
    if record["points"] >= record["max_points"]:
        return "full"
    return "open" if all(begun(exercise) for exercise in record["exercises"]) else "missing"


def _run(students: Sequence[Student], asked: Asked) -> tuple[Fact, ...]:
    """What the numbers depend on. Seeds are private to the course and stand nowhere."""
    records = [record for student in students for record in student.attempts]
    courses = [
        say("about.digest_of", name=line(one["course"]["name"]), digest=short_digest(one["course"]["digest"]))
        for one in records
    ]
    environments = [record["environment"] for record in records]
    versions = {
        part: _counted([line(one[part], 60) for one in environments])
        for part in ("grader", "python", "torch", "system")
    }
    levels = [words()["class_page"][f"run_{confinement_level(one)}"] for one in environments]
    told = {"records": count("records", len(records)), "students": count("students", len(students))}
    broken = [f"{line(path)}: {line(reason)}" for path, reason in asked.broken]
    if broken and asked.anonymous:
        broken = [count("files", len(broken))]
    facts = {
        "records": say("class_page.run_records_words", **told),
        "dates": _dates(records),
        "course": _counted(courses),
        **versions,
        "confinement": _counted(levels),
        "time": _seconds(records),
        "other": say("class_page.run_other_words", files=count("files", asked.others)) if asked.others else "",
        "broken": "\n".join(bounded(broken, FILES)),
    }
    return tuple(Fact(say(f"class_page.run_{name}"), value) for name, value in facts.items() if value)


def _counted(values: Sequence[str]) -> str:
    """The one value that all records have, or each with how many have it."""
    found = Counter(values)
    if len(found) == 1:
        return values[0]
    return ", ".join(
        say("class_page.run_several", value=value, records=count("records", n)) for value, n in found.most_common(10)
    )


def _dates(records: Sequence[Part]) -> str:
    dates = sorted(record["timing"]["started"][:10] for record in records if record["timing"]["started"])
    return say("class_page.run_dates_words", first=line(dates[0]), last=line(dates[-1])) if dates else ""


def _seconds(records: Sequence[Part]) -> str:
    """How long a record took: its total, else the two stages that make it up."""
    took = []
    for record in records:
        parts = record["timing"]["seconds"]
        took.append(parts.get("total", parts.get("intake", 0.0) + parts.get("checks", 0.0)))
    middle = quartiles(took)
    if middle is None or not sum(took):
        return ""
    return say("class_page.run_time_words", median=number(middle.median), all=f"{sum(took):,.0f}")
