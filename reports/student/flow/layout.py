"""Where the boxes and arrows of a formula stand: a line from left to right, shortcuts as arcs above it."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from reports.figures import BoxView, EdgeView, Words
from reports.student.flow.graph import RESULT, Arc, Lane, Vertex
from reports.text import line as safe
from reports.words import say

GAP, MARGIN, HALF, RADIUS = 34, 14, 15, 13
FIRST_LEVEL, LEVEL = 46, 42
CHARACTER, LABEL_CHARACTER = 8.2, 7.4
LABEL_ROW = 16


@dataclass
class Canvas:
    """What is drawn, as it is put down. `middle` is the height of the line, known once the arcs have their levels."""

    middle: int
    edges: list[EdgeView] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)
    boxes: list[BoxView] = field(default_factory=list)
    words: list[Words] = field(default_factory=list)
    width: int = 0
    height: int = 0

    def edge(self, path: str, *, dashed: bool) -> None:
        """A line, dashed where it deviates; those that follow each other and do not are one path."""
        kind = "edge differs" if dashed else "edge"
        if not dashed and self.edges and self.edges[-1].kind == kind:
            path = self.edges.pop().path + path
        self.edges.append(EdgeView(kind, path))


def width_of(vertex: Vertex) -> int:
    """How wide a vertex is drawn."""
    if is_round(vertex):
        return 2 * RADIUS
    padding = 18 if vertex.kind in {"call", "join"} else 2
    return max(2 * round((CHARACTER * len(shown(vertex)) + padding) / 2), 14)


def is_round(vertex: Vertex) -> bool:
    """A join of one letter is a circle."""
    return vertex.kind == "join" and len(vertex.name) == 1


def shown(vertex: Vertex) -> str:
    """The words in a box, or at an end of the line."""
    name = safe(vertex.name, 40)
    return name or say("flow.result") if vertex.kind == RESULT else name


def place(lane: Lane) -> Canvas:
    """The whole drawing."""
    at = _across(lane)
    levels = _levels(lane, at)
    canvas = Canvas(middle=_height(lane, levels))
    labels: list[tuple[int, str, str]] = []
    for before, after in pairwise(lane.line):
        begin, end = _right(lane, at, before), _left(lane, at, after)
        label = lane.edge(before, after).label
        canvas.edge(f"M{begin},{canvas.middle}H{end}", dashed=bool(label))
        canvas.heads.append(_head(end, canvas.middle, down=False))
        labels.append(((begin + end) // 2, label, "differs"))
    for index in lane.line:
        _put(canvas, lane.vertices[index], at[index], canvas.middle)
        labels.append((at[index], lane.vertices[index].label, "differs"))
        labels.append((at[index], safe(lane.vertices[index].alias, 20), "alias"))
    entering: dict[int, int] = {}
    for arc, level in zip(lane.arcs, levels, strict=True):
        number = entering[arc.end] = entering.get(arc.end, -1) + 1
        _arc(canvas, lane, at, (arc, canvas.middle - FIRST_LEVEL - LEVEL * level, 9 * number))
    below = _below(canvas, sorted(label for label in labels if label[1]))
    canvas.width = _right(lane, at, lane.line[-1]) + MARGIN
    canvas.height = canvas.middle + HALF + 6 + below
    return canvas


def _across(lane: Lane) -> dict[int, int]:
    """The middle of each vertex of the line, with room for the words below edges that deviate."""
    at: dict[int, int] = {}
    x = MARGIN
    for before, index in zip((None, *lane.line), lane.line, strict=False):
        x += 0 if before is None else GAP
        width = width_of(lane.vertices[index])
        at[index] = x + width // 2
        x += width
    return at


def _left(lane: Lane, at: dict[int, int], index: int) -> int:
    return at[index] - width_of(lane.vertices[index]) // 2


def _right(lane: Lane, at: dict[int, int], index: int) -> int:
    return at[index] + width_of(lane.vertices[index]) // 2


def _start(lane: Lane, at: dict[int, int], arc: Arc) -> int:
    """Where an arc begins: just behind its vertex, or as far before the join as a variable of its own needs."""
    if arc.start in at:
        return _right(lane, at, arc.start) + 9
    boxes = sum(width_of(lane.vertices[index]) + GAP for index in arc.through)
    return max(MARGIN, at[arc.end] - boxes - width_of(lane.vertices[arc.start]) - GAP)


def _levels(lane: Lane, at: dict[int, int]) -> list[int]:
    """How high each arc goes: the short ones low, and none through another."""
    spans = [(_start(lane, at, arc), at[arc.end]) for arc in lane.arcs]
    levels = [0] * len(spans)
    placed: list[int] = []
    for index in sorted(range(len(spans)), key=lambda index: spans[index][1] - spans[index][0]):
        begin, end = spans[index]
        over = [levels[other] for other in placed if spans[other][0] <= end and begin <= spans[other][1]]
        levels[index] = max(over, default=-1) + 1
        placed.append(index)
    return levels


def _height(lane: Lane, levels: list[int]) -> int:
    """How far below the upper edge the line lies: below the highest arc, with what stands on it and above."""
    tops = [
        FIRST_LEVEL + LEVEL * level + (HALF if arc.through else 2) + (20 if arc.labels else 0)
        for arc, level in zip(lane.arcs, levels, strict=True)
    ]
    return max(tops, default=HALF) + 4


def _put(canvas: Canvas, vertex: Vertex, x: int, y: int) -> None:
    name, half = shown(vertex), RADIUS if is_round(vertex) else HALF
    if vertex.kind not in {"call", "join"}:
        canvas.words.append(Words("end", x, y + 5, name))
        return
    width = width_of(vertex)
    kinds = ("differs",) if vertex.label else ()
    left, top = x - width // 2, y - half
    radius = half if is_round(vertex) else 5
    canvas.boxes.append(BoxView(kinds, left, top, width, 2 * half, radius, x, y + 5, name, safe(vertex.text, 160)))


def _arc(canvas: Canvas, lane: Lane, at: dict[int, int], placed: tuple[Arc, int, int]) -> None:
    arc, height, aside = placed
    begin, end, label = _start(lane, at, arc), at[arc.end] - aside, ", ".join(arc.labels)
    top = canvas.middle - (RADIUS if is_round(lane.vertices[arc.end]) else HALF)
    if arc.start in at:
        path = f"M{begin},{canvas.middle}V{height + 8}q0,-8 8,-8H{end - 8}q8,0 8,8V{top}"
    else:
        source = lane.vertices[arc.start]
        canvas.words.append(Words("end", begin + width_of(source) // 2, height + 5, shown(source)))
        path = f"M{begin + width_of(source) + 4},{height}H{end - 8}q8,0 8,8V{top}"
    canvas.edge(path, dashed=arc.dashed)
    canvas.heads.append(_head(end, top, down=True))
    step = (end - begin) / (len(arc.through) + 1)
    for number, index in enumerate(arc.through, 1):
        _put(canvas, lane.vertices[index], round(begin + step * number), height)
    if label:
        above = height - (HALF if arc.through else 0) - 6
        canvas.words.append(Words("differs", (begin + end) // 2, above, label))


def _below(canvas: Canvas, labels: list[tuple[int, str, str]]) -> int:
    """Words below the line, in two rows where they would touch; returns the room that they take."""
    ends = [float("-inf"), float("-inf")]
    rows = 0
    for x, label, kind in labels:
        half = LABEL_CHARACTER * len(label) / 2
        middle = max(x, half + 2)
        row = 0 if middle - half > ends[0] + 6 else 1
        ends[row] = middle + half
        rows = max(rows, row + 1)
        canvas.words.append(Words(kind, round(middle), canvas.middle + HALF + 14 + LABEL_ROW * row, label))
    return rows * LABEL_ROW


def _head(x: int, y: int, *, down: bool) -> str:
    return f"M{x - 4},{y - 7}L{x},{y}L{x + 4},{y - 7}" if down else f"M{x - 7},{y - 4}L{x},{y}L{x - 7},{y + 4}"
