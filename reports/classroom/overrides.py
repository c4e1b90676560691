"""Points changed by hand on the page of a class: all that the records have, with rows and commands to copy for more."""

from __future__ import annotations

import csv
import io
import shlex
from collections.abc import Sequence
from typing import Any

from reports.by_hand import reason
from reports.classroom.page import OverrideRow, Overrides, PageLink
from reports.classroom.roster import Student
from reports.text import csv_cell, line, points
from reports.words import count, say

_PROBLEM = 400
PROBLEMS = 20


def overrides(students: Sequence[Student], problems: Sequence[str], *, anonymous: bool) -> Overrides:
    """Those of the attempts that count; `problems` are the rows of a file that were not taken, and why."""
    rows = tuple(row for student in students for row in _rows(student))
    kept = any(student.known.id for student in students)
    shown = tuple(line(one, _PROBLEM) for one in problems[:PROBLEMS])
    if len(problems) > PROBLEMS:
        shown = (*shown, count("more", len(problems) - PROBLEMS))
    if problems and anonymous:
        shown = (say("class_page.overrides_left_out_count", count=count("rows", len(problems))),)
    return Overrides(
        none=() if rows or problems else (say(f"class_page.overrides_none{'_kept' if kept else ''}"),),
        caption=say("class_page.overrides_caption"),
        tables=(rows,) if rows else (),
        problems=(shown,) if problems else (),
    )


def csv_row(*cells: object) -> str:
    """One row to copy into such a file."""
    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow([csv_cell(cell) for cell in cells])
    return out.getvalue()


def to_copy(student: Student, exercise: dict[str, Any], check: dict[str, Any]) -> str:
    """What gives the check all its points, and wants a reason: a command where a gradebook keeps it, else a row."""
    if student.known.id and student.shown != student.code:
        return say(
            "class_page.override_command",
            student=line(shlex.quote(student.known.id)),
            check=line(shlex.quote(f"{exercise['name']}.{check['name']}")),
            points=f"{check['max_points']:g}",
            reason=say("class_page.override_reason"),
        )
    ends = say("class_page.override_reason"), say("class_page.override_by")
    return csv_row(student.known_as, exercise["name"], check["name"], check["max_points"], *ends)


def _rows(student: Student) -> list[OverrideRow]:
    return [
        OverrideRow(
            student=PageLink(f"students/{student.page}", student.shown),
            exercise=line(exercise["title"]),
            check=line(check["title"]),
            before=points(check["by_hand"]["before"]),
            after=points(check["points"]),
            reason=reason(check["by_hand"]),
            by=line(check["by_hand"]["by"], 60),
        )
        for exercise in student.latest["exercises"]
        for check in exercise["checks"]
        if check.get("by_hand")
    ]
