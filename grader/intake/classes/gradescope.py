"""Gradescope's export: one folder for each submission, and `submission_metadata.yml`, which says whose they are."""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from grader.intake.classes.layout import Listing, Place, starts
from grader.intake.classes.times import from_stamp
from grader.model.class_handed_in import Person

METADATA = "submission_metadata.yml"
_LINE = re.compile(
    r"(?P<indent> *)(?P<item>- +)?(?P<key>\"[^\"]*\"|'[^']*'|:?[^\s:'\"#-][^:]*|:[^:]+):(?: +(?P<value>.*))?"
)
_RUBY_CODE = re.compile(r"\\x([0-9A-Fa-f]{2})|\\(.)", re.DOTALL)


class _Known(NamedTuple):
    people: tuple[Person, ...]
    submitted: str | None


class Gradescope:
    """`assignment_<id>_export/submission_<id>/…`. Several submitters are a group."""

    name = "gradescope"
    flat = False
    notes: tuple[str, ...] = ()

    def __init__(self, known: dict[str, _Known]) -> None:
        self._known = known

    def place(self, path: str) -> Place | None:
        """See `Layout`."""
        for part, rest in starts(path):
            if known := self._known.get(part):
                file = rest or ("" if path.endswith("/") else part)
                return Place(part, known.people, file, submitted=known.submitted)
        return None

    def ignores(self, path: str) -> bool:
        """The table that says whose they are."""
        return path.rpartition("/")[2] == METADATA and path.count("/") < 3


def gradescope(listing: Listing) -> Gradescope | None:
    """Reads the table; None if there is none at the top."""
    found = [path for path in listing.paths if path.rpartition("/")[2] == METADATA and path.count("/") < 3]
    if not found:
        return None
    return Gradescope(read_metadata(listing.read(min(found, key=lambda path: path.count("/")))))


def read_metadata(text: str) -> dict[str, _Known]:
    """Whose each submission is. Of the YAML only the lines that say so are understood, by how far they are indented."""
    known: dict[str, _Known] = {}
    block: list[re.Match[str]] = []
    name = ""
    for line in text.splitlines():
        match = _LINE.fullmatch(line.rstrip())
        if match and not match["indent"] and not match["item"]:
            if name:
                known[name] = _known(name, block)
            name, block = _plain(match["key"]), []
        elif match:
            block.append(match)
    if name:
        known[name] = _known(name, block)
    return known


def _known(name: str, block: list[re.Match[str]]) -> _Known:
    """What stands below one submission: people are items below `:submitters`, until the next key of its own."""
    own = len(block[0]["indent"]) if block else 0
    people: list[dict[str, str]] = []
    key, submitted = "", None
    for line in block:
        if len(line["indent"]) == own and not line["item"]:
            key = _word(line)
            if key == "created_at":
                submitted = from_stamp(_plain(line["value"] or ""))
        elif key == "submitters":
            if line["item"]:
                people.append({})
            if people:
                people[-1].setdefault(_word(line), _plain(line["value"] or ""))
    return _Known(tuple(_person(one, name) for one in people) or (Person(id=name),), submitted)


def _person(said: dict[str, str], name: str) -> Person:
    number, email = said.get("sid", ""), said.get("email", "")
    return Person(id=number or email or name, name=said.get("name", ""), email=email, number=number)


def _word(line: re.Match[str]) -> str:
    return _plain(line["key"]).removeprefix(":")


def _plain(value: str) -> str:
    """A scalar as text: numbers keep their leading zeros."""
    value = value.strip()
    if len(value) > 1 and value[0] == value[-1] == "'":
        return value[1:-1].replace("''", "'")
    if len(value) > 1 and value[0] == value[-1] == '"':
        try:
            return str(json.loads(value))
        except ValueError:
            return _RUBY_CODE.sub(lambda match: chr(int(match[1], 16)) if match[1] else match[2], value[1:-1])
    return "" if value in ("null", "~") else value
