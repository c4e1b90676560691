"""Which attempts count, as far as that needs no grades."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import class_archives as made
import pytest

from grader.intake.classes import attempts
from grader.model.class_handed_in import HandIn, Person

BERLIN = ZoneInfo("Europe/Berlin")


def hand_in(number, submitted=None, late=None, key="ada"):
    return HandIn(key, key, (Person(key),), number, submitted, late)


def chosen(hand_ins, choose="deadline", due=None, zone=UTC):
    found = attempts(hand_ins, choose, deadline=lambda _: due, zone=zone)
    return [[one.attempt for one in student.chosen] for student in found]


THREE = [hand_in(2, "2026-09-14T22:00:00"), hand_in(1, "2026-09-13T22:00:00"), hand_in(3, "2026-09-15T08:00:00")]


def test_the_newest_before_the_deadline_counts():
    assert chosen(THREE, due=datetime(2026, 9, 14, 23, 59, tzinfo=UTC)) == [[2]]


def test_the_very_moment_of_the_deadline_is_in_time():
    assert chosen(THREE, due=datetime(2026, 9, 14, 22, tzinfo=UTC)) == [[2]]


def test_where_every_attempt_is_late_the_newest_counts():
    assert chosen(THREE, due=datetime(2026, 9, 1, tzinfo=UTC)) == [[3]]


def test_without_a_deadline_the_newest_counts():
    assert chosen(THREE) == [[3]]


def test_a_time_without_a_zone_is_that_of_the_course():
    due = datetime(2026, 9, 14, 21, tzinfo=UTC)  # 23:00 in Berlin
    assert chosen(THREE, due=due, zone=UTC) == [[1]]
    assert chosen(THREE, due=due, zone=BERLIN) == [[2]]


def test_a_zone_that_is_written_counts():
    assert chosen([hand_in(1), hand_in(2, "2026-09-14T23:30:00+02:00")], due=datetime(2026, 9, 14, 22, tzinfo=UTC)) == [
        [2]
    ]


def test_what_the_platform_calls_late_is_late_where_no_time_is_known():
    assert chosen([hand_in(1, late=False), hand_in(2, late=True)]) == [[1]]


@pytest.mark.parametrize(("choose", "numbers"), [("last", [3]), ("best", [1, 2, 3]), ("all", [1, 2, 3])])
def test_other_ways_to_choose(choose, numbers):
    assert chosen(THREE, choose, datetime(2026, 9, 14, tzinfo=UTC)) == [numbers]


def test_nothing_is_thrown_away():
    assert [one.attempt for one in attempts(THREE, "last")[0].every] == [1, 2, 3]


def test_an_extension_holds_for_one_student():
    late = {"ada": datetime(2026, 9, 16, tzinfo=UTC), "joe": datetime(2026, 9, 14, 23, tzinfo=UTC)}
    two = [*THREE, *(hand_in(one.attempt, one.submitted, key="joe") for one in THREE)]
    found = attempts(two, deadline=lambda one: late[one.key])
    assert {one.key: [each.attempt for each in one.chosen] for one in found} == {"ada": [3], "joe": [2]}


def test_attempts_are_numbered_by_time_and_not_by_place(class_zip):
    members = list(reversed(made.blackboard()))
    assert [(one.key, one.attempt, one.submitted) for one in class_zip(members).hand_ins] == [
        ("aoduya", 1, "2026-09-14T23:51:00"),
        ("aoduya", 2, "2026-09-15T08:00:00"),
        ("m_lindqvist", 1, "2026-09-14T23:52:00"),
    ]
