"""A roster: a CSV with a line for each student, from whatever platform; it joins ids to names, and never by a name."""

from __future__ import annotations

import csv
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from grader.errors import UsageError
from grader.intake import names
from grader.model.class_handed_in import Enrolled, HandIn, Person, Row

MOST_BYTES = 32 << 20
_MOST_CHARACTERS_OF_A_CELL = 128 << 10
_NAMES = {"name", "full name", "student", "student name", "display name"}
_FIRST, _LAST = {"first name", "firstname", "given name"}, {"last name", "lastname", "surname", "family name"}
_EMAILS = {"email", "e-mail", "email address", "mail"}
_SECTIONS = {"section", "sections", "section name", "group", "class"}
_IDS = {
    "id", "student id", "user id", "userid", "user", "username", "login", "login id", "sid", "number", "student number",
    "identifier", "id number", "idnumber", "matriculation number", "orgdefinedid", "org defined id",
    "sis user id", "sis login id", "sis id", "integration id", "github username", "github id", "github", "github login",
    "roster identifier", "student repository name", "repository", "key", "participant",
}  # fmt: skip
_KNOWN = _NAMES | _FIRST | _LAST | _EMAILS | _SECTIONS | _IDS
_PARTICIPANT = re.compile(r"\D+ ?(\d+)")  # Moodle's "Participant 771204", in any language
_NOBODY = re.compile(r"\s*(?:points possible|student, test|test student)\s*", re.IGNORECASE)


def read_roster(path: Path) -> tuple[Enrolled, ...]:
    """Everybody in a CSV file in UTF-8 (with or without a mark) or cp1252, with `,`, `;` or a tab between the cells.

    Raises:
        UsageError: it cannot be read, or no column of it tells students apart.
    """
    text = _text(path)
    csv.field_size_limit(_MOST_CHARACTERS_OF_A_CELL)
    try:
        lines = list(csv.reader(text.splitlines(keepends=True), delimiter=_delimiter(text)))
    except csv.Error as error:
        raise UsageError(f"The roster {names.quoted(path.name)} is no table that can be read: {error}.") from None
    if not lines:
        raise UsageError(f"The roster {names.quoted(path.name)} is empty.")
    columns = _columns(lines)
    if not any(column in _IDS or column in _EMAILS for column in columns):
        seen = names.listed([cell for cell in lines[0] if cell] or [""], most=8)
        raise UsageError(
            f"The roster {names.quoted(path.name)} has no column that tells students apart: it has {seen}. "
            "Name one of them `id`, `username` or `email`."
        )
    people = [_enrolled(columns, line) for line in lines[1:]]
    return tuple(person for person in people if person.ids and not _NOBODY.fullmatch(person.name))


def joined(hand_ins: Iterable[HandIn], roster: Iterable[Enrolled] = ()) -> tuple[Row, ...]:
    """A row for each student of the roster, in its order, and for each that it does not name; by their ids only."""
    every, enrolled = tuple(hand_ins), tuple(roster)
    owners = _owners(every, enrolled)
    theirs: dict[int, list[HandIn]] = {}
    others: dict[str, list[HandIn]] = {}
    for one in every:
        found = {owners[pair] for person in one.people for pair in _said(person) if pair in owners}
        for at in found:
            theirs.setdefault(at, []).append(one)
        if not found:
            others.setdefault(one.key, []).append(one)
    called = _called(enrolled)
    rows = [Row(called[at], person, tuple(theirs.get(at, ()))) for at, person in enumerate(enrolled)]
    taken = {row.student.casefold() for row in rows}
    for key, attempts in others.items():
        student = attempts[0].student
        rows.append(Row(f"{student} ({key})" if student.casefold() in taken else student, None, tuple(attempts)))
    return tuple(rows)


def _owners(hand_ins: tuple[HandIn, ...], enrolled: tuple[Enrolled, ...]) -> dict[tuple[str, str], int]:
    """The line of the roster by what the platform says of a person: its field, and the value there.

    Each field is looked for in the column that most of its values stand in: a number of one kind may by chance be that
    of another kind for somebody else. A value that two lines have tells nobody.
    """
    columns: dict[str, dict[str, set[int]]] = {}
    for at, line in enumerate(enrolled):
        for column, value in line.ids.items():
            columns.setdefault(column, {}).setdefault(value.casefold(), set()).add(at)
    said = {pair for one in hand_ins for person in one.people for pair in _said(person)}
    owners = {}
    for field in sorted({field for field, _ in said}):
        values = [value for its, value in said if its == field]
        counts = {column: sum(value in lines for value in values) for column, lines in columns.items()}
        best = max(counts, key=lambda column: counts[column], default="")
        for value in values:
            lines = columns.get(best, {}).get(value, set())
            if len(lines) == 1:
                owners[field, value] = next(iter(lines))
    return owners


def _said(person: Person) -> list[tuple[str, str]]:
    fields = ("id", "login", "email", "number", "repository")
    return [(field, value.casefold()) for field in fields if (value := str(getattr(person, field)))]


def _called(enrolled: tuple[Enrolled, ...]) -> list[str]:
    """Names, with the first id behind those that two students share; the id where there is no name."""
    times = Counter(person.name.casefold() for person in enrolled)
    called = []
    for person in enrolled:
        first = next(iter(person.ids.values()))
        behind = f" ({first})" if times[person.name.casefold()] > 1 else ""
        called.append(names.printable(person.name + behind if person.name else first))
    return called


def _enrolled(columns: list[str], line: list[str]) -> Enrolled:
    cells = [(column, unicodedata.normalize("NFC", cell.strip())) for column, cell in zip(columns, line, strict=False)]
    ids = {column: cell for column, cell in cells if cell and (column in _IDS or column in _EMAILS)}
    ids |= {f"{column} (number)": match[1] for column, cell in ids.items() if (match := _PARTICIPANT.fullmatch(cell))}
    first, last = _first_of(cells, _FIRST), _first_of(cells, _LAST)
    name = f"{first} {last}".strip() or _first_of(cells, _NAMES)
    if re.fullmatch(r"[^,]+, [^,]+", name):
        name = " ".join(reversed(name.split(", ")))
    return Enrolled(ids, name, _first_of(cells, _EMAILS), _first_of(cells, _SECTIONS))


def _first_of(cells: list[tuple[str, str]], columns: set[str]) -> str:
    return next((cell for column, cell in cells if column in columns and cell), "")


def _columns(lines: list[list[str]]) -> list[str]:
    """The headings; what is called otherwise in another language is known by what stands below it."""
    columns = [_heading(cell) for cell in lines[0]]
    for at, column in enumerate(columns):
        values = [line[at].strip() for line in lines[1:] if at < len(line) and line[at].strip()]
        if column in _KNOWN or len(set(values)) < max(len(values), 1):
            continue
        if all("@" in value for value in values):
            columns[at] = "email"
        elif all(_PARTICIPANT.fullmatch(value) for value in values):
            columns[at] = "identifier"
    return columns


def _heading(cell: str) -> str:
    """`SIS_User ID` as `sis user id`."""
    return re.sub(r"[\s_]+", " ", unicodedata.normalize("NFC", cell)).strip(" '\"").casefold()


def _delimiter(text: str) -> str:
    """What stands most often in the first line, outside of quotes."""
    first = re.sub(r'"[^"]*"', "", text.partition("\n")[0])
    return max(",;\t", key=first.count)


def _text(path: Path) -> str:
    shown = names.quoted(str(path), width=200)
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise UsageError(f"The roster {shown} cannot be read ({error.strerror}).") from None
    if len(data) > MOST_BYTES:
        raise UsageError(f"The roster {shown} is larger than {MOST_BYTES >> 20} MiB.")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
