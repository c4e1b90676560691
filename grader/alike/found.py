"""What a search for alike submissions finds: plain data for a page, bounded in number and size.

Text in it is as the students wrote it, cut but not made safe: that is the work of whoever shows it.
"""

from __future__ import annotations

import msgspec


class Side(msgspec.Struct, frozen=True):
    """Lines `first` to `last` (from 1, both included) of one student's file, or of its code cell `cell`.

    `lines` are their text from `first` on; fewer than there are when it is many, and long ones cut.
    """

    file: str
    cell: int | None
    first: int
    last: int
    lines: tuple[str, ...]


class Part(msgspec.Struct, frozen=True):
    """A stretch that stands in both: `tokens` of it are of the same kinds in the same order."""

    one: Side
    other: Side
    tokens: int


class Pair(msgspec.Struct, frozen=True):
    """Two students. `score` is 0 to 1: how much of a file of one stands in the other, the usual counted little.

    `tokens` are those that match, `parts` the longest stretches of them and `parts_left_out` how many more there are.
    """

    one: str
    other: str
    score: float
    tokens: int
    parts: tuple[Part, ...]
    parts_left_out: int = 0


class Alike(msgspec.Struct, frozen=True):
    """The pairs with at least the score `least`, the most alike first, and how many more there are.

    `students` were looked at; `nothing_own` of them had nothing beside starter code to compare; `cut` names those with
    so much code that the end of it was not looked at.
    """

    students: int
    least: float
    pairs: tuple[Pair, ...]
    pairs_left_out: int = 0
    nothing_own: int = 0
    cut: tuple[str, ...] = ()
