"""One card is open: the failure whose repair unlocks most."""

from copy import deepcopy

import msgspec
import pytest

from reports.student.priority import could_not_run, first_to_mend, held_back
from reports.student.view import student_view


@pytest.fixture
def exercises(sample):
    """Of three: one with full marks, one that holds back 2 points, one that holds back 5."""
    return [*sample("full_marks")["exercises"], *sample("second_attempt")["exercises"]]


def test_what_holds_back_most_points_comes_first(exercises):
    assert [held_back(exercise) for exercise in exercises[1:]] == [2.0, 5.0]
    assert first_to_mend(exercises) == 2


def test_points_of_another_kind_of_mistake_do_not_count(exercises):
    exercises[2]["checks"][4]["tag"] = "broken-gradient"
    assert held_back(exercises[2]) == 4.0


def test_an_untagged_diagnosis_holds_back_its_own_check_only(exercises):
    exercises[2]["diagnosis"]["tag"] = None
    for check in exercises[2]["checks"]:
        check["tag"] = None
    assert held_back(exercises[2]) == 4.0


def test_what_could_not_run_comes_before_what_holds_back_more(exercises, sample):
    (broken,) = sample("not_loadable")["exercises"]
    for check in broken["checks"]:
        check["max_points"] /= 100
    assert could_not_run(broken["checks"])
    assert first_to_mend([*exercises, broken]) == 3


def test_what_is_not_written_yet_comes_last(exercises, sample):
    (stub,) = sample("stub")["exercises"]
    stub["diagnosis"]["tag"] = "not-written"
    assert held_back(stub) == 10.0
    assert first_to_mend([stub, *exercises]) == 3
    assert first_to_mend([stub]) == 0


def test_of_equals_the_first_comes_first(exercises):
    assert first_to_mend([exercises[2], deepcopy(exercises[2])]) == 0


def test_full_marks_have_nothing_to_mend(exercises):
    assert first_to_mend(exercises[:1]) is None


def test_the_other_cards_stand_in_their_exercises(sample):
    page = student_view(sample("second_attempt"))
    assert [card.title for card in page.first] == ["A transformer block"]
    assert [len(exercise.later) for exercise in page.exercises] == [1, 0]
    assert page.first_notes == ("Then go on with 1 more exercise: open the card there.",)
    assert page.first[0].reasons == ("Start here: this holds back 5 points.",)


def test_what_holds_back_no_points_does_not_say_so(sample):
    record = sample("missing_skip")
    for check in record["exercises"][0]["checks"]:
        check["points"] = check["max_points"]
    assert [card.reasons for card in student_view(record).first] == [()]


def test_a_check_points_to_the_card_where_it_is(sample):
    first, second = student_view(sample("second_attempt")).exercises
    assert [link.words for row in first.checks for link in row.see] == ["Explained in the card “What to do here”."]
    assert [link.words for row in second.checks for link in row.see] == ["Explained above, under “Do this next”."]


@pytest.mark.parametrize("source", ["class ResidualAdd(\n", "x = 1 / 0\n", "class ResidualAdd:\n    pass\n"])
def test_a_file_that_stops_before_its_checks_gets_one_card_and_no_table(source, grade):
    (shown,) = student_view(msgspec.to_builtins(grade(source))).exercises

    assert shown.tables == ()
    assert len(shown.stopped) == 1
