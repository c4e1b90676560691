"""Values of figures on a page: drawings, code frames, replays. Coordinates are pixels of the figure's own view box."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class EdgeView:
    """A line of a drawing as an SVG path; `kind` names the CSS class."""

    kind: str
    path: str


@dataclass(frozen=True)
class BoxView:
    """A labelled box, as round as `radius` says. `step` is the tensor that leaves it, as formulas write it."""

    kinds: tuple[str, ...]
    x: int
    y: int
    width: int
    height: int
    radius: int
    middle: int
    base: int
    name: str
    step: str


@dataclass(frozen=True)
class Words:
    """A text in a drawing, centred on `x`."""

    kind: str
    x: int
    y: int
    text: str


@dataclass(frozen=True)
class Drawing:
    """A formula as boxes and arrows, from left to right; shown `shown_width` wide where there is room."""

    caption: str
    description: str
    width: int
    height: int
    shown_width: int
    edges: tuple[EdgeView, ...]
    heads: str
    boxes: tuple[BoxView, ...]
    words: tuple[Words, ...]


@dataclass(frozen=True)
class CodePart:
    """A stretch of source of one colour; `kind` names the CSS class."""

    kind: str
    text: str


@dataclass(frozen=True)
class CodeLine:
    """A line of source: its number, "" where it is not known, and `kind`: "here" for the line that is meant."""

    number: str
    kind: str
    parts: tuple[CodePart, ...]


@dataclass(frozen=True)
class Frame:
    """Lines of a student's file."""

    lines: tuple[CodeLine, ...]


@dataclass(frozen=True)
class Step:
    """A row of a replay. `kind` is "same", "own", "differs" or "never"; `standing` says it, or `step` what is equal."""

    kind: str
    place: str
    code: tuple[str, ...]
    made: str
    numbers: tuple[str, ...]
    step: tuple[str, ...]
    standing: tuple[str, ...]
    expected: tuple[str, ...]


@dataclass(frozen=True)
class Replay:
    """What a forward made, step by step. `jump` holds the number of the first step that differs, if one does."""

    caption: str
    note: str
    rows: tuple[Step, ...]
    jump: tuple[int, ...]


@dataclass(frozen=True)
class Flow:
    """A formula drawn as it is asked for and as it was found, as far as they can be drawn."""

    drawings: tuple[Drawing, ...]
    notes: tuple[str, ...]
