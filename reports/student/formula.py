"""Two formulas side by side: which terms differ."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from reports.page import FormulaView, Piece
from reports.text import line, number
from reports.words import say, words


def compare(formula: dict[str, Any]) -> FormulaView:
    """The student's formula beside the one asked for; a formula that is not known is never marked."""
    expected = line(formula["expected"])
    residual, half = formula.get("residual"), formula.get("half")
    halves = (words()["half"].get(half) or line(half),) if half else ()
    if not formula["found"]:
        found = (Piece(say("formula.unknown"), ()),)
        return FormulaView(False, found, (Piece(expected, ()),), halves, (say("formula.unknown_note"),))
    own = line(formula["found"])
    if own == expected:
        return FormulaView(True, _pieces(own, Counter()), _pieces(own, Counter()), (), (say("formula.right"),), True)
    only_own, only_asked = _surplus(own, expected), _surplus(expected, own)
    notes = []
    if only_asked:
        notes.append(say("formula.only_asked", terms=", ".join(term for _, term in only_asked.elements())))
    if only_own:
        notes.append(say("formula.only_yours", terms=", ".join(term for _, term in only_own.elements())))
    if isinstance(residual, int | float) and math.isfinite(residual):
        notes.append(_how_sure(residual, formula.get("probes")))
    return FormulaView(True, _pieces(own, only_own), _pieces(expected, only_asked), halves, tuple(notes))


def _how_sure(residual: float, probes: int | None) -> str:
    largest = f"{residual:.0e}" if residual > 0 else number(0)
    return say("formula.fits_probes" if probes else "formula.fits", residual=largest, probes=probes)


def _surplus(formula: str, other: str) -> Counter[tuple[int, str]]:
    """The terms of `formula` that `other` has not, or has fewer times, in the same line of the formula."""
    mine, theirs = (Counter((at, term) for _, at, term in terms(one)) for one in (formula, other))
    return mine - theirs


def _pieces(formula: str, marked: Counter[tuple[int, str]]) -> tuple[Piece, ...]:
    left = Counter(marked)
    pieces = []
    for before, at, term in terms(formula):
        if left[at, term] > 0:
            left[at, term] -= 1
            pieces.append(Piece(before, (term,)))
        else:
            pieces.append(Piece(before + term, ()))
    return tuple(pieces)


def terms(formula: str) -> Iterator[tuple[str, int, str]]:
    """(text before, line, term) for each term of the outermost sums; a minus belongs to its term.

    `h = x + A(x); y = h` is two lines, numbered from 0. Texts and terms joined together give the formula again. Plus
    and minus count where a space stands on both sides.
    """
    for at, statement in enumerate(formula.split("; ")):
        name, equals, total = statement.rpartition(" = ")
        lead = ("; " if at else "") + name + equals
        for before, term in _summands(total):
            yield lead + before, at, term
            lead = ""


def _summands(total: str) -> Iterator[tuple[str, str]]:
    cuts, depth = [0], 0
    for at, char in enumerate(total):
        depth += (char in "([") - (char in ")]")
        if depth == 0 and total[at : at + 3] in {" + ", " - ", " − "}:
            cuts.append(at)
    for start, end in pairwise([*cuts, len(total)]):
        segment = total[start:end]
        before = " + " if segment.startswith(" + ") else segment[: len(segment) - len(segment.lstrip())]
        yield before, segment.removeprefix(before)
