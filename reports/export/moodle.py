"""Moodle: the grading worksheet that an instructor downloaded, with grades in it.

The rules are those of its importer, `mod/assign/feedback/offline`. Headings are translated, so a column whose heading
is not the English one is found by what stands in it. Every other byte stays, a byte order mark and line ends too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape

from reports.export.csv_file import CsvFile, read_csv
from reports.export.filling import Filling, Index, number_in
from reports.export.outcome import ExportError, Filled, told
from reports.export.rows import Row, figure
from reports.text import block, line, short_points
from reports.words import say

_GRADE, _LOCKED, _COMMENTS = "Grade", "Grade can be changed", "Feedback comments"
_ID, _NUMBER, _LOGIN, _EMAIL = "id", "number", "login", "email"
_KINDS = {"ID number": _NUMBER, "Username": _LOGIN, "Email address": _EMAIL}
_PARTICIPANT = re.compile(r"\D*?(\d+)\s*")  # the word is translated; the number is also in the names of folders
_FIRST_GRADE = 2  # after the identifier and the name
_COMMENT_CHARACTERS = 500


@dataclass(frozen=True)
class Columns:
    """Headings of a worksheet, where they cannot be told from what stands in the columns (or None).

    Comments are only written if `comments` is named; one that is there already stays.
    """

    grade: str | None = None
    comments: str | None = None


def fill_worksheet(worksheet: bytes, rows: Iterable[Row], columns: Columns | None = None) -> Filled:
    """The worksheet with the points of `rows`. What Moodle would pass over without a word is noted.

    Raises:
        ExportError: it is no grading worksheet, or a column cannot be told.
    """
    file, columns = read_csv(worksheet), columns or Columns()
    grade = _grade_column(file, columns.grade)
    comments = None if columns.comments is None else _named(file, columns.comments)
    locked = file.header.index(_LOCKED) if _LOCKED in file.header else None
    comma = _decimal_comma(file, grade)
    filling, first = Filling(file, grade), dict[str, None]()
    for row, number in filling.placed(rows, _index(file, grade), _ids):
        most, points = number_in(file.at(number, grade + 1)), figure(row.grade)
        if float(points) > most:
            filling.notes.append(told(row, "above_maximum", points=points, max=short_points(most)))
            continue
        if most != row.scale:
            worth = {"worth": line(file.at(number, grade + 1).strip(), 20), "max": short_points(row.scale)}
            first[say("export.other_worth", **worth)] = None
        if locked is not None and file.at(number, locked).strip() == "No":
            filling.notes.append(told(row, "locked"))
        filling.put(number, grade, points.replace(".", ",") if comma else points)
        if comments is not None:
            _comment(filling, file, (number, comments), row)
    return filling.done(first, bom=file.bom)


def comment_of(row: Row) -> str:
    """What Moodle shows beside the grade, as HTML: points, lateness, and the next step of each exercise."""
    told_points = {"points": figure(row.points), "max": figure(row.max_points)}
    said = [say("export.comment_points", **told_points)]
    if row.late and row.late.sentence:
        said.append(block(row.late.sentence, _COMMENT_CHARACTERS))
    for one in row.exercises:
        if one.next_step:
            step = block(one.next_step, _COMMENT_CHARACTERS)
            said.append(say("export.comment_step", exercise=line(one.title), step=step))
    return "".join(f"<p>{escape(one)}</p>" for one in said)


def _comment(filling: Filling, file: CsvFile, place: tuple[int, int], row: Row) -> None:
    comment, there = comment_of(row), file.at(*place)
    if not there.strip():
        filling.put(*place, comment)
    elif there != comment:
        filling.notes.append(told(row, "has_comment"))


def _ids(row: Row) -> Iterator[tuple[str, str]]:
    who = row.who
    yield _ID, who.id_of("moodle")
    yield from ((_NUMBER, value) for value in (who.number, who.own_words))
    yield from ((_LOGIN, value) for value in who.logins)
    yield from ((_EMAIL, value) for value in (who.email, who.own_words) if "@" in value)


def _index(file: CsvFile, grade: int) -> Index:
    found = Index()
    for number, cells in enumerate(file.lines[1:], 1):
        if match := _PARTICIPANT.fullmatch(cells[0].text):
            found.add(_ID, match[1], number)
        for heading, cell in list(zip(file.header, cells, strict=False))[_FIRST_GRADE:grade]:
            kind = _EMAIL if "@" in cell.text else _KINDS.get(heading.strip())
            if kind:
                found.add(kind, cell.text, number)
    return found


def _grade_column(file: CsvFile, asked: str | None) -> int:
    """By the heading that was asked for, the English one, or as the column before the one with the maximum."""
    if not all(_PARTICIPANT.fullmatch(cells[0].text) for cells in file.lines[1:]):
        raise ExportError(say("export.no_worksheet"))
    if asked is not None:
        return _named(file, asked)
    if _GRADE in file.header:
        return file.header.index(_GRADE)
    found = [at for at in range(_FIRST_GRADE, len(file.header) - 1) if _holds_grades(file, at)]
    if len(found) != 1:
        raise ExportError(say("export.which_column", columns=_headings(file)))
    return found[0]


def _holds_grades(file: CsvFile, at: int) -> bool:
    """Whether each line has a grade or nothing here, and the same maximum in the next column."""
    worth = {file.at(number, at + 1).strip() for number in range(1, len(file.lines))}
    most = number_in(worth.pop()) if len(worth) == 1 else 0.0
    grades = (file.at(number, at).strip() for number in range(1, len(file.lines)))
    return most > 0 and all(not grade or 0 <= number_in(grade) <= most for grade in grades)


def _named(file: CsvFile, asked: str) -> int:
    found = [at for at, heading in enumerate(file.header) if heading.strip() == asked.strip()]
    if len(found) != 1:
        raise ExportError(say("export.no_column", column=line(asked, 60), columns=_headings(file)))
    return found[0]


def _headings(file: CsvFile) -> str:
    return ", ".join(f"“{line(heading, 60)}”" for heading in file.header)


def _decimal_comma(file: CsvFile, grade: int) -> bool:
    """Whether this language writes 10,00: Moodle reads a grade as its user's language writes numbers."""
    cells = [file.at(number, at) for number in range(1, len(file.lines)) for at in (grade, grade + 1)]
    return any("," in cell for cell in cells) and not any("." in cell for cell in cells)
