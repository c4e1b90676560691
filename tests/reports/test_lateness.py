"""What handing in late comes to, on the student's page and on that of the class."""

import dataclasses

import pytest
from class_records import record

from reports.classroom.roster import Known, roster
from reports.classroom.view import Asked, class_view
from reports.html import student_page
from reports.lateness import Kept, duration, in_brief
from reports.student.view import student_view

SENTENCE = "Handed in 2026-10-05 08:12 CEST (due 2026-10-04 23:59 CEST). 1 day late, each started day counted."
LATE = Kept(5.4, 10.0, SENTENCE, is_late=True, seconds=29_580.0)
IN_TIME = Kept(6.0, 0.0, "Handed in on time (due 2026-10-04 23:59 CEST).")
MARKED = Kept(6.0, 0.0, "Marked as late, though not by how much.", certain=False, is_late=True)
UNKNOWN = Kept(6.0, 0.0, "The time of hand-in is not known.", certain=False)


def ada():
    return record("missing_skip", "Ada")


def class_of(*kept):
    names = ["Ada", "Ben", "Cem", "Dai"][: len(kept)]
    stored = [(f"{name}.json", record("missing_skip", name)) for name in names]
    known = {name: Known(name.lower(), one) for name, one in zip(names, kept, strict=True)}
    return class_view(roster(stored, known), Asked())


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (1, "1 minute"),
        (60, "1 minute"),
        (61, "2 minutes"),
        (29_580, "8 hours 13 minutes"),
        (86_400, "1 day"),
        (90_061, "1 day 1 hour"),
        (86_400 * 3 + 60, "3 days 1 minute"),
    ],
)
def test_how_late_it_was_is_told_in_two_units(seconds, words):
    assert duration(seconds) == words


def test_the_student_reads_by_how_much_and_what_it_costs():
    page = student_view(ada(), LATE)
    (late,) = page.late
    assert late.sentence == SENTENCE
    assert [(one.label, one.value) for one in late.facts] == [
        ("Late by", "8 hours 13 minutes"),
        ("Earned", "6 of 10 points"),
        ("Taken off", "10 % of what was earned"),
        ("Counts", "5.4 of 10 points"),
    ]
    assert page.summary[:2] == ("5.4 of 10 points", "6 points before lateness")


def test_in_time_the_deadline_is_a_fact_among_others():
    page = student_view(ada(), IN_TIME)
    assert page.late == ()
    assert page.summary == student_view(ada()).summary
    assert ("Deadline", IN_TIME.sentence) in [(one.label, one.value) for one in page.about]


def test_late_without_a_time_nothing_is_said_of_hours():
    (late,) = student_view(ada(), MARKED).late
    assert [one.label for one in late.facts] == ["Earned", "Taken off", "Counts"]


def test_the_section_can_be_reached_and_is_text():
    page = student_page(ada(), dataclasses.replace(LATE, sentence="<b>late</b>"))
    assert '<a href="#late">' in page
    assert "&lt;b&gt;late&lt;/b&gt;" in page
    assert 'id="late"' not in student_page(ada(), IN_TIME)


@pytest.mark.parametrize(
    ("kept", "words"),
    [
        (LATE, "8 hours 13 minutes, 10 % taken off"),
        (IN_TIME, "in time"),
        (dataclasses.replace(IN_TIME, extended=True), "in time, with an extension"),
        (MARKED, "late, not known by how much"),
        (UNKNOWN, "time not known"),
    ],
)
def test_a_cell_says_it_in_brief(kept, words):
    assert in_brief(kept) == words


def test_the_class_page_has_what_was_earned_beside_what_counts():
    page = class_of(LATE, IN_TIME)
    assert page.students.columns[-2:] == ("Earned", "Late")
    assert [(row.points.words, row.parts[-2].words) for row in page.students.rows] == [("5.4", "6.0"), ("6.0", "6.0")]
    assert "1 late" in page.summary


def test_a_class_without_a_deadline_has_no_such_columns():
    page = class_of(None, None)
    assert "Late" not in page.students.columns
    assert len(page.students.rows[0].parts) == len(page.students.columns)


def test_whoever_is_not_known_of_has_a_dash():
    page = class_of(LATE, None)
    assert [len(row.parts) for row in page.students.rows] == [len(page.students.columns)] * 2


def test_a_mark_without_a_time_needs_attention():
    (concerns,) = [one for one in class_of(LATE, IN_TIME, MARKED, UNKNOWN).attention if one.anchor == "attention-late"]
    (concern,) = concerns.rows
    assert ([one.words for one in concern.students], concern.why) == (["Cem"], (MARKED.sentence,))


def test_a_boundary_is_one_of_the_points_that_count():
    near = [one.anchor for one in class_of(dataclasses.replace(LATE, points=4.5)).attention]
    assert "attention-boundary" in near
    assert "attention-boundary" not in [one.anchor for one in class_of(IN_TIME).attention]
