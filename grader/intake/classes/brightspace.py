"""Brightspace (D2L): folders or files whose names hold numbers, a name and a time, with ` - ` between them."""

from __future__ import annotations

import re
from typing import NamedTuple

from grader.intake.classes.layout import Listing, Place, joined, starts
from grader.intake.classes.times import from_words
from grader.model.class_handed_in import Person

_BETWEEN = " - "
_PAIR = re.compile(r"(\d+)-(\d+)")
_NUMBER = re.compile(r"[A-Za-z]{0,3}\d{4,}[A-Za-z]?")
_TIME = re.compile(r"(?=.*\d{4}).*\D(?:\d{3,4}|\d{1,2}[ h.:_]\d\d)(?: ?[AP]\.?M\.?)?", re.IGNORECASE)


class _Named(NamedTuple):
    """The parts of a name; `pair` are the two numbers at its front."""

    pair: tuple[str, str]
    number: str
    name: str
    time: str
    file: str


class Brightspace:
    """`<n>-<n> - <Name> - Oct 10, 2025 1022 AM/`, one for each attempt, or the same with ` - <file>`."""

    name = "brightspace"
    flat = False
    notes: tuple[str, ...] = ()

    def __init__(self, found: list[_Named]) -> None:
        people = {(one.pair, one.name) for one in found}
        firsts, seconds = {pair[0] for pair, _ in people}, {pair[1] for pair, _ in people}
        self._which = 0 if len(seconds) == 1 < len(firsts) else 1
        users: dict[str, set[str]] = {}
        for pair, name in people:
            users.setdefault(pair[self._which], set()).add(name)
        self._shared = {user for user, theirs in users.items() if len(theirs) > 1}

    def place(self, path: str) -> Place | None:
        """See `Layout`."""
        for part, rest in starts(path):
            if named := _named(part, is_file=not rest and not path.endswith("/")):
                return self._placed(named, joined(named.file, rest, path) if named.file else rest)
        return None

    def _placed(self, named: _Named, file: str) -> Place:
        user = named.pair[self._which]
        key = named.number or user
        if not named.number and user in self._shared:  # the numbers are the exercise's, not the student's
            key = f"{user} {named.name}"
        person = Person(id=key, name=named.name, number=named.number)
        return Place(key, (person,), file, attempt=named.time, submitted=from_words(named.time))

    def ignores(self, path: str) -> bool:
        """The table of contents that comes with it."""
        return path.rpartition("/")[2] == "index.html" and path.count("/") < 2


def brightspace(listing: Listing) -> Brightspace:
    """Compares the numbers of the whole class: which of them is the student's is told nowhere."""
    found = set()
    for path in listing.paths:
        for part, rest in starts(path):
            if named := _named(part, is_file=not rest and not path.endswith("/")):
                found.add(named._replace(file=""))
                break
    return Brightspace(sorted(found))


def _named(part: str, *, is_file: bool) -> _Named | None:
    pieces = part.split(_BETWEEN)
    pair, number, at = ("", ""), "", 0
    for piece in pieces[:2]:
        if pair == ("", "") and (match := _PAIR.fullmatch(piece)):
            pair = (match[1], match[2])
        elif not number and _NUMBER.fullmatch(piece):
            number = piece
        else:
            break
        at += 1
    if not at or len(pieces) <= at:
        return None
    when = next((k for k in range(at + 1, len(pieces)) if _TIME.fullmatch(pieces[k])), None)
    if when is not None:
        name, time, file = pieces[at:when], pieces[when], pieces[when + 1 :]
    elif is_file and pair != ("", "") and len(pieces) > at + 1:
        name, time, file = pieces[at : at + 1], "", pieces[at + 1 :]
    else:
        return None
    if is_file and not file:
        return None
    return _Named(pair, number, _BETWEEN.join(name), time, _BETWEEN.join(file))
