"""What the page of the lab consists of: frozen values whose every string is safe text.

What may be absent is a tuple of none or one.
"""

from __future__ import annotations

from dataclasses import dataclass

from reports.page import Chart, Fact, Link, Table


@dataclass(frozen=True)
class Band:
    """The room between the worst and the best of several runs, as a list of SVG points; `index` is its series'."""

    index: int
    points: str


@dataclass(frozen=True)
class Curves:
    """A line chart with bands behind its lines."""

    chart: Chart
    bands: tuple[Band, ...] = ()


@dataclass(frozen=True)
class Folded:
    """Something to unfold: charts, and their numbers."""

    anchor: str
    title: str
    charts: tuple[Curves, ...]
    table: Table


@dataclass(frozen=True)
class Section:
    """One experiment. `results` say in sentences what came out, in one group if there is anything to say.

    `sparks` are curves for a terminal, one for each row of the first table.
    """

    anchor: str
    title: str
    tried: str
    why: str
    results: tuple[tuple[str, ...], ...]
    stopped: tuple[str, ...] = ()
    facts: tuple[tuple[Fact, ...], ...] = ()
    charts: tuple[Curves, ...] = ()
    tables: tuple[Table, ...] = ()
    folded: tuple[Folded, ...] = ()
    sparks: tuple[tuple[float, ...], ...] = ()


def grouped(sentences: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """One group, or none where there is nothing to say."""
    return (sentences,) if sentences else ()


@dataclass(frozen=True)
class LabPage:
    """The whole page."""

    language: str
    title: str
    note: str
    links: tuple[Link, ...]
    sections: tuple[Section, ...]
