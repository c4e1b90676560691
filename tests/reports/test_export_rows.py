"""Rows are made from records; points that could not be graded are nothing, never 0, and never more than they are."""

import pytest
from class_records import sample, with_points, with_verdict
from hypothesis import given
from hypothesis import strategies as st

from reports.export.rows import Row, Who, figure, rounded, row_of
from reports.lateness import Kept

ADA = Who("ada", "plain")


def test_row_has_the_points_of_the_record():
    row = row_of(with_points(sample("missing_skip"), 2.0, 1.5, 0.0, 0.0), ADA)

    assert (row.points, row.earned, row.state) == (3.5, 3.5, "graded")
    assert [check.points for check in row.exercises[0].checks] == [2.0, 1.5, 0.0, 0.0]


def test_lateness_takes_from_the_points_but_not_from_what_was_earned():
    row = row_of(with_points(sample("missing_skip"), 2.0, 2.0, 0.0, 0.0), ADA, Kept(3.6, 10.0, "1 day late"))
    assert (row.points, row.earned) == (3.6, 4.0)


def test_check_that_could_not_be_graded_leaves_all_sums_open():
    row = row_of(with_verdict(sample("missing_skip"), "grader_error"), ADA, Kept(3.0))

    assert (row.points, row.earned, row.exercises[0].points, row.exercises[0].checks[-1].points) == (None,) * 4
    assert row.exercises[0].checks[0].points is not None
    assert row.state == "not_graded"


@pytest.mark.parametrize(
    ("row", "state"),
    [
        (Row(ADA, 10.0), "missing"),
        (row_of(with_verdict(sample("full_marks"), "needs_review"), ADA), "needs_review"),
        (row_of(sample("full_marks"), ADA, Kept(10.0, certain=False)), "needs_review"),
    ],
)
def test_state_tells_what_a_teacher_has_to_do(row, state):
    assert row.state == state


@pytest.mark.parametrize(
    ("points", "written"), [(10.0, "10"), (9.999, "9.99"), (0.1 + 0.2, "0.3"), (0.0, "0"), (2.5, "2.5"), (None, "")]
)
def test_figure_has_two_decimals_at_most(points, written):
    assert figure(points) == written


@given(st.integers(1, 3000), st.floats(1e-6, 1.0))
def test_less_than_full_marks_stays_less(hundredths, missing):
    most = hundredths / 100
    assert rounded(most) == most
    assert rounded(max(0.0, most - missing)) < most


def test_hostile_names_are_shown_as_safe_text():
    assert Who("a\x1b[31m", name="Eve\u202e").shown == "Eve⟨U+202E⟩ (a␛[31m)"
