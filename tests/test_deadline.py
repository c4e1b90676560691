"""What lateness costs: days on the local clock, the least that the facts prove, and never more points than earned."""

import tomllib
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import CourseError
from grader.model.course import load_course
from grader.model.deadline import Arrival, Deadline, settle
from grader.model.deadline_table import read_deadline

BERLIN = ZoneInfo("Europe/Berlin")
AUTUMN = "at = 2026-10-23T23:59:00"  # the clock is put back on 25 October 2026, forward on 28 March 2027
MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)


def policy(*lines, zone="Europe/Berlin", at=AUTUMN, percent=10):
    """The deadline that these lines of TOML say."""
    text = "\n".join([at, f'time_zone = "{zone}"', f"percent_per_day = {percent}", *lines])
    return read_deadline(tomllib.loads(text), "[deadline]")


def berlin(*parts, fold=0):
    return datetime(*parts, tzinfo=BERLIN, fold=fold)


def settled(deadline, at, earned=10.0, student="ada"):
    return settle(deadline, Arrival(student, at), earned)


def test_what_comes_at_the_deadline_is_in_time():
    found = settled(policy(), berlin(2026, 10, 23, 23, 59))

    assert (found.in_time, found.started_days, found.points) == (True, 0, 10.0)
    assert found.sentence == "Handed in on time (due 2026-10-23 23:59 CEST)."


def test_the_first_second_after_it_starts_a_day():
    found = settled(policy(), berlin(2026, 10, 23, 23, 59, 1))

    assert (found.in_time, found.started_days, found.points) == (False, 1, 9.0)


def test_the_sentence_says_when_and_how_the_points_come_about():
    found = settled(policy(), berlin(2026, 10, 25, 8, 30), earned=7.5)

    assert found.sentence == (
        "Handed in 2026-10-25 08:30 CET (due 2026-10-23 23:59 CEST). 2 days late, each started day counted, "
        "10 % each: 20 % of 7.5 points are taken off, 6 remain."
    )


def test_grace_is_in_time_and_said_so():
    found = settled(policy("grace_minutes = 15"), berlin(2026, 10, 24, 0, 14))

    assert found.points == 10.0
    assert "within the 15 minutes of grace" in found.sentence


def test_after_the_grace_days_count_from_the_deadline():
    deadline = policy("grace_minutes = 15")

    assert settled(deadline, berlin(2026, 10, 24, 0, 14, 1)).started_days == 1
    assert settled(deadline, berlin(2026, 10, 24, 23, 59, 1)).started_days == 2


def test_all_days_together_take_no_more_than_the_cap():
    found = settled(policy("most_percent = 50"), berlin(2026, 12, 24, 12))

    assert found.points == 5.0
    assert "10 % each, at most 50 %: 50 % of 10 points" in found.sentence


def test_no_percent_takes_nothing_and_tells_the_days():
    found = settled(policy(percent=0), berlin(2026, 10, 24, 12))

    assert found.points == 10.0
    assert found.sentence.endswith("1 day late, each started day counted: no points are taken off.")


@pytest.mark.parametrize(
    ("at", "boundary", "hours"),
    [
        ("at = 2026-10-24T12:00:00", berlin(2026, 10, 25, 12), 25),
        ("at = 2027-03-27T12:00:00", berlin(2027, 3, 28, 12), 23),
        ("at = 2026-10-20T12:00:00", berlin(2026, 10, 21, 12), 24),
    ],
)
def test_a_day_ends_when_the_clock_shows_the_time_of_the_deadline_again(at, boundary, hours):
    deadline = policy(at=at)

    assert boundary.astimezone(UTC) - deadline.at == timedelta(hours=hours)
    assert settled(deadline, boundary).started_days == 1
    assert settled(deadline, boundary.astimezone(UTC) + timedelta(seconds=1)).started_days == 2


def test_a_day_that_ends_at_a_time_shown_twice_ends_at_the_second():
    deadline = policy(at="at = 2026-10-24T02:30:00")

    assert settled(deadline, berlin(2026, 10, 25, 2, 45, fold=0)).started_days == 1
    assert settled(deadline, berlin(2026, 10, 25, 2, 30, fold=1)).started_days == 1
    assert settled(deadline, berlin(2026, 10, 25, 2, 31, fold=1)).started_days == 2


def test_a_day_that_ends_at_a_time_never_shown_ends_an_hour_later_on_the_clock():
    deadline = policy(at="at = 2027-03-27T02:30:00")

    assert settled(deadline, berlin(2027, 3, 28, 3, 30)).started_days == 1
    assert settled(deadline, berlin(2027, 3, 28, 3, 31)).started_days == 2


def test_a_deadline_at_a_time_shown_twice_is_the_second():
    deadline = policy(at="at = 2026-10-25T02:30:00")

    assert deadline.at == datetime(2026, 10, 25, 1, 30, tzinfo=UTC)
    assert settled(deadline, berlin(2026, 10, 25, 2, 30, fold=1)).sentence.endswith("(due 2026-10-25 02:30 CET).")


def test_an_offset_says_which_of_the_two_is_meant():
    assert policy(at="at = 2026-10-25T02:30:00+02:00").at == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)


def test_a_deadline_at_a_time_never_shown_is_the_later_reading():
    deadline = policy(at="at = 2027-03-28T02:30:00")

    assert deadline.at == berlin(2027, 3, 28, 3, 30)
    assert "due 2027-03-28 03:30 CEST" in settled(deadline, berlin(2027, 3, 28, 1)).sentence


def test_a_zone_that_once_left_out_a_whole_day():
    deadline = policy(at="at = 2011-12-29T12:00:00", zone="Pacific/Apia")

    assert settled(deadline, deadline.at + DAY).started_days == 1
    assert settled(deadline, deadline.at + DAY + MINUTE).started_days == 3


def test_an_extension_is_for_its_student_alone():
    deadline = policy("[extensions]", "ada = 2026-10-30T12:00:00")

    assert "with your extension" in settled(deadline, berlin(2026, 10, 30, 12)).sentence
    assert settled(deadline, berlin(2026, 10, 30, 13)).started_days == 1
    assert settled(deadline, berlin(2026, 10, 30, 12), student="bob").started_days == 7


def test_an_extension_in_days_moves_the_deadline_on_the_clock():
    assert policy("[extensions]", "ada = 3").due("ada") == berlin(2026, 10, 26, 23, 59)


def test_seconds_by_the_lms_count_from_the_deadline():
    found = settle(policy(), Arrival("ada", late=True, late_seconds=26 * 3600), 10.0)

    assert (found.started_days, found.certain) == (2, True)


def test_a_time_counts_more_than_what_the_lms_makes_of_it():
    found = settle(policy(), Arrival("ada", berlin(2026, 10, 1), late=True, late_seconds=1e6), 10.0)

    assert (found.in_time, found.certain) == (True, True)


def test_a_mere_mark_proves_one_day():
    found = settle(policy(), Arrival("ada", late=True), 10.0)

    assert (found.started_days, found.points, found.certain, found.in_time) == (1, 9.0, False, False)
    assert found.sentence.startswith("Marked as late, though not by how much (due 2026-10-23 23:59 CEST).")


@pytest.mark.parametrize("lines", [["grace_minutes = 5"], ["[extensions]", "ada = 1"]])
def test_a_mere_mark_proves_nothing_where_late_may_be_in_time(lines):
    found = settle(policy(*lines), Arrival("ada", late=True), 10.0)

    assert (found.points, found.certain) == (10.0, False)
    assert found.sentence.endswith("Nothing is taken off before a teacher has looked at it.")


@pytest.mark.parametrize(("late", "certain"), [(None, False), (False, True)])
def test_without_a_time_and_without_a_mark_of_lateness_it_is_in_time(late, certain):
    found = settle(policy(), Arrival("ada", late=late), 10.0)

    assert (found.in_time, found.points, found.certain) == (True, 10.0, certain)


def test_a_time_without_an_offset_is_on_the_clock_of_the_course_at_its_earlier_reading():
    deadline = policy(at="at = 2026-10-25T02:30:00+02:00")

    assert settled(deadline, datetime(2026, 10, 25, 2, 30)).in_time
    assert settled(deadline, datetime(2026, 10, 25, 2, 31)).started_days == 1


def test_seconds_that_are_no_number_are_refused():
    with pytest.raises(ValueError, match="no number"):
        Arrival("ada", late_seconds=float("nan"))


@pytest.mark.parametrize("at", [datetime.min, datetime.max])
@pytest.mark.parametrize("zone", [None, UTC, ZoneInfo("Pacific/Apia"), ZoneInfo("America/Adak")])
def test_the_first_and_the_last_time_there_is(at, zone):
    assert settled(policy(), at.replace(tzinfo=zone)).in_time == (at == datetime.min)


zones = st.sampled_from(
    ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Kolkata", "UTC"]
)
instants = st.datetimes(datetime(2005, 1, 1), datetime(2040, 1, 1))
late_by = st.timedeltas(timedelta(days=-2), timedelta(days=40))
points = st.integers(0, 10_000).map(lambda hundredths: hundredths / 100)
percents = st.floats(0, 100)


@st.composite
def deadlines(draw, extensions=False):
    """Any policy; local times are drawn, so that some lie in the hours that a clock shows twice or never."""
    table = {
        "at": draw(instants),
        "time_zone": draw(zones),
        "grace_minutes": draw(st.integers(0, 3000)),
        "percent_per_day": draw(percents),
        "most_percent": draw(percents),
    }
    if extensions:
        table["extensions"] = {"ada": draw(st.integers(1, 30))}
    return read_deadline(table, "[deadline]")


@given(deadlines(extensions=True), late_by, points, st.sampled_from(["ada", "bob"]))
def test_never_more_points_than_earned_and_never_less_than_none(deadline, after, earned, student):
    assert 0 <= settled(deadline, deadline.at + after, earned, student).points <= earned


@given(deadlines(), late_by, late_by, points)
def test_later_never_earns_more(deadline, one, other, earned):
    sooner, later = (settled(deadline, deadline.at + after, earned) for after in sorted([one, other]))

    assert sooner.points >= later.points
    assert sooner.started_days <= later.started_days


@given(deadlines(extensions=True), late_by, st.sampled_from([None, True, False]), st.booleans(), points)
def test_an_extension_never_hurts(deadline, after, late, timed, earned):
    with_it, without = (
        settle(deadline, Arrival(student, deadline.at + after if timed else None, late), earned)
        for student in ("ada", "bob")
    )

    assert with_it.points >= without.points


@given(deadlines(), st.integers(0, 30), st.timedeltas(MINUTE, 20 * 60 * MINUTE))
def test_days_are_those_of_the_clock(deadline, days, into):
    """Where no change of the clock is near, what the clock shows says how many days had begun."""
    wall = deadline.at.astimezone(deadline.zone).replace(tzinfo=None) + days * DAY + into
    found = settled(deadline, wall.replace(tzinfo=deadline.zone))
    offsets = {(wall + shift).replace(tzinfo=deadline.zone).utcoffset() for shift in (-2 * DAY, 2 * DAY)}

    assert found.in_time or len(offsets) > 1 or found.started_days == days + 1


COURSE = 'name = "One"\nexercises = []\nseed = "s"\n'


def course(tmp_path, *lines):
    (tmp_path / "course.toml").write_text(COURSE + "\n".join(lines))
    return load_course(tmp_path)


def test_a_course_brings_its_deadline(tmp_path):
    found = course(tmp_path, "[deadline]", AUTUMN, 'time_zone = "Europe/Berlin"', "[deadline.extensions]", "ada = 1")

    assert found.deadline == Deadline(
        berlin(2026, 10, 23, 23, 59).astimezone(UTC),
        "Europe/Berlin",
        extensions={"ada": berlin(2026, 10, 24, 23, 59).astimezone(UTC)},
    )


def test_a_course_may_have_none(tmp_path):
    assert course(tmp_path).deadline is None


def test_the_deadline_changes_no_verdict_so_it_is_not_in_the_digest(tmp_path):
    before = course(tmp_path).digest

    assert course(tmp_path, "[deadline]", AUTUMN, 'time_zone = "UTC"').digest == before
    assert course(tmp_path, "[limits]", "memory_mib = 512").digest != before


def test_other_unknown_keys_stay_errors(tmp_path):
    with pytest.raises(CourseError, match=r"unknown key 'deadlines'.*'deadline'"):
        course(tmp_path, "[deadlines]")


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (["deadline = 2026-10-23T23:59:00"], "has to be a table"),
        (["[deadline]", AUTUMN], "lacks the key 'time_zone'"),
        (["[deadline]", 'time_zone = "UTC"'], "lacks the key 'at'"),
        (["[deadline]", AUTUMN, 'time_zone = "UTC"', "grace = 5"], "unknown key 'grace'; known are .*'grace_minutes'"),
        (["[deadline]", AUTUMN, 'time_zone = "Europe/Berln"'], "'Europe/Berln' is no time zone that is known here"),
        (["[deadline]", AUTUMN, 'time_zone = "Europe"'], "'Europe' is no time zone"),
        (["[deadline]", AUTUMN, 'time_zone = "../UTC"'], "no time zone"),
        (["[deadline]", AUTUMN, 'time_zone = ""'], "no time zone"),
        (["[deadline]", AUTUMN, "time_zone = 1"], "no time zone"),
        (["[deadline]", "at = 2026-10-23", 'time_zone = "UTC"'], "2026-10-23 has no time of day. Write it without"),
        (["[deadline]", 'at = "Friday"', 'time_zone = "UTC"'], "Friday is not a time"),
        (["[deadline]", "at = 1026-10-23T23:59:00", 'time_zone = "UTC"'], "not between the years"),
        (["[deadline]", AUTUMN, 'time_zone = "UTC"', "percent_per_day = 101"], "percent_per_day: 101 is not a number"),
        (["[deadline]", AUTUMN, 'time_zone = "UTC"', "percent_per_day = true"], "percent_per_day: True is not"),
        (["[deadline]", AUTUMN, 'time_zone = "UTC"', "most_percent = nan"], "most_percent: nan is not a number from 0"),
        (["[deadline]", AUTUMN, 'time_zone = "UTC"', 'grace_minutes = "5"'], "grace_minutes: 5 is not a number"),
        (["[deadline]", AUTUMN, 'time_zone = "UTC"', "extensions = 3"], "extensions has to be a table"),
        (
            ["[deadline]", AUTUMN, 'time_zone = "UTC"', "extensions.ada = 2026-10-01T00:00:00"],
            "extensions ada: 2026-10-01 00:00:00 lies before the deadline",
        ),
        (["[deadline]", AUTUMN, 'time_zone = "UTC"', "extensions.ada = 0"], "ada: 0 is not a number of days"),
        (["[deadline]", AUTUMN, 'time_zone = "UTC"', "extensions.ada = true"], "ada: True is not a time"),
    ],
)
def test_a_bad_value_is_told_with_file_and_key(tmp_path, lines, sentence):
    with pytest.raises(CourseError, match=rf"course\.toml: \[deadline\] .*{sentence}"):
        course(tmp_path, *lines)
