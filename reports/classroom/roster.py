"""Whose records these are: the attempts of each student in order, and names that nobody outside the room can read."""

from __future__ import annotations

import hashlib
import hmac
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Any

from reports.classroom.anonymous import anonymised, without_name
from reports.lateness import Kept, points_of
from reports.text import line

Record = dict[str, Any]
Stored = tuple[str, Record]  # where it lay, relative to the folder that was searched, and what it says

_CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # none that looks like another
_SHORTEST_CODE = 4
_SLUG_CHARACTERS = 40


@dataclass(frozen=True)
class Known:
    """What a gradebook knows of a student beside the records: the id, and what lateness leaves of the points."""

    id: str = ""
    kept: Kept | None = None


@dataclass(frozen=True)
class Student:
    """All attempts of one student, oldest first; the last one counts. `shown` is safe text: the name or the code."""

    name: str
    code: str
    shown: str
    page: str
    attempts: tuple[Record, ...]
    known: Known = Known()

    @property
    def latest(self) -> Record:
        """The record that counts."""
        return self.attempts[-1]

    @property
    def points(self) -> float:
        """Those that count, after lateness."""
        return points_of(self.latest, self.known.kept)

    @property
    def share(self) -> float:
        """The part of their own points that count: who has begun more than has to be done can earn and lose more."""
        most = float(self.latest["max_points"])
        return self.points / most if most else 0.0

    @property
    def known_as(self) -> str:
        """What the records of this student call them, unsafe to show."""
        return self.code if self.shown == self.code else self.name

    @property
    def number_of_attempts(self) -> int:
        """How often they handed in, as far as the records tell."""
        return max(len(self.attempts), *(int(record["submission"].get("attempt", 1)) for record in self.attempts))


def roster(stored: Iterable[Stored], known: Mapping[str, Known] | None = None) -> tuple[Student, ...]:
    """The students in the order of their names, with what is known of each by name. A record twice is kept once."""
    found: dict[str, list[Record]] = {}
    for path, record in stored:
        name = _name(path, record)
        attempts = found.setdefault(name, [])
        if record not in attempts:
            attempts.append(record)
    digests = Counter(record["course"]["digest"] for attempts in found.values() for record in attempts)
    secret = min(digests, key=lambda digest: (-digests[digest], digest)) if digests else ""
    codes, pages = _codes(found, secret), _pages(found)
    facts = {_normal(name): one for name, one in (known or {}).items()}
    return tuple(
        Student(
            name,
            codes[name],
            line(name, 60),
            pages[name],
            tuple(sorted(found[name], key=_order)),
            facts.get(name, Known()),
        )
        for name in sorted(found, key=lambda name: (unicodedata.normalize("NFKD", name).casefold(), name))
    )


def without_names(students: Sequence[Student]) -> tuple[Student, ...]:
    """The same students under their codes, in the order of these; their records tell no name."""
    nameless = (
        replace(
            student,
            shown=student.code,
            page=f"{student.code.lower()}.html",
            attempts=tuple(
                anonymised(_reasons_hidden(record, students), student.name, student.code) for record in student.attempts
            ),
        )
        for student in students
    )
    return tuple(sorted(nameless, key=lambda student: student.code))


def _reasons_hidden(record: Record, students: Sequence[Student]) -> Record:
    """The reasons for points changed by hand with codes for the names of the class: a person wrote them."""

    def hidden(check: Record) -> Record:
        if not check.get("by_hand"):
            return check
        reason = check["by_hand"]["reason"]
        for one in students:
            reason = without_name(reason, one.name, one.code, parts=False)
        return {**check, "by_hand": {**check["by_hand"], "reason": reason}}

    exercises = [{**one, "checks": [hidden(check) for check in one["checks"]]} for one in record["exercises"]]
    return {**record, "exercises": exercises}


def _normal(name: str) -> str:
    return unicodedata.normalize("NFC", " ".join(name.split()))


def _name(path: str, record: Record) -> str:
    """The name in the record, else that of its file, or of the folder of a grade.json."""
    if named := _normal(str(record["submission"]["student"])):
        return named
    place = PurePosixPath(path)
    return place.parent.name if place.stem == "grade" and place.parent.name else place.stem


def _order(record: Record) -> tuple[int, datetime]:
    """The number of the attempt, then the time; a time that cannot be read comes first."""
    try:
        started = datetime.fromisoformat(record["timing"]["started"])
        started = started.astimezone(UTC) if started.tzinfo else started.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        started = datetime.min.replace(tzinfo=UTC)
    return int(record["submission"].get("attempt", 1)), started


def _codes(names: Iterable[str], secret: str) -> dict[str, str]:
    """A code for each name: four letters or digits of a keyed hash, and more for those that begin alike."""
    full = {name: _letters(hmac.new(secret.encode(), name.encode(errors="replace"), hashlib.sha256)) for name in names}
    codes = {name: code[:_SHORTEST_CODE] for name, code in full.items()}
    for length in range(_SHORTEST_CODE + 1, len(next(iter(full.values()), "")) + 1):
        shared = {code for code, times in Counter(codes.values()).items() if times > 1}
        codes = {name: full[name][:length] if code in shared else code for name, code in codes.items()}
    return codes


def _letters(digest: hmac.HMAC) -> str:
    number, letters = int.from_bytes(digest.digest()), ""
    while len(letters) < 24:
        number, at = divmod(number, len(_CODE_LETTERS))
        letters += _CODE_LETTERS[at]
    return letters


def _pages(names: Iterable[str]) -> dict[str, str]:
    """A file name for each student: plain letters of the name, and a hash, so that no two are the same anywhere."""
    pages = {}
    for name in names:
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
        slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:_SLUG_CHARACTERS].strip("-") or "student"
        pages[name] = f"{slug}-{hashlib.sha256(name.encode(errors='surrogatepass')).hexdigest()[:10]}.html"
    return pages
