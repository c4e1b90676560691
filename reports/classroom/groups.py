"""Misconceptions: students whose code computes the same wrong formula, or who made the same kind of mistake."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from reports.classroom.anonymous import anonymised
from reports.classroom.attention import begun, link
from reports.classroom.checks import FEWEST
from reports.classroom.page import Alone, Example, Group, Misconceptions
from reports.classroom.roster import Student
from reports.student.formula import compare
from reports.text import block, line, number
from reports.words import count, say

SHOWN = 8
MOST_ALONE = 200
CHECKS = 5
_CODE_CHARACTERS = 160
_HAPPENED_CHARACTERS = 400

Part = dict[str, Any]
Lessons = Mapping[str, Mapping[str, str]]


class Case(NamedTuple):
    """One student's exercise that did not go well."""

    student: Student
    exercise: Part

    @property
    def diagnosis(self) -> Part:
        """What was found first."""
        found: Part = self.exercise["diagnosis"]
        return found


class Grouped(NamedTuple):
    """The page values, and for each student the numbers of their groups."""

    page: Misconceptions
    numbers: dict[str, list[int]]


def misconceptions(students: Sequence[Student], lessons: Lessons) -> Grouped:
    """Groups of two or more, largest first. An exercise that was not begun is no mistake and in no group."""
    cases = [Case(student, one) for student in students for one in student.latest["exercises"] if one["diagnosis"]]
    made = [case for case in cases if begun(case.exercise)]
    found: dict[tuple[str, ...], list[Case]] = {}
    for case in made:
        found.setdefault(_kind(case), []).append(case)
    alike = sorted((same for kind, same in found.items() if kind[1:] and len(same) > 1), key=len, reverse=True)
    groups = [_group(n, same, len(students), lessons) for n, same in enumerate(alike, 1)]
    numbers: dict[str, list[int]] = {}
    for at, same in enumerate(alike, 1):
        for case in same:
            numbers.setdefault(case.student.name, []).append(at)
    grouped = {id(case.exercise) for same in alike for case in same}
    alone = [case for case in made if id(case.exercise) not in grouped]
    rest = tuple(groups[SHOWN:])
    notes = [] if groups else [say("class_page.misconceptions_none")]
    if waiting := len({case.student.name for case in cases if not begun(case.exercise)}):
        notes.append(say("class_page.not_begun", count=count("students", waiting)))
    page = Misconceptions(
        groups=tuple(groups[:SHOWN]),
        rest=((count("more", len(rest)), rest),) if rest else (),
        notes=tuple(notes),
        alone=((say("class_page.not_in_group", n=len(alone)), _alone(alone)),),
    )
    return Grouped(page, numbers)


def _kind(case: Case) -> tuple[str, ...]:
    """The exercise and the wrong formula, else the exercise and the tag, else the exercise alone."""
    formula, tag, name = case.diagnosis["formula"], case.diagnosis["tag"], str(case.exercise["name"])
    if formula and formula["found"] and formula["found"] != formula["expected"]:
        return name, "formula", str(formula["found"])
    return (name, "tag", str(tag)) if tag else (name,)


def _group(n: int, cases: Sequence[Case], all_: int, lessons: Lessons) -> Group:
    tag = _most_common([case.diagnosis["tag"] for case in cases if case.diagnosis["tag"]])
    lesson = lessons.get(tag or "", {})
    chosen = _example(cases)
    formulas = [case.diagnosis["formula"] for case in cases if _kind(case)[1:2] == ("formula",)][:1]
    size = say(
        "class_page.group_size" if all_ >= FEWEST else "class_page.group_size_few",
        count=count("students", len(cases)),
        percent=number(round(100 * len(cases) / all_)),
    )
    return Group(
        anchor=f"group-{n}",
        name=say("class_page.group_name", n=n),
        title=line(lesson.get("title") or chosen.exercise["title"]),
        size=size,
        exercise=line(chosen.exercise["title"]),
        formulas=tuple(compare(formula) for formula in formulas),
        checks=_failing(cases),
        examples=(_shown(chosen),),
        say=_say(lesson, chosen.diagnosis),
        who_words=say("class_page.group_who", count=count("students", len(cases))),
        who=tuple(link(case.student) for case in cases),
    )


def _example(cases: Sequence[Case]) -> Case:
    """One of those whom the same thing happened to as most; which one depends on the codes, not on the names."""
    usual = _most_common([case.diagnosis["happened"] for case in cases])
    return min(
        (case for case in cases if case.diagnosis["happened"] == usual),
        key=lambda case: (not (case.diagnosis["where"] or {}).get("code"), case.student.code),
    )


def _shown(case: Case) -> Example:
    at = case.student.latest["exercises"].index(case.exercise)
    nameless = anonymised(case.student.latest, case.student.known_as, say("class_page.somebody"))
    diagnosis = nameless["exercises"][at]["diagnosis"]
    where = diagnosis["where"] or {}
    code = line(str(where.get("code") or "").strip(), _CODE_CHARACTERS)
    place = ""
    if where.get("line"):
        cell = "cell" if where.get("cell") is not None else "line"
        place = say(f"class_page.group_{cell}", cell=where.get("cell"), line=where["line"])
    return Example(block(diagnosis["happened"].strip(), _HAPPENED_CHARACTERS), place, (code,) if code else ())


def _say(lesson: Mapping[str, str], diagnosis: Part) -> tuple[str, ...]:
    """What the vocabulary says about the tag, else what the record expects and advises."""
    told = [lesson.get(part, "") for part in ("sentence", "why", "hint")] if lesson else []
    told = told or [diagnosis["expected"], diagnosis["next_step"]]
    return tuple(dict.fromkeys(block(one.strip(), _HAPPENED_CHARACTERS) for one in told if one.strip()))


def _failing(cases: Sequence[Case]) -> tuple[str, ...]:
    """The checks that half of the group or more did not pass."""
    lost: Counter[str] = Counter()
    titles = {}
    for case in cases:
        for check in case.exercise["checks"]:
            titles[check["name"]] = line(check["title"])
            lost[check["name"]] += check["verdict"] not in ("passed", "needs_review")
    usual = [name for name, times in lost.most_common(CHECKS) if 2 * times >= len(cases)]
    return tuple(say("class_page.group_check", title=titles[one], n=lost[one], all=len(cases)) for one in usual)


def _alone(cases: Sequence[Case]) -> tuple[Alone, ...]:
    return tuple(
        Alone(link(case.student), line(" ".join(case.diagnosis["happened"].split()))) for case in cases[:MOST_ALONE]
    )


def _most_common(values: Sequence[str]) -> str | None:
    return Counter(values).most_common(1)[0][0] if values else None
