"""The stretches that two submissions have in common, found from the fingerprints that they share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import NamedTuple

from grader.alike.fingerprints import RUN
from grader.alike.found import Part, Side
from grader.alike.text import Piece, Text

MOST_LINES = 40
MOST_LINE_CHARACTERS = 200
_LEAST_TOKENS = RUN // 2  # of a stretch whose ends are parts of longer ones
_GAP = RUN  # tokens between two stretches that are shown as one
_MOST_PLACES, _MOST_MATCHES = 5_000, 500  # looked at for one pair: text that repeats itself matches everywhere


class _Match(NamedTuple):
    """`length` tokens from `at` in a piece of the one are those from `other_at` in a piece of the other."""

    piece: int
    at: int
    other_piece: int
    other_at: int
    length: int


def parts(one: Text, other: Text, shared: Iterable[str]) -> list[Part]:
    """The stretches around these fingerprints, each token in one of them only; the longest first."""
    matches = _apart(one, other, _stretched(one, other, shared))
    joined = sorted(_joined(matches), key=lambda group: (-sum(match.length for match in group), group[0]))
    return [_part(one, other, group) for group in joined]


def _stretched(one: Text, other: Text, shared: Iterable[str]) -> list[_Match]:
    """Every pair of places of a fingerprint, stretched both ways as far as the tokens are equal; the longest first."""
    places = (pair for run in shared for pair in product(one.places[run], other.places[run]))
    reached: dict[tuple[int, int, int], int] = {}
    found = []
    for (piece, at), (other_piece, other_at) in sorted(places)[:_MOST_PLACES]:
        diagonal = (piece, other_piece, at - other_at)
        if at < reached.get(diagonal, 0):
            continue
        before, behind = _room(one.pieces[piece], at), _room(other.pieces[other_piece], other_at)
        text, other_text = one.pieces[piece].kinds.text, other.pieces[other_piece].kinds.text
        left = _equal(text[before[0] : at][::-1], other_text[behind[0] : other_at][::-1])
        right = _equal(text[at : before[1]], other_text[other_at : behind[1]])
        reached[diagonal] = at + right
        found.append(_Match(piece, at - left, other_piece, other_at - left, left + right))
    return sorted(found, key=lambda match: (-match.length, match))[:_MOST_MATCHES]


def _room(piece: Piece, at: int) -> tuple[int, int]:
    """The stretch of own code that the token lies in."""
    return next((begin, end) for begin, end in piece.stretches if begin <= at < end)


def _equal(one: str, other: str) -> int:
    """How many characters are the same from the start."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _apart(one: Text, other: Text, matches: Iterable[_Match]) -> list[_Match]:
    """Each token in one match only: later ones give up what earlier ones have."""
    taken = [bytearray(len(piece.kinds.text)) for piece in one.pieces]
    other_taken = [bytearray(len(piece.kinds.text)) for piece in other.pieces]
    kept = []
    for piece, at, other_piece, other_at, length in matches:
        here, there = taken[piece], other_taken[other_piece]
        free = [not (here[at + n] or there[other_at + n]) for n in range(length)]
        if True not in free:
            continue
        first = free.index(True)
        size = (free.index(False, first) if False in free[first:] else length) - first
        if size < _LEAST_TOKENS:
            continue
        kept.append(_Match(piece, at + first, other_piece, other_at + first, size))
        here[at + first : at + first + size] = there[other_at + first : other_at + first + size] = b"\1" * size
    return kept


def _joined(matches: Iterable[_Match]) -> Iterator[list[_Match]]:
    """Matches that follow each other closely in both."""
    group: list[_Match] = []
    for match in sorted(matches):
        if group and not _follows(group[-1], match):
            yield group
            group = []
        group.append(match)
    if group:
        yield group


def _follows(before: _Match, match: _Match) -> bool:
    same = (before.piece, before.other_piece) == (match.piece, match.other_piece)
    gap = match.at - before.at - before.length
    other_gap = match.other_at - before.other_at - before.length
    return same and 0 <= gap <= _GAP and 0 <= other_gap <= _GAP


def _part(one: Text, other: Text, group: list[_Match]) -> Part:
    first, last = group[0], group[-1]
    return Part(
        _side(one.pieces[first.piece], first.at, last.at + last.length - 1),
        _side(other.pieces[first.other_piece], first.other_at, last.other_at + last.length - 1),
        sum(match.length for match in group),
    )


def _side(piece: Piece, first: int, last: int) -> Side:
    top, bottom = piece.kinds.lines[first], piece.kinds.lines[last]
    lines = piece.source.split("\n")[top - 1 : min(bottom, top + MOST_LINES - 1)]
    return Side(piece.file, piece.cell, top, bottom, tuple(line[:MOST_LINE_CHARACTERS] for line in lines))
