"""What the class page consists of: frozen values whose every string is safe text, for a template that decides nothing.

What may be absent is a tuple of none or one.
"""

from __future__ import annotations

from dataclasses import dataclass

from reports.page import Fact, FormulaView, Link, Table, Tick


@dataclass(frozen=True)
class PageLink:
    """Another page, relative to this one; `href` is made of letters, digits, `-`, `/` and one dot."""

    href: str
    words: str


@dataclass(frozen=True)
class Concern:
    """Students to look at: why, what to do, and what to copy for it."""

    students: tuple[PageLink, ...]
    why: tuple[str, ...]
    todo: str
    commands: tuple[str, ...]


@dataclass(frozen=True)
class Concerns:
    """All concerns of one kind; `rest` is those that stand behind a fold, with the words on it."""

    anchor: str
    title: str
    amount: str
    rows: tuple[Concern, ...]
    rest: tuple[tuple[str, tuple[Concern, ...]], ...]


@dataclass(frozen=True)
class Bar:
    """A bar in pixels of its view box, its range below it and its number above."""

    x: float
    y: float
    width: float
    height: float
    middle: float
    number: str


@dataclass(frozen=True)
class BarChart:
    """Bars on a common axis; `marks` are lines across it."""

    name: str
    description: str
    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int
    axis: str
    rows: tuple[Tick, ...]
    columns: tuple[Tick, ...]
    bars: tuple[Bar, ...]
    marks: tuple[Tick, ...]


@dataclass(frozen=True)
class Distribution:
    """How the points are spread, in words, drawn and in numbers."""

    words: str
    chart: BarChart
    table: Table


@dataclass(frozen=True)
class Cell:
    """A figure as it is shown and as it sorts."""

    words: str
    order: str


@dataclass(frozen=True)
class CheckFigures:
    """How one check did; `share` is the part that passed in percent, for a bar."""

    title: str
    name: str
    passed: Cell
    share: float
    mean: Cell
    apart: Cell
    notes: tuple[str, ...]


@dataclass(frozen=True)
class ExerciseFigures:
    """How the checks of one exercise did."""

    title: str
    caption: str
    rows: tuple[CheckFigures, ...]


@dataclass(frozen=True)
class Statistics:
    """Figures about the class, all or none of them: `few` says why there are none."""

    few: tuple[str, ...]
    notes: tuple[str, ...]
    distributions: tuple[Distribution, ...]
    checks: tuple[ExerciseFigures, ...]


@dataclass(frozen=True)
class Example:
    """One case of a group, without a name: what happened, and the line that it is about."""

    happened: str
    place: str
    code: tuple[str, ...]


@dataclass(frozen=True)
class Group:
    """Students whose code computes the same, or who made the same kind of mistake."""

    anchor: str
    name: str
    title: str
    size: str
    exercise: str
    formulas: tuple[FormulaView, ...]
    checks: tuple[str, ...]
    examples: tuple[Example, ...]
    say: tuple[str, ...]
    who_words: str
    who: tuple[PageLink, ...]


@dataclass(frozen=True)
class Alone:
    """A student's mistake that nobody else made."""

    student: PageLink
    happened: str


@dataclass(frozen=True)
class Misconceptions:
    """The groups, largest first; `rest` is those behind a fold, `alone` and `notes` what is in no group."""

    groups: tuple[Group, ...]
    rest: tuple[tuple[str, tuple[Group, ...]], ...]
    notes: tuple[str, ...]
    alone: tuple[tuple[str, tuple[Alone, ...]], ...]


@dataclass(frozen=True)
class StudentRow:
    """One student; `parts` are the points of each exercise, and what came of a deadline."""

    student: PageLink
    points: Cell
    parts: tuple[Cell, ...]
    attempts: Cell
    date: Cell
    state: str
    groups: tuple[Link, ...]


@dataclass(frozen=True)
class StudentTable:
    """All students."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[StudentRow, ...]


@dataclass(frozen=True)
class OverrideRow:
    """Points that were changed by hand."""

    student: PageLink
    exercise: str
    check: str
    before: str
    after: str
    reason: str
    by: str


@dataclass(frozen=True)
class Overrides:
    """All of them, or `none` in words, and the rows of the file that were not applied."""

    none: tuple[str, ...]
    caption: str
    tables: tuple[tuple[OverrideRow, ...], ...]
    problems: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class ClassPage:
    """The whole page of a class."""

    language: str
    title: str
    summary: tuple[str, ...]
    attention: tuple[Concerns, ...]
    calm: tuple[str, ...]
    statistics: Statistics
    misconceptions: Misconceptions
    students: StudentTable
    overrides: Overrides
    run: tuple[Fact, ...]
