"""What an instructor has to look at first: who, why, and what to do about it."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from itertools import pairwise, takewhile
from typing import Any

from reports.classroom.overrides import to_copy
from reports.classroom.page import Concern, Concerns, PageLink
from reports.classroom.roster import Student
from reports.lateness import Kept
from reports.text import line, number, points, short_points
from reports.words import count, say

SHOWN = 4
CHECKS = 4
STUDENTS = 40
_OURS = {"grader_error": "ungraded_error", "needs_review": "ungraded_review"}
_STUCK_ATTEMPTS = 3

Part = dict[str, Any]


def link(student: Student) -> PageLink:
    """The way to the student's page."""
    return PageLink(f"students/{student.page}", student.shown)


def attention(students: Sequence[Student], boundaries: Iterable[float]) -> tuple[Concerns, ...]:
    """The kinds of concern that there are, in the order in which they want to be dealt with."""
    kinds = {
        "ungraded": [one for student in students for one in _ungraded(student)],
        "late": [one for student in students if student.known.kept for one in _late(student, student.known.kept)],
        "stuck": [one for student in students for one in _stuck(student)],
        "boundary": _near(students, sorted(set(boundaries))),
        "alike": _alike(students),
    }
    return tuple(_concerns(kind, rows) for kind, rows in kinds.items() if rows)


def undecided(record: Part) -> list[tuple[Part, Part]]:
    """The checks, each after its exercise, that ended without a verdict on the student."""
    return [
        (exercise, one) for exercise in record["exercises"] for one in exercise["checks"] if one["verdict"] in _OURS
    ]


def begun(exercise: Part) -> bool:
    """Whether there is more than a stub, as far as the record tells: a check was tried."""
    return any(check["verdict"] != "not_run" for check in exercise["checks"])


def _concerns(kind: str, rows: Sequence[Concern]) -> Concerns:
    rest = tuple(rows[SHOWN:])
    return Concerns(
        anchor=f"attention-{kind}",
        title=say(f"class_page.{kind}"),
        amount=str(len(rows)),
        rows=tuple(rows[:SHOWN]),
        rest=((count("more", len(rest)), rest),) if rest else (),
    )


def _ungraded(student: Student) -> tuple[Concern, ...]:
    found = undecided(student.latest)
    if not found:
        return ()
    why = [
        say(
            f"class_page.{_OURS[check['verdict']]}",
            exercise=line(exercise["name"]),
            check=line(check["title"].rstrip(".")),
        )
        for exercise, check in found
    ]
    rows = [to_copy(student, exercise, check) for exercise, check in found]
    ours = any(check["verdict"] == "grader_error" for _, check in found)
    kept = bool(student.known.id) and student.shown != student.code
    again = say(
        "class_page.batch_command" if kept else "class_page.regrade_command",
        student=line(shlex.quote(student.known.id if kept else student.known_as)),
    )
    by_hand = "override_todo" if kept else "ungraded_todo"
    return (
        Concern(
            students=(link(student),),
            why=bounded(why, CHECKS),
            todo=say(f"class_page.{'regrade_todo' if ours else by_hand}"),
            commands=(*((again,) if ours else ()), *rows[:CHECKS]),
        ),
    )


def _late(student: Student, kept: Kept) -> tuple[Concern, ...]:
    """The platform says that it was late, and not how much: the course cannot say what it costs."""
    if not kept.is_late or kept.certain:
        return ()
    return (Concern((link(student),), (line(kept.sentence),), say("class_page.late_todo"), ()),)


def _stuck(student: Student) -> tuple[Concern, ...]:
    """At least three attempts at the end of which none earned more than the one before it, and points are missing."""
    latest = student.latest
    older = [(one["points"], one["max_points"]) for one in reversed(student.attempts)]
    pairs = pairwise(older)
    same = 1 + sum(1 for _ in takewhile(lambda pair: pair[0][0] <= pair[1][0] and pair[0][1] == pair[1][1], pairs))
    if same < _STUCK_ATTEMPTS or latest["points"] >= latest["max_points"]:
        return ()
    told = {"points": points(latest["points"]), "max": short_points(latest["max_points"])}
    why = say("class_page.stuck_why", attempts=count("attempts", student.number_of_attempts), same=same, **told)
    return (Concern((link(student),), (why,), _most_missing(latest, "stuck_todo"), ()),)


def _near(students: Sequence[Student], boundaries: Sequence[float]) -> list[Concern]:
    found = []
    for percent in boundaries:
        for student in students:
            boundary = round(student.latest["max_points"] * percent / 100, 2)
            missing = round(boundary - student.points, 2)
            if 0 < missing <= 1:
                why = say(
                    "class_page.boundary_why",
                    points=points(student.points),
                    boundary=short_points(boundary),
                    missing=number(missing),
                    percent=number(percent),
                )
                found.append(Concern((link(student),), (why,), _most_missing(student.latest, "boundary_todo"), ()))
    return found


def _most_missing(record: Part, sentence: str) -> str:
    """The sentence with the check that cost most."""
    lost = [
        (check["max_points"] - check["points"], exercise, check)
        for exercise in record["exercises"]
        for check in exercise["checks"]
    ]
    if not lost:
        return say("class_page.none_missing")
    _, exercise, check = max(lost, key=lambda one: one[0])
    return say(f"class_page.{sentence}", exercise=line(exercise["name"]), check=line(check["title"].rstrip(".")))


def _alike(students: Sequence[Student]) -> list[Concern]:
    """Files of an exercise, not stubs, that two or more students handed in alike to the last byte."""
    found: dict[str, tuple[dict[str, str], dict[str, Student]]] = {}
    for student in students:
        digests = {file["path"]: file["digest"] for file in student.latest["submission"]["files"]}
        for exercise in student.latest["exercises"]:
            digest = digests.get(exercise["file"])
            if digest and begun(exercise):
                exercises, owners = found.setdefault(digest, ({}, {}))
                exercises[exercise["name"]] = line(exercise["name"])
                owners[student.name] = student
    together: dict[tuple[str, ...], tuple[dict[str, str], dict[str, Student]]] = {}
    for exercises, owners in found.values():
        together.setdefault(tuple(owners), ({}, owners))[0].update(exercises)
    return [
        Concern(
            students=tuple(link(owner) for owner in list(owners.values())[:STUDENTS]),
            why=(say("class_page.alike_why", exercises=", ".join(exercises.values())),),
            todo=say("class_page.alike_todo"),
            commands=(),
        )
        for exercises, owners in together.values()
        if len(owners) > 1
    ]


def bounded(items: Sequence[str], bound: int) -> tuple[str, ...]:
    """At most `bound` items and a last one that counts the others."""
    rest = len(items) - bound
    return tuple(items) if rest <= 0 else (*items[:bound], count("more", rest))
