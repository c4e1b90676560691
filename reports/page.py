"""What a page consists of: frozen values whose every string is safe text. Templates loop over them and decide nothing.

What may be absent is a tuple of none or one, so that a template needs no condition.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reports.figures import Flow, Frame, Replay

if TYPE_CHECKING:
    from reports.lab.page import Section


@dataclass(frozen=True)
class Fact:
    """A labelled value."""

    label: str
    value: str


@dataclass(frozen=True)
class Link:
    """A place on the same page."""

    anchor: str
    words: str


@dataclass(frozen=True)
class VerdictView:
    """A verdict for people. `kind` is one of the record's verdicts and names the CSS class."""

    kind: str
    sign: str
    word: str


@dataclass(frozen=True)
class Piece:
    """A part of a formula: plain text, then the term that differs from the other formula, if one does."""

    plain: str
    marked: tuple[str, ...]


@dataclass(frozen=True)
class FormulaView:
    """Yours beside expected; `notes` say in words what the marks say. Unless `known`, `found` is a sentence of ours."""

    known: bool
    found: tuple[Piece, ...]
    expected: tuple[Piece, ...]
    halves: tuple[str, ...]
    notes: tuple[str, ...]
    right: bool = False


@dataclass(frozen=True)
class PlaceView:
    """A place in the student's file, and the code that stands there where it is known: the line, and those around."""

    name: str
    code: tuple[str, ...]
    frames: tuple[Frame, ...] = ()


@dataclass(frozen=True)
class Explanation:
    """Why a check did not pass."""

    facts: tuple[Fact, ...]
    formulas: tuple[FormulaView, ...]
    places: tuple[PlaceView, ...]
    hints: tuple[Fact, ...]


@dataclass(frozen=True)
class CheckView:
    """One row of the table; `order` sorts verdicts. `grouped` rows are not run for a reason that the group tells."""

    order: int
    title: str
    concept: str
    visibility: str
    verdict: VerdictView
    score: str
    why: tuple[Explanation, ...]
    see: tuple[Link, ...]
    remarks: tuple[str, ...]
    grouped: bool


@dataclass(frozen=True)
class NotRunGroup:
    """Checks that did not run for the same reason. `reasons` is empty where the diagnosis tells it already."""

    reasons: tuple[str, ...]
    checks: str
    note: str
    verdict: VerdictView
    score: str


@dataclass(frozen=True)
class Card:
    """What to do next in one exercise."""

    anchor: str
    title: str
    score: str
    verdict: VerdictView
    explanation: Explanation
    next_steps: tuple[str, ...]
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True)
class Table:
    """A table; the first cell of a row is its header."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Evidence:
    """The inputs and numbers behind one visible check."""

    title: str
    tables: tuple[Table, ...]


@dataclass(frozen=True)
class Tick:
    """A mark on an axis, at `at` pixels from the left or the top."""

    at: float
    label: str


@dataclass(frozen=True)
class SeriesView:
    """A line of a chart: `lines` are SVG point lists (a gap divides them), `markers` an SVG path."""

    index: int
    name: str
    lines: tuple[str, ...]
    markers: str
    label_y: float
    labels: tuple[Tick, ...] = ()


@dataclass(frozen=True)
class Chart:
    """A line chart on a logarithmic axis, in pixels of its own view box."""

    name: str
    description: str
    width: int
    height: int
    left: int
    right: int
    bottom: int
    axis: str
    rows: tuple[Tick, ...]
    columns: tuple[Tick, ...]
    series: tuple[SeriesView, ...]


@dataclass(frozen=True)
class Gradients:
    """The gradient per layer as a table, and as a chart where there is something to draw."""

    charts: tuple[Chart, ...]
    table: Table


@dataclass(frozen=True)
class PrintedView:
    """What the student's code printed: the parts that are shown and a sentence about how much it was."""

    parts: tuple[Fact, ...]
    note: str


@dataclass(frozen=True)
class CheckTable:
    """All checks of an exercise that could run; `works` says what is right already."""

    caption: str
    works: str
    rows: tuple[CheckView, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class ExerciseView:
    """One exercise. `later` is its card where another exercise comes first. What could not run has no `tables`.

    `optional` is the word for one that nobody has to do; the checks of a `quiz` are its questions.
    """

    anchor: str
    name: str
    title: str
    optional: tuple[str, ...]
    quiz: bool
    verdict: VerdictView
    points: str
    max_points: str
    score: str
    remarks: tuple[str, ...]
    cards: tuple[Card, ...]
    later: tuple[Card, ...]
    notes: tuple[str, ...]
    checks: tuple[CheckView, ...]
    groups: tuple[NotRunGroup, ...]
    stopped: tuple[str, ...]
    tables: tuple[CheckTable, ...]
    evidence: tuple[tuple[Evidence, ...], ...]
    flows: tuple[Flow, ...]
    replays: tuple[Replay, ...]
    gradients: tuple[Gradients, ...]
    printed: tuple[PrintedView, ...]


@dataclass(frozen=True)
class Late:
    """A submission that came after its deadline: in a sentence, and what it takes."""

    sentence: str
    facts: tuple[Fact, ...]


@dataclass(frozen=True)
class StudentPage:
    """The whole page of one submission; `points` are those that count, after lateness."""

    language: str
    title: str
    points: str
    max_points: str
    summary: tuple[str, ...]
    late: tuple[Late, ...]
    first: tuple[Card, ...]
    first_notes: tuple[str, ...]
    links: tuple[Link, ...]
    exercises: tuple[ExerciseView, ...]
    skipped: tuple[tuple[str, ...], ...]
    about: tuple[Fact, ...]
    experiments: tuple[Section, ...] = ()
