"""Remarks on source that is not what it looks like: characters nobody sees, names in look-alike letters.

Nothing is changed in the source. A remark costs no points; it tells student and reader what Python reads there.
"""

from __future__ import annotations

from collections.abc import Iterator

from grader.intake import names
from grader.intake.outline import Outline
from grader.model.submission import Cell

MOST_KINDS, MOST_LINES = 6, 5
_FINE_IN_SOURCE = frozenset("\t\n\f")
_JOINERS = frozenset("\u200c\u200d\u00ad")  # in text: emoji of several parts, some scripts, and hyphenation


def remarks(cell: Cell, outline: Outline) -> Iterator[str]:
    """One for each kind of character that cannot be seen, and one for each name in look-alike letters."""
    for code, lines in _unseen(cell.source).items():
        more = f", and {len(lines) - MOST_LINES} more lines" if len(lines) > MOST_LINES else ""
        where = _placed(cell, "line " + ", ".join(str(line) for line in lines[:MOST_LINES]))
        yield f"{where}{more}: a character that cannot be seen ({code})"
    for one in outline.lookalikes:
        place, numbers = _placed(cell, f"line {one.line}"), names.numbers(one.name)
        name, meant = names.quoted(one.name), names.quoted(one.ascii)
        if one.is_read_so:
            yield f"{place}: Python reads the name {name} as {meant} ({numbers})"
        else:
            yield f"{place}: the name {name} looks like {meant} and is another one ({numbers})"


def _placed(cell: Cell, where: str) -> str:
    return where if cell.number is None else f"cell {cell.number}, {where}"


def _unseen(source: str) -> dict[str, list[int]]:
    """`U+202E` and the like, with the lines that hold it."""
    found = sorted(char for char in set(source) - _FINE_IN_SOURCE - _JOINERS if names.is_unprintable(char))
    return {f"U+{ord(char):04X}": _lines(source, char) for char in found[:MOST_KINDS]}


def _lines(source: str, char: str) -> list[int]:
    return [number for number, line in enumerate(source.split("\n"), 1) if char in line]
