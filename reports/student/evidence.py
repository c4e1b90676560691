"""The numbers behind the words: evidence of visible checks, what was printed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from reports.page import Evidence, Fact, PrintedView, Table
from reports.text import block, ends, line, number
from reports.words import count, say

ROWS = 60
COLUMNS = 12
PRINTED_CHARACTERS = 3000


def evidence(check: dict[str, Any], shown: str = "") -> tuple[Evidence, ...]:
    """What a visible check measured; nothing at all for a hidden one, whatever the record holds.

    A table with the caption `shown` stands elsewhere on the page already.
    """
    if check["visibility"] != "visible" or not check.get("evidence"):
        return ()
    measured = check["evidence"]
    tables = [
        table(say(f"page.evidence_{part}"), _name_and_value(), measured[part])
        for part in ("inputs", "numbers")
        if measured.get(part)
    ]
    made = measured.get("table")
    if made and made["caption"] != shown:
        tables.append(table(made["caption"], made["columns"], made["rows"]))
    return (Evidence(line(check["title"]), tuple(tables)),) if tables else ()


def printed(record: dict[str, Any]) -> tuple[PrintedView, ...]:
    """The first and the last part of what was printed, and how much it was in all."""
    characters = record["characters"]
    if not characters:
        return ()
    overlap = max(0, len(record["head"]) + len(record["tail"]) - characters)
    head, tail, shown = ends(record["head"], record["tail"][overlap:], PRINTED_CHARACTERS)
    left_out = characters - shown
    everything = count("characters", characters)
    if left_out <= 0:
        parts = ((say("page.printed"), head + tail),)
        return (PrintedView(_facts(parts), say("text.printed_all", count=everything)),)
    parts_cut = ((say("text.printed_start"), head), (say("text.printed_end"), tail))
    note = say("text.printed_cut", count=everything, left_out=f"{left_out:,}")
    return (PrintedView(_facts(parts_cut), note),)


def bounded(items: Sequence[str], bound: int) -> tuple[str, ...]:
    """At most `bound` items and a last one that counts the others."""
    rest = len(items) - bound
    return tuple(items) if rest <= 0 else (*items[:bound], count("more", rest))


def _facts(parts: Iterable[tuple[str, str]]) -> tuple[Fact, ...]:
    return tuple(Fact(label, value) for label, value in parts if value)


def table(caption: str, columns: Sequence[object], rows: Sequence[Sequence[object]]) -> Table:
    """A table of safe cells, cut to its bounds; what was cut is counted."""
    rest = len(rows) - ROWS
    return Table(
        caption=line(caption),
        columns=tuple(line(column, 60) for column in columns[:COLUMNS]),
        rows=tuple(tuple(_cell(cell) for cell in row[:COLUMNS]) for row in rows[:ROWS]),
        notes=(count("more", rest),) if rest > 0 else (),
    )


def _cell(value: object) -> str:
    return block(value, 400, 12) if isinstance(value, str) else number(value)


def _name_and_value() -> tuple[str, str]:
    return say("page.evidence_name"), say("page.evidence_value")
