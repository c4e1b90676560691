"""Blackboard's gradebook download: files named for exercise, user and time, and a receipt for each attempt."""

from __future__ import annotations

import itertools
import re
from typing import NamedTuple

from grader.intake import names
from grader.intake.classes.layout import Listing, Place, joined, starts
from grader.intake.classes.times import from_stamp
from grader.model.class_handed_in import Person

# The word for "attempt" is translated; the time is not.
_MEMBER = re.compile(
    r"(?P<head>.+?)_(?P<word>[^\W\d_]+)_(?P<time>\d{4}(?:-\d\d){5})(?:_(?P<file>.+)|(?P<receipt>\.txt))", re.DOTALL
)
_NAMED = re.compile(r"^[^\W\d_]+:[ \t]*(?P<name>.*?) \((?P<user>[^()\n]+)\)[ \t]*\r?$", re.MULTILINE)
_VALUE = re.compile(r"^\s*[^:\n]{1,40}:[ \t]*(?P<value>.+?)\s*$")
_NO_RECEIPT = "There was no receipt: the user was taken from the file's name."


class _Receipt(NamedTuple):
    user: str
    name: str
    originals: dict[str, str]


class Blackboard:
    """Members `<Exercise>_<user>_attempt_<time>_<file>`. Exercise and user may hold `_`: the receipt knows the user."""

    name = "blackboard"
    flat = True
    notes: tuple[str, ...] = ()

    def __init__(self, receipts: dict[tuple[str, str], _Receipt], heads: list[str]) -> None:
        self._receipts = receipts
        self._names = {receipt.user.casefold(): receipt.name for receipt in receipts.values()}
        self._exercises = _exercises(receipts, heads)

    def place(self, path: str) -> Place | None:
        """See `Layout`."""
        for part, rest in starts(path):
            if match := _MEMBER.fullmatch(part):
                return self._placed(match, joined(match["file"] or "", rest, path))
        return None

    def _placed(self, match: re.Match[str], file: str) -> Place:
        receipt = self._receipts.get((match["head"], match["time"]))
        user = receipt.user if receipt else self._user(match["head"])
        note = "" if receipt else _NO_RECEIPT
        original = receipt.originals.get(match[0], file) if receipt else file
        if original != file and match["file"] == file:
            note = f"{names.quoted(file)} was handed in as {names.quoted(original)}."
        return Place(
            key=user.casefold(),
            people=(Person(id=user, name=self._names.get(user.casefold(), ""), login=user),),
            file="" if match["receipt"] else file,
            attempt=match["time"],
            submitted=from_stamp(match["time"]),
            note=note,
        )

    def _user(self, head: str) -> str:
        for exercise in self._exercises:
            if head.startswith(f"{exercise}_") and len(head) > len(exercise) + 1:
                return head[len(exercise) + 1 :]
        return head.rpartition("_")[2]

    def ignores(self, path: str) -> bool:
        """See `Layout`."""
        return False


def blackboard(listing: Listing) -> Blackboard:
    """Reads the receipts."""
    receipts, heads = {}, []
    for path in listing.paths:
        match = _MEMBER.fullmatch(path.rpartition("/")[2])
        if match:
            heads.append(match["head"])
        if match and match["receipt"] and (receipt := _receipt(match["head"], listing.read(path))):
            receipts[match["head"], match["time"]] = receipt
    return Blackboard(receipts, heads)


def _receipt(head: str, text: str) -> _Receipt | None:
    """The first line that names somebody whose user name ends the file's own; a student wrote what comes later."""
    for match in _NAMED.finditer(text):
        if head.endswith(f"_{match['user']}"):
            return _Receipt(match["user"], match["name"].strip(), _originals(text))
    return None


def _originals(text: str) -> dict[str, str]:
    """The file's name in the download to the one that it was handed in under: two lines in any language."""
    values = [match["value"] if (match := _VALUE.match(line)) else "" for line in text.splitlines()]
    return {packed: original for original, packed in itertools.pairwise(values) if _MEMBER.fullmatch(packed)}


def _exercises(receipts: dict[tuple[str, str], _Receipt], heads: list[str]) -> list[str]:
    """The exercise's name, longest first: what receipts leave of the heads, else what all heads begin with."""
    known = {head.removesuffix(f"_{receipt.user}") for (head, _), receipt in receipts.items()}
    if not known and len(set(heads)) > 1:
        known = {_beginning(min(heads), max(heads)).rpartition("_")[0]} - {""}
    return sorted(known, key=lambda exercise: (-len(exercise), exercise))


def _beginning(first: str, last: str) -> str:
    """What the first and the last in the alphabet begin with, and so all between them."""
    return "".join(
        one for one, _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False))
    )
