"""Whose records these are."""

import re

import pytest
from class_records import record

from reports.classroom.roster import roster, without_names


def names(students):
    return [student.name for student in students]


def test_attempts_are_in_order_and_the_last_one_counts():
    stored = [(f"{n}.json", record("missing_skip", "Ada", n)) for n in (2, 3, 1)]
    (ada,) = roster(stored)
    assert [one["submission"]["attempt"] for one in ada.attempts] == [1, 2, 3]
    assert ada.latest["submission"]["attempt"] == 3


def test_attempts_of_the_same_number_are_ordered_by_time():
    early, late = record("missing_skip", "Ada"), record("full_marks", "Ada")
    early["timing"]["started"], late["timing"]["started"] = "2026-11-14T10:00:00+02:00", "2026-11-14T09:00:00Z"
    (ada,) = roster([("a.json", late), ("b.json", early)])
    assert ada.latest == late


def test_a_time_that_cannot_be_read_comes_first():
    early, late = record("missing_skip", "Ada"), record("full_marks", "Ada")
    early["timing"]["started"] = "yesterday"
    (ada,) = roster([("a.json", late), ("b.json", early)])
    assert ada.latest == late


def test_the_same_record_twice_is_one_attempt():
    stored = [(path, record("missing_skip", "Ada")) for path in ("a.json", "backup/a.json")]
    assert roster(stored)[0].number_of_attempts == 1


def test_attempts_are_counted_though_only_the_last_is_stored():
    assert roster([("a.json", record("missing_skip", "Ada", 4))])[0].number_of_attempts == 4


@pytest.mark.parametrize(
    ("path", "name"),
    [("ada.json", "ada"), ("ada/grade.json", "ada"), ("x/ben/grade.json", "ben"), ("grade.json", "grade")],
)
def test_a_record_without_a_name_is_named_by_its_place(path, name):
    assert names(roster([(path, record("missing_skip", ""))])) == [name]


def test_spaces_and_composed_letters_make_no_other_student():
    stored = [("a.json", record("missing_skip", "Chloé  B")), ("b.json", record("full_marks", " Chloe\u0301 B"))]
    assert names(roster(stored)) == ["Chloé B"]


def test_pages_have_plain_unique_names():
    tricky = ["../../etc/passwd", "ADA", "ada", "Ада", "王", "con", "a" * 300, "<script>", "x\x00y", ".."]
    students = roster([(f"{n}.json", record("stub", name)) for n, name in enumerate(tricky)])
    pages = [student.page for student in students]
    assert len({page.lower() for page in pages}) == len(tricky)
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*\.html", page) and len(page) < 70 for page in pages)


def test_codes_are_short_unique_and_stable():
    many = [(f"{n}.json", record("stub", f"student {n}")) for n in range(3000)]
    codes = {student.name: student.code for student in roster(many)}
    assert len(set(codes.values())) == 3000
    assert all(re.fullmatch("[2-9A-HJKMNP-Z]{4,6}", code) for code in codes.values())
    alone = roster(many[7:8])[0]
    assert codes[alone.name].startswith(alone.code)


def test_codes_depend_on_the_course():
    one, other = record("stub", "Ada"), record("stub", "Ada")
    other["course"]["digest"] = "sha256:another"
    assert roster([("a.json", one)])[0].code != roster([("a.json", other)])[0].code


def test_without_names_the_order_is_that_of_the_codes():
    students = without_names(roster([(f"{n}.json", record("stub", f"student {n}")) for n in range(9)]))
    shown = [student.shown for student in students]
    assert shown == sorted(shown)
    assert all(student.page == f"{student.code.lower()}.html" for student in students)
