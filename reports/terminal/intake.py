"""What was understood of the download of a class, for a terminal."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from reports.text import line
from reports.words import count, say

FILES = 4


def show(seen: dict[str, Any], console: Console) -> None:
    """A row for each attempt, then what was noticed and how much there is of everything."""
    table = Table(box=None, pad_edge=False)
    for column in ("student", "attempt", "submitted", "files", "noticed"):
        table.add_column(say(f"intake.{column}"), overflow="fold")
    for student in seen["students"]:
        for attempt in student["attempts"] or [None]:
            table.add_row(*(Text(cell) for cell in _row(student, attempt)))
    console.print(table)
    counts = seen["counts"]
    parts = [count("students", counts["students"]), count("hand_ins", counts["hand_ins"])]
    parts += [count(what, counts[what]) for what in ("late", "without_submission", "not_on_roster") if counts[what]]
    console.print(Text(say("intake.summary", layout=line(seen["layout"]), counts=", ".join(parts))))
    for note in (*seen["notes"], *(say("intake.skipped", **_safe(one)) for one in seen["skipped"])):
        console.print(Text(line(note)))
    if seen["junk"]:
        console.print(Text(say("intake.junk", number=sum(seen["junk"].values()))))


def _row(student: dict[str, Any], attempt: dict[str, Any] | None) -> tuple[str, ...]:
    name = line(student["student"])
    if attempt is None:
        return name, "", "", say("intake.nothing"), ""
    code = [line(path) for path in attempt["code"]]
    more = [count("more", len(code) - FILES)] if len(code) > FILES else []
    late = f" {say('intake.is_late')}" if attempt["late"] else ""
    when = (line(attempt["submitted"]) if attempt["submitted"] else "") + late
    return (
        name,
        str(attempt["attempt"]),
        when,
        ", ".join([*code[:FILES], *more]),
        " ".join(map(line, attempt["attention"])),
    )


def _safe(skipped: dict[str, str]) -> dict[str, str]:
    return {name: line(value) for name, value in skipped.items()}
