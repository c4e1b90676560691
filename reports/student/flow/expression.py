"""Formulas as trees: `h = x + A(Norm1(x)); y = h + F(Norm2(h))`. What is not read to its last character is not read.

So a formula that holds under a condition only ("… where the shapes differ") has no tree, and gets no drawing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

MOST_CHARACTERS = 160
MOST_NODES, MOST_INPUTS, MOST_STATEMENTS = 24, 4, 3
COEFFICIENTS = frozenset({"scale", "a", "mask"})
MATRIX = "W"
_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?(?:e-?\d+)?)|(?P<name>[A-Za-z_]\w*(?:\[[^\][]*\])?)|(?P<sign>[-−+·(),]))"
)
_NAMED = re.compile(r"([A-Za-z_]\w*) = ")


@dataclass(frozen=True)
class Node:
    """A tensor and how it comes about: a "variable", a "call" on one tensor, or a "join" of several."""

    kind: str
    name: str
    parts: tuple[Node, ...] = ()

    @property
    def size(self) -> int:
        """How many nodes the tree has."""
        return 1 + sum(part.size for part in self.parts)

    @property
    def text(self) -> str:
        """As the formula writes it, as far as a reader compares it: `Norm1(x)`, `x + A(Norm1(x))`, `2·x`."""
        inner = [part.text for part in self.parts]
        if self.kind == "variable":
            return self.name
        if self.kind == "call":
            return f"{self.name[2:]}·{inner[0]}" if self.name.startswith("× ") else f"{self.name}({inner[0]})"
        return f" {self.name} ".join(inner) if self.name in {"+", "×"} else f"{self.name}({', '.join(inner)})"

    def within(self, other: Node) -> bool:
        """Whether this very tensor is computed on the way to the other."""
        return self == other or any(self.within(part) for part in other.parts)


@dataclass(frozen=True)
class Statement:
    """A line of a formula; the name of a bare one is empty."""

    name: str
    node: Node


class _NotDrawable(ValueError):
    """The text is not a formula as this module reads it."""


def read(formula: str) -> tuple[Statement, ...]:
    """The lines of a formula; none where it cannot be read."""
    if len(formula) > MOST_CHARACTERS:
        return ()
    statements = []
    try:
        for part in formula.split("; "):
            named = _NAMED.match(part)
            node = _Reader(part[named.end() :] if named else part).all()
            statements.append(Statement(named[1] if named else "", node))
    except _NotDrawable:
        return ()
    small = len(statements) <= MOST_STATEMENTS and sum(one.node.size for one in statements) <= MOST_NODES
    return tuple(statements) if small else ()


def whole(statements: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """The same as one line, with what earlier lines name put in."""
    known: dict[str, Node] = {}
    for statement in statements:
        known[statement.name] = _put_in(statement.node, known)
    return (Statement("", known[statements[-1].name]),)


def _put_in(node: Node, known: dict[str, Node]) -> Node:
    if node.kind == "variable":
        return known.get(node.name, node)
    return Node(node.kind, node.name, tuple(_put_in(part, known) for part in node.parts))


class _Reader:
    """A recursive descent over one line."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def all(self) -> Node:
        node = self._sum()
        if self.text[self.at :].strip():
            raise _NotDrawable(self.text[self.at :])
        return node

    def _next(self) -> re.Match[str]:
        token = _TOKEN.match(self.text, self.at)
        if token is None:
            raise _NotDrawable(self.text[self.at :])
        self.at = token.end()
        return token

    def _sign(self, *signs: str) -> str | None:
        token = _TOKEN.match(self.text, self.at)
        if token is None or token["sign"] not in signs:
            return None
        self.at = token.end()
        return token["sign"]

    def _sum(self) -> Node:
        terms = [_negated(self._product()) if self._sign("-", "−") else self._product()]
        while sign := self._sign("+", "-", "−"):
            term = self._product()
            terms.append(term if sign == "+" else _negated(term))
        return terms[0] if len(terms) == 1 else _join("+", terms)

    def _product(self) -> Node:
        token = _TOKEN.match(self.text, self.at)
        factor = "" if token is None else token["number"] or token["name"] or ""
        if factor in COEFFICIENTS or factor == MATRIX or (token is not None and token["number"]):
            self._next()
            if not self._sign("·"):
                raise _NotDrawable(factor)
            return Node("call", factor if factor == MATRIX else f"× {factor}", (self._product(),))
        factors = [self._item()]
        while self._sign("·"):
            factors.append(self._item())
        return factors[0] if len(factors) == 1 else _join("×", factors)

    def _item(self) -> Node:
        if self._sign("("):
            inner = self._sum()
            self._close()
            return inner
        name = self._next()["name"]
        if not name:
            raise _NotDrawable(self.text)
        if not self._sign("("):
            return Node("variable", name)
        inputs = [self._sum()]
        while self._sign(","):
            inputs.append(self._sum())
        self._close()
        return Node("call", name, tuple(inputs)) if len(inputs) == 1 else _join(name, inputs)

    def _close(self) -> None:
        if not self._sign(")"):
            raise _NotDrawable(self.text)


def _join(name: str, parts: list[Node]) -> Node:
    if len(parts) > MOST_INPUTS:
        raise _NotDrawable(name)
    return Node("join", name, tuple(parts))


def _negated(node: Node) -> Node:
    """The term with a minus before it: the minus belongs to its factor, where it has one."""
    if node.kind == "call" and re.match(r"× \d", node.name):
        return Node("call", f"× −{node.name[2:]}", node.parts)
    return Node("call", "× −1", (node,))
