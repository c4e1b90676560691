"""Canvas: what is exported comes back by the rules of its importer (`lib/gradebook_importer.rb`)."""

import csv
import io
import re
from dataclasses import replace

import pytest
from export_class import (
    AMARA,
    CANVAS_EXPORT,
    FORMULA,
    GRADES,
    JISOO,
    MANS,
    SILVA,
    ZOE,
    class_of_six,
    compare,
    row,
)

from reports.export.canvas import fill_gradebook, write_gradebook
from reports.export.outcome import ExportError
from reports.export.rows import Who

LAB = "Lab 2: Residual (331207)"
KNOWN = {331100: "Lab 1", 331207: "Lab 2: Residual"}
PEOPLE = {int(who.key): who for who in (AMARA, JISOO, FORMULA, MANS, SILVA, ZOE)} | {48299: Who("48299")}
NOT_ASSIGNMENTS = re.compile("Current Score|Current Points|Current Grade|Final Score|Final Grade|Override Score")


def canvas_reads(data: bytes) -> dict[str, dict[str, str]]:
    """The cells that Canvas takes as scores, by the number (or the new title) of the assignment, and student id."""
    text = data.decode("utf-8")
    counts = {}
    for sep in ";,":
        cells = [
            len(one) for one in csv.reader(io.StringIO("\n".join(text.split("\n")[:3]), newline=""), delimiter=sep)
        ]
        counts[sep] = cells[0] if len(set(cells)) == 1 else 0
    semicolon = counts[";"] > counts[","]
    header, *rows = [
        one for one in csv.reader(io.StringIO(text, newline=""), delimiter=";" if semicolon else ",") if one
    ]
    names = 4 if header[:2] == ["LastName", "FirstName"] else 3
    assert ("Student" in header[0] and "ID" in header[1]) or (names == 4 and "ID" in header[2])
    info = names + (1 if header[names - 1] == "SIS Login ID" else 2 if header[names - 1] == "SIS User ID" else 0)
    assert "Section" in header[info - 1]
    scores: dict[str, dict[str, str]] = {}
    for at, title in enumerate(header):
        if at < info or NOT_ASSIGNMENTS.search(title) or title == "Notes":
            continue
        match = re.fullmatch(r"(.*)\s\((\d+)\)", title)
        found = match[2] if match and int(match[2]) in KNOWN else title
        scores[found] = {
            _student(header, cells): _number(cells[at].strip())
            for cells in rows
            if "Points Possible" not in cells[0] and not all(re.fullmatch(r"\s*(Manual Posting)?\s*", c) for c in cells)
        }
    return scores


def _student(header: list[str], cells: list[str]) -> str:
    """By ID, then SIS User ID, then SIS Login ID."""
    own = cells[header.index("ID")]
    if own and int(own) in PEOPLE:
        return own
    for heading, field in (("SIS User ID", "number"), ("SIS Login ID", "login")):
        value = cells[header.index(heading)] if heading in header else ""
        for key, who in PEOPLE.items():
            if value and getattr(who, field) == value:
                return str(key)
    raise AssertionError(f"Canvas would make a new student of {cells}")


def _number(cell: str) -> str:
    if not re.fullmatch(r"-?[0-9.,]+%?", cell):
        return cell
    *whole, last = re.split("[,.]", cell)
    return f"{''.join(whole)}.{last}" if whole else last


def changes(before: bytes, after: bytes, assignment: str) -> dict[str, float | str]:
    """What the import changes: two blanks are the same, and so are scores at two decimals."""
    had, has = canvas_reads(before)[assignment], canvas_reads(after)[assignment]
    made = {}
    for student, score in has.items():
        if score != had[student] and (not score or not had[student] or float(score) != float(had[student])):
            made[student] = float(score) if score else ""
    return made


def test_every_grade_arrives_and_nothing_else_changes():
    filled = fill_gradebook(CANVAS_EXPORT, class_of_six(), LAB)

    assert changes(CANVAS_EXPORT, filled.data, "331207") == {who.key: points for who, points in GRADES.items()}
    assert changes(CANVAS_EXPORT, filled.data, "331100") == {}
    assert (filled.written, filled.replaced) == (4, 1)


def test_filled_gradebook_is_as_it_was():
    compare("canvas_filled.csv", fill_gradebook(CANVAS_EXPORT, class_of_six(), LAB).data)


def test_written_gradebook_is_as_it_was():
    out = io.BytesIO()
    write_gradebook(class_of_six(), out, LAB)
    compare("canvas_written.csv", out.getvalue())


def test_every_written_grade_arrives():
    out = io.BytesIO()
    written = write_gradebook(iter(class_of_six()), out, LAB)

    assert canvas_reads(out.getvalue()) == {
        "331207": {who.key: f"{points:g}" for who, points in GRADES.items()},
    }
    assert written.written == len(GRADES)
    assert [note for note in written.notes if MANS.key in note] == list(written.notes)


def test_bytes_outside_the_column_stay():
    filled = fill_gradebook(CANVAS_EXPORT, class_of_six(), LAB)

    before, after = (data.split(b"\r\n") for data in (CANVAS_EXPORT, filled.data))
    assert after[:3] == before[:3]
    assert after[3] == before[3].replace(b",4.00,,", b",4.00,4.5,")
    assert after[6:8] == before[6:8]
    assert after[9:] == before[9:]


def test_without_grades_no_byte_changes():
    assert fill_gradebook(CANVAS_EXPORT, [], LAB).data == CANVAS_EXPORT


def test_byte_order_mark_is_taken_away():
    """`LastName` has to be the whole of the first cell."""
    assert fill_gradebook(b"\xef\xbb\xbf" + CANVAS_EXPORT, [], LAB).data == CANVAS_EXPORT


def test_semicolons_stay():
    export = b"LastName;FirstName;ID;SIS Login ID;Section;Lab 2: Residual (331207)\nPoints Possible;;;;;10,00\n"
    export += b"Oduya;Amara;48213;aoduya;CS7-01;\n"
    filled = fill_gradebook(export, class_of_six())
    assert canvas_reads(filled.data)["331207"] == {"48213": "4.5"}
    assert filled.data.startswith(export.removesuffix(b"\n"))


@pytest.mark.parametrize("column", [LAB, "331207", "Lab 2: Residual"])
def test_column_is_found_by_heading_number_or_title(column):
    assert fill_gradebook(CANVAS_EXPORT, class_of_six(), column).written == 4


@pytest.mark.parametrize("column", [None, "Lab 3", "Notes", "Current Score", "Section", "ID"])
def test_no_other_column_is_filled(column):
    """A title that Canvas does not know would become a new assignment."""
    with pytest.raises(ExportError, match="Lab 2: Residual"):
        fill_gradebook(CANVAS_EXPORT, class_of_six(), column)


def test_single_assignment_needs_no_name():
    export = CANVAS_EXPORT.replace(b"Lab 1 (331100)", b"Lab 1 Current Score")
    assert fill_gradebook(export, class_of_six()).written == 4


@pytest.mark.parametrize(
    "data", [b"", b"\n\n", b"a,b,c,d\n1,2,3,4\n", b"Student,ID,Group,Lab 2 (1)\n", b"\xff\xfe\x00"]
)
def test_other_files_are_refused(data):
    with pytest.raises(ExportError):
        fill_gradebook(data, class_of_six())


@pytest.mark.parametrize(("cell", "word"), [("EX", "excused"), ("ex", "excused"), ("N/A", "did not give")])
def test_who_is_to_get_no_score_gets_none(cell, word):
    export = CANVAS_EXPORT.replace(b",4.00,,80.00", f",4.00,{cell},80.00".encode())

    filled = fill_gradebook(export, [row(AMARA, 2.0, 5.0, 3.0)], LAB)

    assert filled.data == export
    assert [word in note for note in filled.notes] == [True]


def test_grade_without_a_line_is_noted():
    filled = fill_gradebook(CANVAS_EXPORT, [row(Who("1", "canvas", "Oduya, Amara"), 2.0, 5.0, 3.0)], LAB)

    assert filled.data == CANVAS_EXPORT
    assert filled.notes == ("Oduya, Amara (1): no line of the file is theirs, so the grade is not in it.",)


def test_ids_of_two_students_give_neither_the_grade():
    filled = fill_gradebook(CANVAS_EXPORT, [row(replace(AMARA, login="jpark"), 2.0, 5.0, 3.0)], LAB)
    assert filled.data == CANVAS_EXPORT
    assert "more than one line" in filled.notes[0]


def test_two_students_of_one_line_get_nothing():
    twice = [row(AMARA, 2.0, 5.0, 3.0), row(Who("x", "plain", login="aoduya"), 0.0, 0.0, 0.0)]
    filled = fill_gradebook(CANVAS_EXPORT, twice, LAB)
    assert filled.data == CANVAS_EXPORT
    assert filled.written == 0
    assert "would share one line" in filled.notes[0]


@pytest.mark.parametrize(
    "who",
    [
        Who("aoduya", "plain"),
        Who("AODUYA ", ""),
        Who("20260017", "nbgrader"),
        Who("9", "moodle-flat", number="20260017"),
        Who("amara-gh", "github-classroom", login="aoduya"),
    ],
)
def test_student_of_another_place_is_found_by_number_or_login(who):
    filled = fill_gradebook(CANVAS_EXPORT, [row(who, 2.0, 5.0, 3.0)], LAB)
    assert changes(CANVAS_EXPORT, filled.data, "331207") == {"48213": 10.0}


@pytest.mark.parametrize(
    "who", [Who("48213", "moodle-flat"), Who("aoduya", "github-classroom", login="aoduya"), Who("aoduya", "canvas")]
)
def test_id_of_one_place_means_nothing_at_another(who):
    assert fill_gradebook(CANVAS_EXPORT, [row(who, 2.0, 5.0, 3.0)], LAB).written == 0


def test_other_worth_is_noted_once():
    export = CANVAS_EXPORT.replace(b"5.00,10.00,", b"5.00,100,")
    filled = fill_gradebook(export, class_of_six(), LAB)
    assert [note for note in filled.notes if "100" in note and "10" in note] == [filled.notes[0]]
    assert len(filled.notes) == 2


def test_short_line_is_filled_up():
    export = b"Student,ID,SIS Login ID,Section,Lab 1 (331100),Lab 2: Residual (331207)\nx,48213\n"
    filled = fill_gradebook(export, [row(AMARA, 2.0, 5.0, 3.0)], LAB)
    assert filled.data.endswith(b"\nx,48213,,,,10\n")


def test_ids_that_are_formulas_are_left_out_of_a_new_file():
    out = io.BytesIO()
    write_gradebook(class_of_six(), out, LAB)
    cells = [one for one in csv.reader(io.StringIO(out.getvalue().decode(), newline="")) if one[1] == FORMULA.key]
    assert cells == [["'" + FORMULA.name, FORMULA.key, FORMULA.number, "", "", "1.8"]]


def test_student_whom_canvas_could_only_find_by_name_is_left_out():
    out = io.BytesIO()
    written = write_gradebook([row(Who("amara", "moodle-flat", "Oduya, Amara"), 2.0, 5.0, 3.0)], out, LAB)
    assert written.written == 0
    assert "needs an id" in written.notes[0]
    assert out.getvalue().count(b"\r\n") == 2


def test_new_assignment_is_said_and_brings_its_worth():
    out = io.BytesIO()
    written = write_gradebook([], out, "Lab 9", 10.0)
    assert out.getvalue().decode().splitlines()[1] == "    Points Possible,,,,,10"
    assert "Lab 9" in written.notes[0]


def test_worth_of_an_assignment_that_is_there_is_left_alone():
    out = io.BytesIO()
    write_gradebook([], out, LAB, 10.0)
    assert out.getvalue().decode().splitlines()[1] == "    Points Possible,,,,,"


@pytest.mark.parametrize("heading", ["Override Score", "Labs Final Points", "Unposted Current Grade (Fall)"])
def test_sums_are_never_filled(heading):
    """Canvas passes these columns over, or changes the grade of the whole course by them."""
    with pytest.raises(ExportError):
        fill_gradebook(f"Student,ID,SIS Login ID,Section,{heading}\nx,48213,aoduya,,\n".encode(), [], heading)


@pytest.mark.parametrize("title", ["=1+1", "", " ", "Final Score", "@x (12)"])
def test_title_that_cannot_be_written_is_refused(title):
    with pytest.raises(ExportError):
        write_gradebook([], io.BytesIO(), title)
