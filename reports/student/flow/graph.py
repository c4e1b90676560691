"""A formula as vertices and edges: each tensor once, a line from the input to the result, and arcs beside it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import pairwise

from reports.student.flow.difference import Mark
from reports.student.flow.expression import Node, Statement

RESULT = "result"


@dataclass(frozen=True)
class Edge:
    """From the vertex `source` on; `label` says how it deviates, and is empty where it does not."""

    source: int
    label: str = ""


@dataclass(frozen=True)
class Vertex:
    """A variable, a box, a join, or the result, with the edges that lead to it; `alias` is its name in the formula."""

    kind: str
    name: str
    text: str
    inputs: tuple[Edge, ...] = ()
    label: str = ""
    alias: str = ""


@dataclass(frozen=True)
class Arc:
    """A way beside the line: from `start` (a vertex, on the line or a variable of its own) through boxes to a join.

    `labels` say how its edges and boxes deviate, `dashed` whether an edge does.
    """

    start: int
    through: tuple[int, ...]
    end: int
    labels: tuple[str, ...]
    dashed: bool


@dataclass(frozen=True)
class Lane:
    """The longest way from an input to the result, and the arcs beside it."""

    vertices: tuple[Vertex, ...]
    line: tuple[int, ...]
    arcs: tuple[Arc, ...]

    def edge(self, source: int, target: int) -> Edge:
        """The edge between two neighbours of the line."""
        return next(edge for edge in self.vertices[target].inputs if edge.source == source)


@dataclass
class _Builder:
    vertices: list[Vertex] = field(default_factory=list)
    found: dict[tuple[str, str, tuple[int, ...]], int] = field(default_factory=dict)
    names: dict[str, int] = field(default_factory=dict)

    def add(self, node: Node, marks: dict[tuple[tuple[int, ...], bool], str], path: tuple[int, ...] = ()) -> int:
        if node.kind == "variable" and node.name in self.names:
            return self.names[node.name]
        inputs = tuple(
            Edge(self.add(part, marks, (*path, at)), marks.get(((*path, at), True), ""))
            for at, part in enumerate(node.parts)
        )
        key = node.kind, node.name, tuple(edge.source for edge in inputs)
        if key not in self.found:
            self.found[key] = len(self.vertices)
            label = marks.get((path, False), "")
            self.vertices.append(Vertex(node.kind, node.name, node.text, inputs, label))
        return self.found[key]


def lane(statements: tuple[Statement, ...], marks: tuple[tuple[Mark, ...], ...]) -> Lane | None:
    """The formula to be drawn, or None where it is more than a line with arcs."""
    builder = _Builder()
    last, label = 0, ""
    leaving: dict[int, str] = {}
    for statement, here in zip(statements, marks, strict=True):
        labels = {(mark.path, mark.edge): mark.label for mark in here}
        last, label = builder.add(statement.node, labels), labels.get(((), True), "")
        leaving[last] = label
        if statement.name:
            builder.names[statement.name] = last
    vertices = (*builder.vertices, Vertex(RESULT, statements[-1].name, RESULT, (Edge(last, label),)))
    line = _longest(vertices)
    aliases = {at: name for name, at in builder.names.items() if at != last and vertices[at].kind != "variable"}
    vertices = tuple(
        replace(
            vertex,
            inputs=tuple(_labelled(edge, at, line, leaving) for edge in vertex.inputs),
            alias=aliases.get(at, ""),
        )
        for at, vertex in enumerate(vertices)
    )
    arcs = _arcs(vertices, line)
    return None if arcs is None else Lane(vertices, line, arcs)


def _labelled(edge: Edge, target: int, line: tuple[int, ...], leaving: dict[int, str]) -> Edge:
    """What is said where a named tensor leaves its line of the formula stands once: on the way along the line."""
    on_line = (edge.source, target) in pairwise(line)
    return replace(edge, label=leaving[edge.source]) if on_line and leaving.get(edge.source) else edge


def _longest(vertices: tuple[Vertex, ...]) -> tuple[int, ...]:
    """Vertices come after their inputs, so one pass finds the longest way to each."""
    ways: list[tuple[int, ...]] = []
    for at, vertex in enumerate(vertices):
        ways.append((*max((ways[edge.source] for edge in vertex.inputs), key=len, default=()), at))
    return ways[-1]


def _arcs(vertices: tuple[Vertex, ...], line: tuple[int, ...]) -> tuple[Arc, ...] | None:
    arcs, used = [], Counter[int]()
    for before, at in pairwise(line):
        rest = list(vertices[at].inputs)
        rest.remove(next(edge for edge in rest if edge.source == before))
        for edge in rest:
            edges, boxes, start = [edge.label], [""], edge.source
            through: list[int] = []
            while start not in line and vertices[start].inputs:
                if len(vertices[start].inputs) > 1:
                    return None
                through.insert(0, start)
                boxes.append(vertices[start].label)
                edges.append(vertices[start].inputs[0].label)
                start = vertices[start].inputs[0].source
            used.update(through)
            labels = dict.fromkeys(label for label in (*edges, *boxes) if label)
            arcs.append(Arc(start, tuple(through), at, tuple(labels), any(edges)))
    return tuple(arcs) if max(used.values(), default=1) == 1 else None
