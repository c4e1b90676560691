"""A path that `flow` read, taken apart: each sublayer with what is done before it, after it, and to the sum."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from grader.checks.where.flow import Path
from grader.checks.where.terms import JOINS, SUBLAYERS, Term, below

HALVES = {"att": "attn", "ffn": "ffn", "linear": "ffn"}


@dataclass(frozen=True)
class Branch:
    """One sublayer on a path, and what is done around it.

    `before` are the steps from `base` to the sublayer, the last one first; `after` those from it to the `join`;
    `over` what is done to the sum, up to the `outer` join. `skip` is what the join adds, without the steps in
    `skipped`.
    """

    sub: Term
    before: tuple[Term, ...]
    base: Term
    after: tuple[Term, ...]
    join: Term | None
    skip: Term | None
    skipped: tuple[Term, ...]
    over: tuple[Term, ...]
    outer: Term | None

    @property
    def half(self) -> str | None:
        """Which half of a block it is."""
        return HALVES.get(self.sub.kind)


def branches(path: Path) -> list[Branch]:
    """The sublayers that a path's result is made of, in the order in which they run."""
    if not isinstance(path.result, Term):
        return []
    terms = list(below(path.result))
    above: dict[int, list[Term]] = {id(term): [] for term in terms}
    for term in terms:
        for arg in dict.fromkeys(term.args):
            above[id(arg)].append(term)
    return [_branch(sub, above) for sub in _sublayers(terms, above)]


def _sublayers(terms: Sequence[Term], above: dict[int, list[Term]]) -> list[Term]:
    """The sublayers; linear layers that are called one by one count where a feed forward is missing."""
    found = [term for term in terms if term.kind in SUBLAYERS]
    if any(term.kind in ("ffn", "sublayer") for term in found):
        return found
    outermost = [t for t in terms if t.kind == "linear" and
                 not any(one.kind == "linear" for one in _climb(t, above)[0])]  # fmt: skip
    return [term for term in terms if term in found or term in outermost]


def _branch(sub: Term, above: dict[int, list[Term]]) -> Branch:
    before = _descend(sub.args[0]) if sub.args else ()
    base = before[-1].args[0] if before else sub.args[0] if sub.args else sub
    after, join = _climb(sub, above)
    skip: Term | None = None
    outer: Term | None = None
    skipped: tuple[Term, ...] = ()
    over: tuple[Term, ...] = ()
    if join is not None:
        over, outer = _climb(join, above)
        others = [arg for arg in join.args if not any(term is sub for term in below(arg))]
        if len(others) == 1 and len(join.args) == 2:
            skipped = _descend(others[0])
            skip = skipped[-1].args[0] if skipped else others[0]
    return Branch(sub, before, base, after, join, skip, skipped, over, outer)


def _descend(term: Term) -> tuple[Term, ...]:
    """Steps with one operand each, down to what has several or is a sublayer."""
    found = []
    while len(term.args) == 1 and term.kind not in SUBLAYERS:
        found.append(term)
        term = term.args[0]
    return tuple(found)


def _climb(term: Term, above: dict[int, list[Term]]) -> tuple[tuple[Term, ...], Term | None]:
    """Steps with one operand each, up to a join (None: up to the result, a sublayer, or where the ways part)."""
    found: list[Term] = []
    while True:
        users = above[id(term)]
        joins = [one for one in users if one.kind in JOINS]
        if joins:
            return tuple(found), joins[0]
        if len(users) != 1 or users[0].kind in SUBLAYERS:
            return tuple(found), None
        term = users[0]
        found.append(term)


def of_kind(terms: Iterable[Term], *kinds: str) -> Iterator[Term]:
    """Those of these kinds."""
    return (term for term in terms if term.kind in kinds)
