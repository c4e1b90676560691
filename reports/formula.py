"""Two formulas side by side: which terms differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from reports.page import FormulaView, Piece
from reports.text import line
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
    only_own, only_asked = _surplus(own, expected), _surplus(expected, own)
    notes = []
    if only_asked:
        notes.append(say("formula.only_asked", terms=", ".join(only_asked.elements())))
    if only_own:
        notes.append(say("formula.only_yours", terms=", ".join(only_own.elements())))
    if isinstance(residual, int | float):
        notes.append(say("formula.fits", residual=f"{residual:.1e}"))
    return FormulaView(True, _pieces(own, only_own), _pieces(expected, only_asked), halves, tuple(notes))


def _surplus(formula: str, other: str) -> Counter[str]:
    """The terms of `formula` that `other` has not, or has fewer times."""
    return Counter(term for _, term in terms(formula)) - Counter(term for _, term in terms(other))


def _pieces(formula: str, marked: Counter[str]) -> tuple[Piece, ...]:
    left = Counter(marked)
    pieces = []
    for before, term in terms(formula):
        if left[term] > 0:
            left[term] -= 1
            pieces.append(Piece(before, (term,)))
        else:
            pieces.append(Piece(before + term, ()))
    return tuple(pieces)


def terms(formula: str) -> Iterator[tuple[str, str]]:
    """The terms of the outermost sum, each after the text before it; a minus belongs to its term.

    Joined together they give the formula again. Plus and minus count where a space stands on both sides.
    """
    cuts, depth = [0], 0
    for at, char in enumerate(formula):
        depth += (char in "([") - (char in ")]")
        if depth == 0 and formula[at : at + 3] in {" + ", " - ", " − "}:
            cuts.append(at)
    for start, end in pairwise([*cuts, len(formula)]):
        segment = formula[start:end]
        before = " + " if segment.startswith(" + ") else segment[: len(segment) - len(segment.lstrip())]
        yield before, segment.removeprefix(before)
