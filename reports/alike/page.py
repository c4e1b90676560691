"""What the page of alike submissions consists of: frozen values whose every string is safe text.

What may be absent is a tuple of none or one.
"""

from __future__ import annotations

from dataclasses import dataclass

from reports.figures import CodeLine


@dataclass(frozen=True)
class SideView:
    """Lines of one student's file; `rest` says that there are more."""

    student: str
    place: str
    lines: tuple[CodeLine, ...]
    rest: tuple[str, ...]


@dataclass(frozen=True)
class PartView:
    """A stretch that stands in both files."""

    title: str
    sides: tuple[SideView, SideView]


@dataclass(frozen=True)
class PairView:
    """Two students, how alike they are, and what of it is shown; `notes` say what is not."""

    anchor: str
    title: str
    amount: str
    parts: tuple[PartView, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class PairRow:
    """A row of the ranking; `link` is empty for a pair whose parts are not shown."""

    rank: str
    students: str
    link: tuple[str, ...]
    score: str
    tokens: str
    places: str


@dataclass(frozen=True)
class AlikePage:
    """The whole page; `tables` holds the rows of the ranking, if there are any."""

    language: str
    title: str
    summary: tuple[str, ...]
    tables: tuple[tuple[PairRow, ...], ...]
    none: tuple[str, ...]
    notes: tuple[str, ...]
    pairs: tuple[PairView, ...]
