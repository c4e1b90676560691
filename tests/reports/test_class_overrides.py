"""Points changed by hand: read from a file, put into records, shown to the student and the class."""

import csv
import dataclasses

import pytest
from class_records import changed, record, with_verdict

from grader.cli.by_hand import put_in, read
from reports.by_hand import by_hand
from reports.classroom.overrides import csv_row, overrides, to_copy
from reports.classroom.roster import Known, roster, without_names

HEADER = "student,exercise,check,points,reason,by\n"
GOOD = "Ada,residual_add,adds_the_input_back,3,looked at by hand,MK\n"
CHECK = 2  # adds_the_input_back


@pytest.fixture
def students():
    return roster([("a.json", record("missing_skip", "Ada")), ("b.json", record("full_marks", "Ben"))])


@pytest.fixture
def put(students):
    """The students after the rows of a file."""
    return lambda text: put_in(read(text, students), students)


def shown(students, problems=(), anonymous=False):
    return overrides(students, problems, anonymous=anonymous)


def test_points_are_changed_and_added_up(students, put):
    before, after = students[0].latest, put(HEADER + GOOD)[0].latest
    assert after["points"] == before["points"] + 3
    assert after["exercises"][0]["points"] == before["exercises"][0]["points"] + 3


def test_only_the_latest_attempt_is_changed():
    stored = [(f"{n}.json", record("missing_skip", "Ada", n)) for n in (1, 2)]
    ((ada,), _) = changed(stored, HEADER + GOOD)
    assert ada.attempts[0] == stored[0][1]
    assert ada.attempts[1] != stored[1][1]


def test_the_student_reads_the_reason(put):
    check = put(HEADER + GOOD)[0].latest["exercises"][0]["checks"][CHECK]
    assert check["verdict"] == "passed"
    assert by_hand(check) == ("Points changed by hand from 0 to 3 by MK: looked at by hand",)


def test_of_two_rows_for_a_check_the_last_counts_and_the_points_that_were_found_are_told(put):
    ada = put(HEADER + GOOD + GOOD.replace(",3,", ",1,"))[0]
    (row,) = shown([ada]).tables[0]
    assert (row.before, row.after) == ("0.0", "1.0")


def test_what_was_diagnosed_is_gone_when_all_its_points_are_given(put):
    assert put(HEADER + GOOD)[0].latest["exercises"][0]["diagnosis"] is None


def test_a_part_of_the_points_leaves_the_diagnosis(put):
    exercise = put(HEADER + GOOD.replace(",3,", ",1.5,"))[0].latest["exercises"][0]
    assert exercise["checks"][CHECK]["verdict"] == "partial"
    assert exercise["diagnosis"] is not None


def test_the_records_given_are_not_changed(students, put):
    before = students[0].latest["points"]
    put(HEADER + GOOD)
    assert students[0].latest["points"] == before


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("Zoe,residual_add,adds_the_input_back,3,why,MK", "no record is of a student “Zoe”"),
        ("Ada,nonsense,adds_the_input_back,3,why,MK", "the record of Ada has no exercise “nonsense”"),
        ("Ada,residual_add,nonsense,3,why,MK", "residual_add has no check “nonsense”"),
        ("Ada,residual_add,adds_the_input_back,many,why,MK", "“many” is not a number of points"),
        ("Ada,residual_add,adds_the_input_back,nan,why,MK", "“nan” is not a number of points"),
        ("Ada,residual_add,adds_the_input_back,3.5,why,MK", "“3.5” is not a number from 0 to 3"),
        ("Ada,residual_add,adds_the_input_back,-1,why,MK", "“-1” is not a number from 0 to 3"),
        ("Ada,residual_add,adds_the_input_back,3,,MK", "it gives no reason"),
        ("Ada", "“” is not a number of points"),
    ],
)
def test_a_row_that_cannot_be_applied_is_told_with_its_number_and_the_others_are_applied(students, row, problem):
    taken = read(f"{HEADER}\n{row}\n{GOOD}", students)
    assert taken.problems == (f"row 3: {problem}",)
    assert [override.reason for _, override in taken.overrides] == ["looked at by hand"]


def test_a_missing_column_is_told(students):
    assert read("student,check,points\nAda,x,1\n", students).problems == (
        "row 1: the first row has to name the columns student, exercise, check, points, reason, by; "
        "exercise, reason, by is missing",
    )


def test_what_is_no_csv_is_told(students):
    text = HEADER + "x" * (csv.field_size_limit() + 1)
    assert read(text, students).problems == ("row 2: it cannot be read as CSV",)


def test_a_spreadsheet_may_write_semicolons_and_decimal_commas(students):
    text = (HEADER + GOOD).replace(",3,", ",1.5,").replace(",", ";").replace("1.5", "1,5")
    assert read(text, students).overrides[0][1].points == 1.5


@pytest.mark.parametrize("name", ["=cmd()", 'Ada "the first", L.', "-Ben"])
def test_a_row_to_copy_finds_its_student(name):
    (student,) = roster([("a.json", record("missing_skip", name))])
    row = csv_row(name, "residual_add", "adds_the_input_back", 3.0, "why", "MK")
    assert read(HEADER + row, [student]).problems == ()


def test_a_student_may_be_named_by_code_and_by_id(students):
    known = dataclasses.replace(students[1], known=Known("4711"))
    text = HEADER + GOOD.replace("Ada", students[0].code) + GOOD.replace("Ada", "4711")
    assert [one.name for one, _ in read(text, [students[0], known]).overrides] == ["Ada", "Ben"]


def test_an_id_is_surer_than_a_name_of_somebody_else(students):
    ada = dataclasses.replace(students[0], known=Known("Ben"))
    assert [one.name for one, _ in read(HEADER + GOOD.replace("Ada", "Ben"), [ada, students[1]]).overrides] == ["Ada"]


def test_names_in_reasons_are_hidden_where_all_are(students, put):
    told = {name: code for name, code in ((one.name, one.code) for one in students)}
    nameless = without_names(put(HEADER + GOOD.replace("looked at by hand", "Ada worked with Ben")))
    (row,) = shown(nameless, anonymous=True).tables[0]
    assert row.reason == f"{told['Ada']} worked with {told['Ben']}"


def test_what_is_wrong_with_rows_is_not_told_where_names_are_hidden(students):
    problems = ("row 2: no record is of a student “Zoe”",)
    assert shown(students, problems).problems == (problems,)
    assert "Zoe" not in str(shown(students, problems, anonymous=True))


def test_where_a_gradebook_keeps_the_points_a_command_is_to_be_copied(students):
    exercise = students[0].latest["exercises"][0]
    kept = dataclasses.replace(students[0], known=Known("s 1"))
    command = to_copy(kept, exercise, exercise["checks"][CHECK])
    assert command == """grade override 's 1' residual_add.adds_the_input_back --points 3 --reason "REASON\""""
    assert to_copy(students[0], exercise, exercise["checks"][CHECK]).startswith("Ada,residual_add,")
    (nameless,) = without_names([kept])
    assert to_copy(nameless, exercise, exercise["checks"][CHECK]).startswith(f"{nameless.code},")


def test_what_we_could_not_decide_is_decided(students):
    stored = [("a.json", with_verdict(record("full_marks", "Ada"), "needs_review"))]
    name = stored[0][1]["exercises"][0]["checks"][-1]["name"]
    ((ada,), problems) = changed(stored, HEADER + f"Ada,residual_add,{name},0,no,MK\n")
    assert problems == ()
    assert ada.latest["exercises"][0]["verdict"] == "partial"
