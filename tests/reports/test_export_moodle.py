"""Moodle: what is filled in comes back by the rules of its importer (`mod/assign/feedback/offline`)."""

import csv
import io
from dataclasses import replace

import pytest
from export_class import (
    AMARA,
    GRADES,
    JISOO,
    MOODLE,
    MOODLE_WORKSHEET,
    class_of_six,
    compare,
    in_moodle,
    row,
)

from reports.export.moodle import Columns, comment_of, fill_worksheet
from reports.export.outcome import ExportError
from reports.export.rows import Who
from reports.lateness import Kept

ENGLISH = ("Identifier", "Grade", "Last modified (grade)", "Participant ")
GERMAN = ("ID", "Bewertung", "Zuletzt geändert (Bewertung)", "Teilnehmer/in")


def moodle_reads(data: bytes, decimal_sign: str = ".", language: tuple[str, ...] = ENGLISH) -> dict[str, str]:
    """The grade cell of each participant, as a number where there is one."""
    header, *lines = csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""))
    identifier, grade, modified, word = language
    assert modified in header
    cells = {line[header.index(identifier)][len(word) :]: line[header.index(grade)] for line in lines}
    return {number: str(float(cell.replace(decimal_sign, "."))) if cell else "" for number, cell in cells.items()}


def changes(before: bytes, after: bytes, *, most: float = 10.0, **how) -> dict[str, float]:
    """The grades that are stored: empty, equal and out of range are passed over."""
    had, has = moodle_reads(before, **how), moodle_reads(after, **how)
    return {
        number: float(grade)
        for number, grade in has.items()
        if grade and grade != had[number] and 0 <= float(grade) <= most
    }


def in_german(worksheet: bytes) -> bytes:
    text = worksheet.decode().replace("Participant ", "Teilnehmer/in").replace("10.00", '"10,00"')
    text = text.replace(",3.00,", ',"3,00",').replace(",7.00,", ',"7,00",')
    header = (
        "ID,Vollständiger Name,E-Mail-Adresse,Status,Bewertung,Bestwertung,Änderbar,Zuletzt geändert (Abgabe),"
        "Texteingabe,Zuletzt geändert (Bewertung),Feedback als Kommentar"
    )
    return "\n".join([header, *text.split("\n")[1:]]).encode()


def expected() -> dict[str, float]:
    return {MOODLE[who]: points for who, points in GRADES.items()}


def test_every_grade_arrives():
    filled = fill_worksheet(MOODLE_WORKSHEET, iter(class_of_six("moodle")))

    assert changes(MOODLE_WORKSHEET, filled.data) == expected()
    assert (filled.written, filled.replaced) == (4, 1)
    assert len(filled.notes) == 1
    assert "Lindqvist" in filled.notes[0]


@pytest.mark.parametrize("comments", [None, "Feedback comments"])
def test_filled_worksheet_is_as_it_was(comments):
    name = "moodle_filled_with_comments.csv" if comments else "moodle_filled.csv"
    filled = fill_worksheet(MOODLE_WORKSHEET, class_of_six("moodle"), Columns(comments=comments))
    compare(name, filled.data)


def test_other_bytes_stay():
    filled = fill_worksheet(MOODLE_WORKSHEET, [row(in_moodle(AMARA), 2.0, 2.5, 0.0)])
    assert filled.data == MOODLE_WORKSHEET.replace(b"Not graded,,10.00", b"Not graded,4.5,10.00", 1)


@pytest.mark.parametrize("change", [lambda data: b"\xef\xbb\xbf" + data, lambda data: data.replace(b"\n", b"\r\n")])
def test_mark_and_line_ends_stay(change):
    worksheet = change(MOODLE_WORKSHEET)
    assert fill_worksheet(worksheet, []).data == worksheet
    assert changes(worksheet, fill_worksheet(worksheet, class_of_six("moodle")).data) == expected()


def test_translated_worksheet_is_understood():
    worksheet = in_german(MOODLE_WORKSHEET)

    filled = fill_worksheet(worksheet, class_of_six("moodle"))

    assert changes(worksheet, filled.data, decimal_sign=",", language=GERMAN) == expected()
    assert b'"4,5"' in filled.data


def test_column_that_cannot_be_told_is_asked_for():
    worksheet = in_german(MOODLE_WORKSHEET).replace(b'"10,00"', b"Skala")
    with pytest.raises(ExportError, match="Bewertung"):
        fill_worksheet(worksheet, [])


def test_column_is_named():
    worksheet = MOODLE_WORKSHEET.replace(b",Grade,", b",Note,")
    assert fill_worksheet(worksheet, class_of_six("moodle"), Columns(grade="Note")).written == 4


@pytest.mark.parametrize("columns", [Columns(grade="Mark"), Columns(comments="Remarks")])
def test_column_that_is_not_there_is_refused(columns):
    with pytest.raises(ExportError, match="Feedback comments"):
        fill_worksheet(MOODLE_WORKSHEET, [], columns)


@pytest.mark.parametrize("data", [b"", b"Name,Grade,Max\nAda,1,2\n", b'Identifier,"Grade\n'])
def test_other_files_are_refused(data):
    with pytest.raises(ExportError):
        fill_worksheet(data, class_of_six("moodle"))


def test_grade_above_the_maximum_is_noted():
    """Moodle would pass it over without a word."""
    worksheet = MOODLE_WORKSHEET.replace(b"10.00", b"5.00")
    filled = fill_worksheet(worksheet, [row(in_moodle(JISOO), 2.0, 5.0, 3.0)])
    assert filled.data == worksheet
    assert "takes 5 points at most" in filled.notes[0]


def test_other_worth_is_noted_once():
    filled = fill_worksheet(MOODLE_WORKSHEET.replace(b"10.00", b"100.00"), class_of_six("moodle"))
    assert [note for note in filled.notes if "100.00" in note] == [filled.notes[0]]
    assert filled.written == 4


def test_locked_grade_is_noted():
    filled = fill_worksheet(MOODLE_WORKSHEET.replace(b",Yes,", b",No,"), [row(in_moodle(AMARA), 2.0, 5.0, 3.0)])
    assert ["cannot be changed" in note for note in filled.notes] == [True]


@pytest.mark.parametrize(
    "who", [Who("aoduya@example.edu", "plain"), Who("1", "canvas", email="AODUYA@example.edu"), Who("771204", "")]
)
def test_student_of_another_place_is_found_by_address(who):
    filled = fill_worksheet(MOODLE_WORKSHEET, [row(who, 2.0, 5.0, 3.0)])
    assert changes(MOODLE_WORKSHEET, filled.data) == {"771204": 10.0}


@pytest.mark.parametrize("who", [Who("771204", "canvas"), Who("Oduya, Amara", "plain"), Who("71204", "moodle-flat")])
def test_grade_without_a_line_is_noted(who):
    filled = fill_worksheet(MOODLE_WORKSHEET, [row(who, 2.0, 5.0, 3.0)])
    assert filled.data == MOODLE_WORKSHEET
    assert "no line of the file" in filled.notes[0]


def test_comment_of_a_teacher_stays():
    filled = fill_worksheet(MOODLE_WORKSHEET, class_of_six("moodle"), Columns(comments="Feedback comments"))
    assert b"Good start\n" in filled.data
    assert [note for note in filled.notes if "another comment" in note] == [
        "Park, Ji-soo (771207): has another comment already, which stays."
    ]


def test_filling_twice_changes_nothing_more():
    columns = Columns(comments="Feedback comments")
    once = fill_worksheet(MOODLE_WORKSHEET, class_of_six("moodle"), columns)
    twice = fill_worksheet(once.data, class_of_six("moodle"), columns)
    assert twice.data == once.data
    assert (twice.written, twice.replaced) == (4, 0)


def test_comment_is_escaped_and_tells_lateness():
    late = Kept(4.0, 10.0, "1 day <late>")
    comment = comment_of(replace(row(AMARA, 2.0, 2.5, 0.0), late=late))
    assert comment == (
        "<p>4.5 of 10 points.</p><p>1 day &lt;late&gt;</p>"
        "<p>Residual connection: Add the block&#x27;s own input, &lt;before&gt; the norm.</p>"
    )
