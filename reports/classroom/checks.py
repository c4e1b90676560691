"""How the points are spread and how each check did."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from reports.classroom.chart import bar_chart
from reports.classroom.page import Cell, CheckFigures, Distribution, ExerciseFigures, Statistics
from reports.classroom.roster import Student
from reports.classroom.statistics import histogram, mean, point_biserial, quartiles
from reports.page import Table
from reports.text import line, number, points, short_points
from reports.words import count, say

FEWEST = 10
EDGES = tuple(range(0, 101, 10))
_LOW, _HARD, _EASY = 0.1, 20.0, 95.0
_UNDECIDED = frozenset({"grader_error", "needs_review"})

Part = dict[str, Any]


def statistics(students: Sequence[Student], most: float, boundaries: Sequence[float]) -> Statistics:
    """Everything in figures; nothing for a class in which figures would tell who is who."""
    if len(students) < FEWEST or not most:
        return Statistics((say("class_page.few", least=FEWEST),), (), (), ())
    exercises: dict[str, list[tuple[Part, Part]]] = {}
    for student in students:
        for exercise in student.latest["exercises"]:
            exercises.setdefault(exercise["name"], []).append((student.latest, exercise))
    return Statistics(
        (),
        (say("class_page.checks_note"),),
        (_distribution([student.share for student in students], most, boundaries),),
        tuple(_exercise(graded) for graded in exercises.values() if len(graded) >= FEWEST),
    )


def _distribution(parts: Sequence[float], most: float, boundaries: Sequence[float]) -> Distribution:
    earned, shares = [round(most * one, 4) for one in parts], [min(100.0, 100 * one) for one in parts]
    numbers = histogram(shares, EDGES)
    ranges = [say("class_page.distribution_range", low=low, high=high) for low, high in pairwise(EDGES)]
    middle = quartiles(earned)
    assert middle is not None
    told = say(
        "class_page.distribution_words",
        median=points(middle.median),
        lower=points(middle.lower),
        upper=points(middle.upper),
        max=short_points(most),
    )
    return Distribution(
        words=told,
        chart=bar_chart(ranges, numbers, sorted(set(boundaries)), told, short_points(most)),
        table=Table(
            caption=say("class_page.distribution_caption"),
            columns=(
                say("class_page.distribution_share"),
                say("class_page.column_students"),
                say("class_page.distribution_percent"),
            ),
            rows=tuple(
                (f"{name} %", str(one), say("class_page.share", percent=number(round(100 * one / len(earned)))))
                for name, one in zip(ranges, numbers, strict=True)
            ),
        ),
    )


def _exercise(graded: Sequence[tuple[Part, Part]]) -> ExerciseFigures:
    checks: dict[str, list[tuple[Part, Part]]] = {}
    for record, exercise in graded:
        for check in exercise["checks"]:
            checks.setdefault(check["name"], []).append((record, check))
    title = line(graded[0][1]["title"])
    return ExerciseFigures(
        title=title,
        caption=say("class_page.checks_caption", title=title, count=count("students", len(graded))),
        rows=tuple(_check(results) for results in checks.values()),
    )


def _check(results: Sequence[tuple[Part, Part]]) -> CheckFigures:
    """Results that are our fault, or not decided, count nowhere here."""
    decided = [(record, check) for record, check in results if check["verdict"] not in _UNDECIDED]
    enough = len(decided) >= FEWEST
    passed = [check["verdict"] == "passed" for _, check in decided]
    share = 100 * sum(passed) / len(passed) if enough else 0.0
    average = mean([check["points"] for _, check in decided]) if enough else None
    rest = [_rest(record, check) for record, check in decided]
    apart = point_biserial(passed, rest) if enough else None
    first = results[0][1]
    most = short_points(max(check["max_points"] for _, check in results))
    return CheckFigures(
        title=line(first["title"]),
        name=line(first["name"], 60),
        passed=_cell(say("class_page.share", percent=f"{share:.0f}") if enough else None, share),
        share=round(share, 1),
        mean=_cell(None if average is None else say("page.score", points=points(average), max=most), average),
        apart=_cell(None if apart is None else f"{apart:+.2f}".replace("-", "−"), apart),
        notes=_notes(share if enough else None, apart, len(results) - len(decided)),
    )


def _rest(record: Part, check: Part) -> float:
    """The share of all other points."""
    most = record["max_points"] - check["max_points"]
    return round((record["points"] - check["points"]) / most, 9) if most > 0 else 0.0


def _cell(words: str | None, value: float | None) -> Cell:
    """A figure that there is none of sorts before all others."""
    return Cell(say("text.no_number"), "-1000") if words is None or value is None else Cell(words, f"{value:.6g}")


def _notes(share: float | None, apart: float | None, undecided: int) -> tuple[str, ...]:
    kinds = {
        "easy": share is not None and share > _EASY,
        "hard": share is not None and share < _HARD,
        "negative": apart is not None and apart < 0,
        "low": apart is not None and 0 <= apart < _LOW,
    }
    notes = [say(f"class_page.note_{kind}") for kind, holds in kinds.items() if holds]
    return (*notes, *([say("class_page.note_undecided", count=count("students", undecided))] if undecided else []))
