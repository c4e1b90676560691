"""Two formulas as drawings, each with what the other has not marked, and told in words."""

from __future__ import annotations

from typing import Any

from reports.figures import Drawing, Flow
from reports.student.flow.difference import Mark, difference, join_name
from reports.student.flow.expression import Statement, read, whole
from reports.student.flow.graph import RESULT, Lane, Vertex, lane
from reports.student.flow.layout import place, shown
from reports.words import say

SCALE = 1.3
Marks = tuple[tuple[Mark, ...], ...]


def flow(formula: dict[str, Any]) -> tuple[Flow, ...]:
    """The formula asked for beside the student's own; what cannot be drawn is left out, and said to be."""
    asked, yours = read(str(formula["expected"])), read(str(formula["found"] or ""))
    if not asked:
        return ()
    if not formula["found"] or not yours:
        note = say("flow.unknown" if not formula["found"] else "flow.not_drawn")
        return _flow((_drawing("flow.asked", asked, ((),) * len(asked)),), (note,))
    if asked == yours:
        return _flow((_drawing("flow.both", asked, ((),) * len(asked)),), ())
    if [one.name for one in asked] != [one.name for one in yours]:
        asked, yours = whole(asked), whole(yours)
    found = [difference(mine.node, wanted.node) for mine, wanted in zip(yours, asked, strict=True)]
    drawings = (
        _drawing("flow.asked", asked, tuple(one.asked for one in found)),
        _drawing("flow.yours", yours, tuple(one.yours for one in found)),
    )
    return _flow(drawings, () if all(drawings) else (say("flow.not_drawn"),))


def _flow(drawings: tuple[Drawing | None, ...], notes: tuple[str, ...]) -> tuple[Flow, ...]:
    drawn = tuple(drawing for drawing in drawings if drawing is not None)
    return (Flow(drawn, notes),) if drawn else ()


def _drawing(caption: str, statements: tuple[Statement, ...], marks: Marks) -> Drawing | None:
    built = lane(statements, marks)
    if built is None:
        return None
    canvas = place(built)
    return Drawing(
        caption=say(caption),
        description=_told(built),
        width=canvas.width,
        height=canvas.height,
        shown_width=round(SCALE * canvas.width),
        edges=tuple(canvas.edges),
        heads="".join(canvas.heads),
        boxes=tuple(canvas.boxes),
        words=tuple(canvas.words),
    )


def _told(built: Lane) -> str:
    """The drawing in words: the line, each arc, each mark."""
    names = [_name(built.vertices[at]) for at in built.line]
    told = [say("flow.told_line", steps=", ".join(names))]
    for arc in built.arcs:
        start, end = _name(built.vertices[arc.start]), _name(built.vertices[arc.end])
        through = ", ".join(_name(built.vertices[at]) for at in arc.through)
        told.append(say("flow.told_arc_through" if through else "flow.told_arc", start=start, end=end, through=through))
        told += [say("flow.told_mark", place=say("flow.told_arc_name", start=start), label=one) for one in arc.labels]
    for before, at in zip((None, *built.line), built.line, strict=False):
        vertex = built.vertices[at]
        if vertex.label:
            told.append(say("flow.told_mark", place=_name(vertex), label=vertex.label))
        if before is not None and (label := built.edge(before, at).label):
            edge = say("flow.told_edge", start=_name(built.vertices[before]), end=_name(vertex))
            told.append(say("flow.told_mark", place=edge, label=label))
    return " ".join(told)


def _name(vertex: Vertex) -> str:
    name = say("flow.result") if vertex.kind == RESULT else shown(vertex)
    name = join_name(name) if vertex.kind == "join" else name
    return say("flow.alias", name=name, alias=vertex.alias) if vertex.alias else name
