"""Points changed by hand: read from a CSV file, and put into the records so that every page shows them."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from reports.classroom.anonymous import without_name
from reports.classroom.roster import Student
from reports.text import block, csv_cell, line, short_points
from reports.words import say

Record = dict[str, Any]
Part = dict[str, Any]

COLUMNS = ("student", "exercise", "check", "points", "reason", "by")
_SENTENCE = 500


@dataclass(frozen=True)
class Override:
    """One row. When it has been applied, `student` is the name as in the roster and `before` the points until then."""

    row: int
    student: str
    exercise: str
    check: str
    points: float
    reason: str
    by: str
    before: float = 0.0


@dataclass(frozen=True)
class Applied:
    """The students with their changed records, the rows that were applied, and a sentence for each other row."""

    students: tuple[Student, ...]
    rows: tuple[Override, ...]
    problems: tuple[str, ...]


class _NotApplied(Exception):
    """Says why a row was not applied, in a sentence."""


def with_overrides(students: Sequence[Student], text: str, *, anonymous: bool = False) -> Applied:
    """Apply each row of `text` to the latest record of its student, who is named as in the record or by code.

    `anonymous`: names of the class are taken out of the reasons.
    """
    names = {key: at for at, one in enumerate(students) for key in (one.code, csv_cell(one.name), one.name)}
    changed, rows, problems = list(students), [], []
    for number, read in _rows(text):
        try:
            row = _override(number, read)
            if (at := names.get(row.student)) is None:
                raise _NotApplied(say("class_page.row_student", student=line(row.student, 60)))
            record, row = _applied(changed[at], _of(students[at], row, students if anonymous else ()))
        except _NotApplied as problem:
            problems.append(say("class_page.row_problem", row=number, problem=problem))
        else:
            changed[at] = replace(changed[at], attempts=(*changed[at].attempts[:-1], record))
            rows.append(row)
    return Applied(tuple(changed), tuple(rows), tuple(problems))


def _of(student: Student, row: Override, hidden: Sequence[Student]) -> Override:
    """The row under the name of its student, with codes for the names in its reason."""
    reason = without_name(row.reason, student.name, student.code) if hidden else row.reason
    for other in hidden:
        reason = without_name(reason, other.name, other.code, parts=False)
    return replace(row, student=student.name, reason=reason)


def csv_row(*cells: object) -> str:
    """One row to copy into such a file."""
    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow([csv_cell(cell) for cell in cells])
    return out.getvalue()


def _rows(text: str) -> Iterator[tuple[int, dict[str, str] | str]]:
    """The number of each row in the file with its cells by column, or with a sentence when it cannot be read."""
    first = text.partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=";" if first.count(";") > first.count(",") else ",")
    columns: list[str] | None = None
    while True:
        try:
            cells = [cell.strip() for cell in next(reader)]
        except StopIteration:
            return
        except csv.Error:
            yield reader.line_num, say("class_page.row_broken")
            return
        if not any(cells):
            continue
        if columns is None:
            columns = [cell.lower() for cell in cells]
            if missing := [name for name in COLUMNS if name not in columns]:
                told = {"columns": ", ".join(COLUMNS), "missing": ", ".join(missing)}
                yield reader.line_num, say("class_page.row_header", **told)
                return
        else:
            yield reader.line_num, dict(zip(columns, [*cells, *[""] * len(columns)], strict=False))


def _override(number: int, cells: dict[str, str] | str) -> Override:
    if isinstance(cells, str):
        raise _NotApplied(cells)
    written = cells["points"]
    try:
        points = float(written.replace(",", "."))
    except ValueError:
        points = math.nan
    if not math.isfinite(points):
        raise _NotApplied(say("class_page.row_number", points=line(written, 40)))
    if not cells["reason"]:
        raise _NotApplied(say("class_page.row_reason"))
    student = " ".join(cells["student"].split())
    return Override(number, student, cells["exercise"], cells["check"], points, cells["reason"], cells["by"])


def _applied(student: Student, row: Override) -> tuple[Record, Override]:
    """The latest record with the points of the row, and a remark that says so on the student's page."""
    record = student.latest
    exercise = next((one for one in record["exercises"] if one["name"] == row.exercise), None)
    if exercise is None:
        told = {"student": line(row.student, 60), "exercise": line(row.exercise, 60)}
        raise _NotApplied(say("class_page.row_exercise", **told))
    check = next((one for one in exercise["checks"] if one["name"] == row.check), None)
    if check is None:
        told = {"exercise": line(row.exercise, 60), "check": line(row.check, 60)}
        raise _NotApplied(say("class_page.row_check", **told))
    if not 0 <= row.points <= check["max_points"]:
        told = {"points": short_points(row.points), "max": short_points(check["max_points"])}
        raise _NotApplied(say("class_page.row_points", **told))
    row = replace(row, before=check["points"])
    exercises = [_exercise(one, row) if one is exercise else one for one in record["exercises"]]
    return {**record, "exercises": exercises, "points": _sum(exercises)}, row


def _exercise(exercise: Part, row: Override) -> Part:
    checks = [_check(check, row) if check["name"] == row.check else check for check in exercise["checks"]]
    verdicts = {check["verdict"] for check in checks}
    diagnosis = exercise["diagnosis"]
    if diagnosis is not None and diagnosis["check"] == row.check and row.points == _most(checks, row.check):
        diagnosis = None
    verdict = "passed" if verdicts == {"passed"} else "partial" if "passed" in verdicts else exercise["verdict"]
    return {**exercise, "checks": checks, "points": _sum(checks), "diagnosis": diagnosis, "verdict": verdict}


def _check(check: Part, row: Override) -> Part:
    """A verdict of ours that was not reached is reached now, by hand."""
    part = "partial" if row.points else "failed"
    told = {
        "before": short_points(check["points"]),
        "after": short_points(row.points),
        "reason": block(row.reason, _SENTENCE),
        "by": line(row.by, 60),
    }
    remark = say(f"class_page.override_remark{'_by' if row.by else ''}", **told)
    verdict = "passed" if row.points == check["max_points"] else part
    return {**check, "points": row.points, "verdict": verdict, "remarks": [*check["remarks"], remark]}


def _most(checks: Sequence[Part], name: str) -> float:
    return max(float(check["max_points"]) for check in checks if check["name"] == name)


def _sum(parts: Sequence[Part]) -> float:
    return round(math.fsum(part["points"] for part in parts), 2)
