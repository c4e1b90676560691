"""Where two formulas part: the boxes and edges to mark in the drawing of each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import permutations

from reports.student.flow.expression import Node
from reports.words import say

Path = tuple[int, ...]


@dataclass(frozen=True)
class Mark:
    """A box, or the edge that leads out of it, at the place `path` of a tree; `label` is what to say there."""

    path: Path
    edge: bool
    label: str


@dataclass(frozen=True)
class Difference:
    """The marks in both trees; of several ways to tell them apart the one of least cost is told."""

    cost: int = 0
    yours: tuple[Mark, ...] = ()
    asked: tuple[Mark, ...] = ()

    def __add__(self, other: Difference) -> Difference:
        return Difference(self.cost + other.cost, self.yours + other.yours, self.asked + other.asked)


def difference(yours: Node, asked: Node) -> Difference:
    """How the tree of a student's formula differs from the one asked for."""
    return _Comparison(yours, asked).between(yours, (), asked, ())


@dataclass(frozen=True)
class _Comparison:
    yours: Node
    asked: Node
    known: dict[tuple[Path, Path], Difference] = field(default_factory=dict)

    def between(self, mine: Node, here: Path, wanted: Node, there: Path) -> Difference:
        if (here, there) not in self.known:
            ways = [Difference()] if mine == wanted else self._ways(mine, here, wanted, there)
            self.known[here, there] = min(ways, key=lambda way: way.cost)
        return self.known[here, there]

    def _ways(self, mine: Node, here: Path, wanted: Node, there: Path) -> Iterator[Difference]:
        label = say("flow.differs")
        yield Difference(1 + mine.size + wanted.size, (Mark(here, True, label),), (Mark(there, True, label),))
        if mine.kind == wanted.kind == "call":
            renamed = _renamed(here, there) if mine.name != wanted.name else Difference()
            yield renamed + self.between(mine.parts[0], (*here, 0), wanted.parts[0], (*there, 0))
        if mine.kind == "call" and not mine.within(self.asked):
            extra = Difference(2, (Mark(here, False, say("flow.only_yours")),))
            yield extra + self.between(mine.parts[0], (*here, 0), wanted, there)
        if wanted.kind == "call" and not wanted.within(self.yours):
            gap = Mark(here, True, say("flow.gap", name=wanted.name))
            missing = Difference(2, (gap,), (Mark(there, False, say("flow.not_yours")),))
            yield missing + self.between(mine, here, wanted.parts[0], (*there, 0))
        if "join" in {mine.kind, wanted.kind}:
            yield from self._joined(mine, here, wanted, there)

    def _joined(self, mine: Node, here: Path, wanted: Node, there: Path) -> Iterator[Difference]:
        """The inputs of two joins in their best order; what is no join counts as one with a single input."""
        own, theirs = _inputs(mine, here), _inputs(wanted, there)
        start = Difference()
        if mine.kind != "join":
            start = Difference(0, (Mark(here, True, say("flow.gap", name=join_name(wanted.name))),))
        elif wanted.kind == "join" and mine.name != wanted.name:
            start = _renamed(here, there)
        more = len(own) > len(theirs)
        longer, shorter = (own, theirs) if more else (theirs, own)
        for order in permutations(longer, len(shorter)):
            total = start
            for one, other in zip(order, shorter, strict=True):
                (a, at_a), (b, at_b) = (one, other) if more else (other, one)
                total += self.between(a, at_a, b, at_b)
            for _, path in longer:
                if all(path != taken for _, taken in order):
                    total += _left(path, yours=more)
            yield total


def _renamed(here: Path, there: Path) -> Difference:
    label = say("flow.differs")
    return Difference(2, (Mark(here, False, label),), (Mark(there, False, label),))


def _inputs(node: Node, path: Path) -> list[tuple[Node, Path]]:
    return [(part, (*path, at)) for at, part in enumerate(node.parts)] if node.kind == "join" else [(node, path)]


def _left(path: Path, *, yours: bool) -> Difference:
    if yours:
        return Difference(2, (Mark(path, True, say("flow.only_yours")),))
    return Difference(2, (), (Mark(path, True, say("flow.not_yours")),))


def join_name(join: str) -> str:
    """What joins several tensors, in a word."""
    return say("flow.sum") if join == "+" else join
