"""Points changed by hand."""

import csv

import pytest
from class_records import record

from reports.classroom.overrides import csv_row, with_overrides
from reports.classroom.roster import roster

HEADER = "student,exercise,check,points,reason,by\n"
GOOD = "Ada,residual_add,adds_the_input_back,3,looked at by hand,MK\n"


@pytest.fixture
def students():
    return roster([("a.json", record("missing_skip", "Ada")), ("b.json", record("full_marks", "Ben"))])


def test_points_are_changed_and_added_up(students):
    applied = with_overrides(students, HEADER + GOOD)
    ada = applied.students[0].latest
    gained = 3 - applied.rows[0].before
    assert ada["points"] == students[0].latest["points"] + gained
    assert ada["exercises"][0]["points"] == students[0].latest["exercises"][0]["points"] + gained
    assert applied.problems == ()


def test_only_the_latest_attempt_is_changed():
    ada = roster([(f"{n}.json", record("missing_skip", "Ada", n)) for n in (1, 2)])
    first, second = with_overrides(ada, HEADER + GOOD).students[0].attempts
    assert first == ada[0].attempts[0]
    assert second != ada[0].attempts[1]


def test_the_student_reads_the_reason(students):
    check = with_overrides(students, HEADER + GOOD).students[0].latest["exercises"][0]["checks"][2]
    assert check["verdict"] == "passed"
    assert check["remarks"] == ["Points changed by hand from 0 to 3 by MK: looked at by hand"]


def test_what_was_diagnosed_is_gone_when_all_its_points_are_given(students):
    assert with_overrides(students, HEADER + GOOD).students[0].latest["exercises"][0]["diagnosis"] is None


def test_a_part_of_the_points_leaves_the_diagnosis(students):
    applied = with_overrides(students, HEADER + GOOD.replace(",3,", ",1.5,"))
    exercise = applied.students[0].latest["exercises"][0]
    assert exercise["checks"][2]["verdict"] == "partial"
    assert exercise["diagnosis"] is not None


def test_the_records_given_are_not_changed(students):
    before = students[0].latest["points"]
    with_overrides(students, HEADER + GOOD)
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
    applied = with_overrides(students, f"{HEADER}\n{row}\n{GOOD}")
    assert applied.problems == (f"row 3: {problem}",)
    assert [one.row for one in applied.rows] == [4]


def test_a_missing_column_is_told(students):
    applied = with_overrides(students, "student,check,points\nAda,x,1\n")
    assert applied.problems == (
        "row 1: the first row has to name the columns student, exercise, check, points, reason, by; "
        "exercise, reason, by is missing",
    )


def test_what_is_no_csv_is_told(students):
    applied = with_overrides(students, HEADER + "x" * (csv.field_size_limit() + 1))
    assert applied.problems == ("row 2: it cannot be read as CSV",)


def test_a_spreadsheet_may_write_semicolons_and_decimal_commas(students):
    text = (HEADER + GOOD).replace(",3,", ",1.5,").replace(",", ";").replace("1.5", "1,5")
    assert with_overrides(students, text).rows[0].points == 1.5


@pytest.mark.parametrize("name", ["=cmd()", 'Ada "the first", L.', "-Ben"])
def test_a_row_to_copy_finds_its_student(name):
    (student,) = roster([("a.json", record("missing_skip", name))])
    row = csv_row(name, "residual_add", "adds_the_input_back", 3.0, "why", "MK")
    assert with_overrides([student], HEADER + row).problems == ()


def test_a_student_may_be_named_by_code(students):
    assert with_overrides(students, HEADER + GOOD.replace("Ada", students[0].code)).rows[0].student == "Ada"


def test_names_in_reasons_are_hidden_where_all_are(students):
    text = HEADER + GOOD.replace("looked at by hand", "Ada worked with Ben")
    (row,) = with_overrides(students, text, anonymous=True).rows
    assert row.reason == f"{students[0].code} worked with {students[1].code}"
