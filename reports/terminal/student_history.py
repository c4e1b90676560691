"""All that a gradebook knows of one student, for a terminal."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from reports.text import line, points, short_points
from reports.words import say


def show(known: dict[str, Any], console: Console) -> None:
    """Attempts, what counts and why, then every change by hand and who did what when."""
    names = ", ".join(line(one["name"]) for one in known["people"] if one["name"])
    console.print(Text(line(known["student"]) + (f"  {names}" if names else "")), style="bold")
    grade, history = known["grade"], known["history"]
    table = Table(box=None, pad_edge=False)
    for column in ("attempt", "submitted", "points", "lost"):
        table.add_column(say(f"history.{column}"), overflow="fold")
    for one in history["attempts"]:
        counts = say("history.counts") if one["number"] == grade["number"] else ""
        submitted = line(one["arrival"]["submitted_at"] or "")
        earned = say("console.score", points=points(one["record"]["points"]), max=_most(one))
        table.add_row(*(Text(cell) for cell in (f"{one['number']} {counts}", submitted, earned, _lost(one["record"]))))
    console.print(table)
    told = [say("history.grade", points=points(grade["points"]), max=short_points(grade["max_points"]))]
    if grade["late"]:
        told.append(grade["late"]["sentence"])
    told += [_override(one) for one in history["overrides"]]
    told += [
        say("history.audit", **{key: line(str(one[key])) for key in ("at", "by", "action")}) for one in history["audit"]
    ]
    for sentence in told:
        console.print(Text(line(sentence)))


def _most(one: dict[str, Any]) -> str:
    return short_points(one["record"]["max_points"])


def _lost(record: dict[str, Any]) -> str:
    """The checks that cost points, as `grade override` wants them named; one word for those of a whole exercise."""
    told: list[str] = []
    for exercise in record["exercises"]:
        lost = [check["name"] for check in exercise["checks"] if check["points"] < check["max_points"]]
        whole = exercise["points"] == 0 and len(lost) > 1
        told += [say("history.all", exercise=exercise["name"])] if whole else [f"{exercise['name']}.{n}" for n in lost]
    return ", ".join(map(line, told))


def _override(one: dict[str, Any]) -> str:
    check = line(f"{one['exercise']}.{one['check']}")
    if one["points"] is None:
        return say("history.undone", check=check, by=line(one["by"]), reason=line(one["reason"]))
    return say(
        "history.override",
        check=check,
        points=short_points(one["points"]),
        by=line(one["by"]),
        reason=line(one["reason"]),
    )
