"""Students who have begun different things, on one scale: full marks are full marks."""

from dataclasses import replace

import pytest
from class_records import record, sample
from export_class import AMARA, class_of_six, row

from reports.classroom.roster import roster
from reports.classroom.view import Asked, class_view
from reports.export.canvas import fill_gradebook
from reports.export.rows import row_of
from reports.worth import on_one_scale, worth


def begun(made, earned, most=6.0):
    """The record with an optional exercise in it."""
    exercise = {**made["exercises"][0], "name": "extra", "title": "Extra", "optional": True}
    check = {**exercise["checks"][0], "points": earned, "max_points": most, "optional": True, "tag": None}
    check |= {"verdict": "passed" if earned == most else "failed"}
    exercise |= {"checks": [check], "points": earned, "max_points": most, "diagnosis": None}
    points = {"points": made["points"] + earned, "max_points": made["max_points"] + most}
    return {**made, "exercises": [*made["exercises"], exercise], **points}


def test_what_is_optional_is_not_in_what_all_have_to_do():
    made = sample("full_marks")

    assert worth(begun(made, 0.0)) == worth(made) == made["max_points"]


def test_where_nothing_has_to_be_done_all_points_count():
    made = begun(sample("full_marks"), 3.0)
    made["exercises"] = made["exercises"][1:]

    assert worth(made | {"max_points": 6.0}) == 6.0


@pytest.mark.parametrize(
    ("points", "most", "expected"), [(8.0, 8.0, 8.0), (7.0, 14.0, 4.0), (14.0, 14.0, 8.0), (0.0, 0.0, 0.0)]
)
def test_points_are_shown_on_the_scale_of_what_all_have_to_do(points, most, expected):
    assert on_one_scale(points, most, 8.0 if most else 0.0) == expected


def test_a_place_with_one_number_for_all_gets_the_share():
    made = sample("full_marks")
    full, half = row_of(begun(made, 6.0), AMARA), row_of(begun(made, 0.0), AMARA)

    assert full.grade == full.scale == made["max_points"]
    assert half.grade == pytest.approx(made["max_points"] ** 2 / (made["max_points"] + 6), abs=1e-3)
    assert (half.points, half.max_points) == (made["points"], made["max_points"] + 6)


def test_a_gradebook_gets_the_share_and_no_note_on_its_worth():
    more = replace(row(AMARA, 2.0, 5.0, 3.0), points=12.0, max_points=16.0, worth=10.0)
    gradebook = (
        b"Student,ID,SIS User ID,SIS Login ID,Section,Lab (1)\n    Points Possible,,,,,10\n"
        b'"Oduya, Amara",48213,20260017,aoduya,A,\n'
    )

    filled = fill_gradebook(gradebook, [more])

    assert filled.data.decode().endswith("A,7.5\n")
    assert filled.notes == ()
    assert class_of_six()[0].grade == 4.5


@pytest.fixture
def page():
    """Twelve students with full marks, half of whom have begun something, and one of those got nothing for it."""
    made = [record("full_marks", f"student {at:02}") for at in range(12)]
    stored = [one if at % 2 else begun(one, 6.0 if at else 0.0) for at, one in enumerate(made)]
    return class_view(roster([(f"{at:02}.json", one) for at, one in enumerate(stored)]), Asked()), made[0]["max_points"]


def test_the_class_page_compares_shares(page):
    view, most = page
    (distribution,) = view.statistics.distributions

    assert [int(row[1]) for row in distribution.table.rows][-1] == 11
    assert f"median {most:.1f} of {most:g} points" in view.summary


def test_the_class_page_says_of_how_many_where_these_are_others(page):
    view, most = page
    cells = [row.points for row in view.students.rows]

    assert cells[1].words == f"{most:.1f}"
    assert cells[2].words == f"{most + 6:.1f} / {most + 6:g}"
    assert float(cells[0].order) < float(cells[1].order) == float(cells[2].order)


def test_the_class_page_has_a_column_for_what_only_some_have_begun(page):
    view, _ = page

    assert view.students.columns[:2] == ("residual_add", "extra")
    assert [row.parts[1].words for row in view.students.rows[:3]] == ["0.0", "–", "6.0"]
