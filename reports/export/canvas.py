"""Canvas: the gradebook that an instructor exported, filled; or a file that Canvas imports, written anew.

The rules are those of its importer, `lib/gradebook_importer.rb`. It takes a blank where it has a score for a change, so
students without a grade keep the cell that they have, and get no line in a new file. It would make a new assignment for
a title that it does not know, so a column is found, never added. The file has no byte order mark: a first cell has to
be exactly `LastName`.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from reports.export.csv_file import CsvFile, read_csv
from reports.export.filling import Filling, Index, number_in
from reports.export.outcome import ExportError, Filled, Written, told
from reports.export.rows import Row, figure
from reports.text import csv_cell, line, short_points
from reports.words import say

_HEADER = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
_ID, _NUMBER, _LOGIN = "id", "number", "login"
_KINDS = {"ID": _ID, "SIS User ID": _NUMBER, "SIS Login ID": _LOGIN}
_POINTS_ROW = "Points Possible"
_WITH_ID = re.compile(r"(?P<title>.*)\s\((?P<id>\d+)\)", re.DOTALL)
_NOT_AN_ASSIGNMENT = re.compile(r"(Current|Final) (Score|Points|Grade)|Override (Score|Grade|Status)")
_NO_STUDENT = re.compile(r"\s*(Muted|Manual Posting.*)?\s*", re.IGNORECASE | re.DOTALL)
_READ_ONLY = re.compile(r"read\s+only", re.IGNORECASE)
_LEFT = {"ex": "excused", "n/a": "not_assigned"}  # what Canvas writes for a student who is to get no score
_MOST_LISTED = 20


def fill_gradebook(gradebook: bytes, rows: Iterable[Row], column: str | None = None) -> Filled:
    """The exported gradebook with the points of `rows` in one column, and every other byte as it was.

    `column` is the heading, the assignment's number, or its title; not needed where there is one assignment only.

    Raises:
        ExportError: it is no gradebook of Canvas, or the column cannot be told.
    """
    file = read_csv(gradebook)
    at, worth = _column(file, column), None
    found, filling = Index(), Filling(file, at)
    for number, cells in enumerate(file.lines[1:], 1):
        if _POINTS_ROW in cells[0].text:
            worth = file.at(number, at)
        elif not all(_NO_STUDENT.fullmatch(cell.text) for cell in cells):
            for place, heading in enumerate(file.header[: len(cells)]):
                if kind := _KINDS.get(heading.strip()):
                    found.add(kind, cells[place].text, number)
    first: dict[str, None] = {}
    for row, number in filling.placed(rows, found, _ids):
        if why := _LEFT.get(file.at(number, at).strip().lower()):
            filling.notes.append(told(row, why))
            continue
        filling.put(number, at, figure(row.grade))
        if worth and number_in(worth) != row.scale:
            told_worth = {"worth": line(worth.strip(), 20), "max": short_points(row.scale)}
            first[say("export.other_worth", **told_worth)] = None
    return filling.done(first, bom=False)


def write_gradebook(rows: Iterable[Row], out: BinaryIO, title: str, max_points: float | None = None) -> Written:
    """A file to import, row by row. Canvas makes an assignment for a `title` that it does not know, worth `max_points`.

    A title with the assignment's number behind it, as in `Lab 2 (331207)`, is sure to be found; its worth is left as
    it is.

    Raises:
        ExportError: a title that a spreadsheet would calculate, or that Canvas passes over.
    """
    if csv_cell(title) != title or not title.strip() or _NOT_AN_ASSIGNMENT.search(title):
        raise ExportError(say("export.unusable_title", title=line(title)))
    known = _WITH_ID.fullmatch(title) is not None
    notes = [] if known else [say("export.new_assignment", title=line(title))]
    text = io.TextIOWrapper(out, encoding="utf-8", newline="", write_through=True)
    table = csv.writer(text)
    table.writerow([*_HEADER, title])
    table.writerow([f"    {_POINTS_ROW}", "", "", "", "", "" if known else figure(max_points)])
    written = 0
    for row in rows:
        if row.state == "missing":
            continue
        ids = _own_ids(row)
        if row.points is None or not any(ids):
            notes.append(told(row, "not_graded" if row.points is None else "no_id"))
            continue
        table.writerow([csv_cell(row.who.name), *ids, "", figure(row.grade)])
        written += 1
    text.detach()
    return Written(written, tuple(notes))


def _ids(row: Row) -> Iterator[tuple[str, str]]:
    who = row.who
    yield _ID, who.id_of("canvas")
    yield from ((_NUMBER, value) for value in (who.number, who.own_words))
    yield from ((_LOGIN, value) for value in (*who.logins, who.email))


def _own_ids(row: Row) -> tuple[str, str, str]:
    """ID, SIS User ID and SIS Login ID. Canvas looks for them, so what would have to be altered is left out."""
    who = row.who
    own, login = who.id_of("canvas"), next((one for one in (*who.logins, who.email) if one), "")
    return own if own.isascii() and own.isdigit() else "", _unaltered(who.number), _unaltered(login)


def _unaltered(value: str) -> str:
    return value if csv_cell(value) == value else ""


def _column(file: CsvFile, asked: str | None) -> int:
    """Which column is the assignment's."""
    there = _assignments(file)
    if asked is None:
        found = [at for at, heading in there.items() if _WITH_ID.fullmatch(heading)] or list(there)
    else:
        found = [at for at, heading in there.items() if heading.strip() == asked.strip()]
        found = found or [at for at, heading in there.items() if asked.strip() in _names(heading)]
    if len(found) == 1:
        return found[0]
    headings = ", ".join(f"“{line(there[at], 60)}”" for at in list(there)[:_MOST_LISTED]) or "–"
    if asked is None:
        raise ExportError(say("export.which_column", columns=headings))
    raise ExportError(say("export.no_column", column=line(asked, 60), columns=headings))


def _assignments(file: CsvFile) -> dict[int, str]:
    """The headings of all columns that hold scores which may be changed."""
    header = file.header
    named = len(header) > 4 and header[:2] == ("LastName", "FirstName") and "ID" in header[2]
    if not named and not (len(header) > 3 and "Student" in header[0] and "ID" in header[1]):
        raise ExportError(say("export.no_gradebook"))
    section = next((at for at, heading in enumerate(header) if at > 1 and "Section" in heading), None)
    if section is None:
        raise ExportError(say("export.no_gradebook"))
    points = next((at for at, cells in enumerate(file.lines) if _POINTS_ROW in cells[0].text), None)
    return {
        at: heading
        for at, heading in enumerate(header)
        if at > section
        and heading.strip()
        and not _NOT_AN_ASSIGNMENT.search(heading)
        and (points is None or not _READ_ONLY.search(file.at(points, at)))
    }


def _names(heading: str) -> tuple[str, ...]:
    """What an assignment may be called: its number, and its title."""
    match = _WITH_ID.fullmatch(heading.strip())
    return (match["id"], match["title"]) if match else ()
