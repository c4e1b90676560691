"""From a class to page values: who needs attention, what the figures say, which mistakes are alike."""

import pytest
from class_records import class_of_twelve, record, with_points, with_verdict

from reports.classroom.roster import roster, without_names
from reports.classroom.view import Asked, class_view

LESSONS = {"missing-skip": {"title": "Not added", "sentence": "It adds nothing.", "why": "It learns.", "hint": "What?"}}


def view(*records, **asked):
    students = roster([(f"{at}.json", one) for at, one in enumerate(records)])
    if asked.get("anonymous"):
        students = without_names(students)
    return class_view(students, Asked(**asked))


def kinds(page):
    return {one.anchor.removeprefix("attention-"): [*one.rows, *(row for _, rest in one.rest for row in rest)]
            for one in page.attention}  # fmt: skip


def who(concern):
    return [one.words for one in concern.students]


# Needs attention ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("verdict", ["grader_error", "needs_review"])
def test_what_could_not_be_graded_comes_first(verdict):
    page = view(with_verdict(record("missing_skip", "Ada"), verdict), record("full_marks", "Ben"))
    (concern,) = kinds(page)["ungraded"]
    assert page.attention[0].anchor == "attention-ungraded"
    assert who(concern) == ["Ada"]
    assert concern.commands[-1] == "Ada,residual_add,gradient_reaches_the_input,3.0,REASON,YOU"


def test_what_stopped_with_an_error_of_ours_is_graded_again():
    page = view(with_verdict(record("missing_skip", "O'Neil; rm -rf /"), "grader_error"))
    (concern,) = kinds(page)["ungraded"]
    assert concern.commands[0] == """grade submit FILES --student 'O'"'"'Neil; rm -rf /' --debug"""


def test_three_attempts_without_progress_are_told():
    page = view(*(record("missing_skip", "Ada", n) for n in (1, 2, 3)))
    (concern,) = kinds(page)["stuck"]
    assert concern.why == ("3 attempts; in the last 3 the points did not rise: 6.0 of 10",)


@pytest.mark.parametrize(
    "points", [[(0, 0, 0, 0), (2, 0, 0, 0), (2, 2, 0, 0)], [(2, 0, 0, 0)] * 2, [(2, 2, 3, 3)] * 3],
    ids=["rising", "two attempts", "full marks"],
)  # fmt: skip
def test_who_is_not_stuck(points):
    page = view(*(with_points(record("missing_skip", "Ada", n), *some) for n, some in enumerate(points, 1)))
    assert "stuck" not in kinds(page)


@pytest.mark.parametrize(
    ("points", "near"),
    [((1, 2, 0, 1), True), ((1.5, 2, 0, 1.4), True), ((2, 2, 0, 1), False), ((1, 2, 0, 0.9), False)],
)
def test_a_point_or_less_below_a_boundary_is_near(points, near):
    page = view(with_points(record("missing_skip", "Ada"), *points))
    assert ("boundary" in kinds(page)) == near


def test_boundaries_are_given():
    page = view(with_points(record("missing_skip", "Ada"), 2, 2, 3, 1.5), boundaries=(90, 50))
    (concern,) = kinds(page)["boundary"]
    assert concern.why == ("8.5 points, 0.5 below 90 % of all (9)",)


def test_equal_files_of_two_students_are_the_same_file_and_nothing_worse():
    same = [record("missing_skip", name, file="sha256:1") for name in ("Ada", "Ben")]
    page = view(*same, record("missing_skip", "Cleo"))
    (concern,) = kinds(page)["alike"]
    assert who(concern) == ["Ada", "Ben"]
    assert "same file" in concern.why[0]
    assert "cop" not in str(concern).lower().replace("copy", "")


def test_equal_stubs_and_equal_attempts_of_one_student_are_usual():
    stubs = [record("stub", name, file="sha256:1") for name in ("Ada", "Ben")]
    attempts = [record("missing_skip", "Cleo", n, file="sha256:2") for n in (1, 2)]
    assert "alike" not in kinds(view(*stubs, *attempts))


def test_nothing_to_look_at_is_said():
    page = view(record("full_marks", "Ada"))
    assert page.attention == ()
    assert page.calm == ("Nothing needs your attention.",)


def test_many_concerns_stand_behind_a_fold():
    page = view(*(with_verdict(record("missing_skip", f"s{n:02}"), "needs_review") for n in range(30)))
    (concerns,) = page.attention
    assert (len(concerns.rows), concerns.rest[0][0], concerns.amount) == (4, "and 26 more", "30")


# Figures --------------------------------------------------------------------------------------------------------------


def test_figures_are_withheld_below_ten_students():
    page = view(*(record("missing_skip", f"s{n}") for n in range(9)))
    assert "fewer than 10 students" in page.statistics.few[0]
    assert (page.statistics.checks, page.statistics.distributions) == ((), ())
    assert not any("median" in part for part in page.summary)
    assert "%" not in page.misconceptions.groups[0].size


def figures(*points):
    """The checks of a class with these points for its four checks, which are worth 2, 2, 3 and 3."""
    page = view(*(with_points(record("missing_skip", f"s{n:02}"), *some) for n, some in enumerate(points)))
    return page.statistics.checks[0].rows


def test_pass_rate_and_mean_are_those_of_the_check():
    rows = figures(*[(2, 1, 3, 0)] * 5, *[(2, 0, 0, 0)] * 5)
    assert [row.passed.words for row in rows] == ["100 %", "0 %", "50 %", "0 %"]
    assert [row.mean.words for row in rows] == ["2.0 / 2", "0.5 / 2", "1.5 / 3", "0.0 / 3"]


def test_nearly_all_and_few_are_noted():
    rows = figures(*[(2, 1, 3, 0)] * 5, *[(2, 0, 0, 0)] * 5)
    assert [row.notes[:1] for row in rows] == [
        ("Nearly everybody passes.",),
        ("Few pass: worth a word in class.",),
        (),
        ("Few pass: worth a word in class.",),
    ]


def test_a_check_is_compared_with_the_rest_of_the_points():
    """The first check goes against the third, which is half of the class each; the rest without it is known."""
    rows = figures(*[(2, 0, 0, 0)] * 5, *[(0, 0, 3, 0)] * 5)
    assert rows[0].apart.words == rows[2].apart.words == "−1.00"
    assert rows[0].notes == ("Those who do well elsewhere fail it more often: read the check and its task again.",)


def test_without_variance_there_is_no_number():
    rows = figures(*[(2, 2, 0, 0)] * 10)
    assert {row.apart.words for row in rows} == {"–"}


def test_no_connection_is_noted():
    rows = figures(*[(2, 0, 3, 0), (0, 0, 3, 0), (2, 0, 0, 0), (0, 0, 0, 0)] * 3)
    assert rows[0].apart.words == "+0.00"
    assert rows[0].notes == ("Says little about the rest of the work.",)


def test_what_was_not_decided_counts_nowhere():
    made = [with_points(record("missing_skip", f"s{n:02}"), 2, 2, 3, 3 * (n % 2)) for n in range(11)]
    made[0] = with_verdict(made[0], "needs_review")
    row = view(*made).statistics.checks[0].rows[-1]
    assert row.passed.words == "50 %"
    assert row.notes[-1] == "1 student not counted: not decided."


def test_the_distribution_is_told_in_words_bars_and_numbers():
    page = view(*(with_points(record("missing_skip", f"s{n:02}"), 2, 2, 0, 3 * (n > 6)) for n in range(12)))
    (shown,) = page.statistics.distributions
    assert shown.words.startswith("Half of the class has 4.0 of 10 points or more. The middle half lies between 4.0")
    assert [bar.number for bar in shown.chart.bars] == ["7", "5"]
    assert shown.table.rows[4] == ("40–50 %", "7", "58 %")
    assert "40–50 %: 7 students. 70–80 %: 5 students." in shown.chart.description


# Misconceptions -------------------------------------------------------------------------------------------------------


def test_the_same_formula_makes_a_group():
    page = view(
        record("missing_skip", "Ada"), record("missing_skip", "Ben"), record("full_marks", "Cleo"), lessons=LESSONS
    )
    (group,) = page.misconceptions.groups
    assert [one.words for one in group.who] == ["Ada", "Ben"]
    assert (group.title, group.say) == ("Not added", ("It adds nothing.", "It learns.", "What?"))
    assert page.misconceptions.alone[0][0] == "Not in any group: 0"


def test_without_a_formula_the_tag_makes_a_group():
    made = [record("missing_skip", name) for name in ("Ada", "Ben", "Cleo")]
    for one in made[:2]:
        one["exercises"][0]["diagnosis"] |= {"formula": None, "tag": "shared-norm"}
    page = view(*made)
    (group,) = page.misconceptions.groups
    assert [one.words for one in group.who] == ["Ada", "Ben"]
    assert group.formulas == ()


def test_another_formula_is_another_group():
    made = [record("missing_skip", name) for name in ("Ada", "Ben", "Cleo", "Dai")]
    for one in made[2:]:
        one["exercises"][0]["diagnosis"]["formula"]["found"] = "Norm(x) + F(Norm(x))"
    assert len(view(*made).misconceptions.groups) == 2


def test_without_formula_and_tag_there_is_no_group():
    made = [record("missing_skip", name) for name in ("Ada", "Ben")]
    for one in made:
        one["exercises"][0]["diagnosis"] |= {"formula": None, "tag": None}
    page = view(*made)
    assert page.misconceptions.groups == ()
    label, cases = page.misconceptions.alone[0]
    assert (label, [one.student.words for one in cases]) == ("Not in any group: 2", ["Ada", "Ben"])


def test_a_stub_is_no_mistake():
    page = view(record("stub", "Ada"), record("stub", "Ben"))
    assert page.misconceptions.groups == ()
    assert page.misconceptions.alone[0][0] == "Not in any group: 0"
    assert page.misconceptions.notes[-1] == "Not handed in or not begun, at least one exercise: 2 students."


def test_a_tag_that_is_not_in_the_vocabulary_is_told_from_the_record():
    (group,) = view(record("missing_skip", "Ada"), record("missing_skip", "Ben")).misconceptions.groups
    assert group.title == "Residual connection"
    assert group.say[0].startswith("The block returns its input plus")


def test_the_example_names_nobody():
    made = [record("missing_skip", "Ada Lovelace"), record("missing_skip", "Ben Mo")]
    for one in made:
        name = one["submission"]["student"]
        one["exercises"][0]["diagnosis"]["happened"] = f"{name} raised it."
        one["exercises"][0]["diagnosis"]["where"]["code"] = f"return y  # by {name}"
    for anonymous in (False, True):
        (example,) = view(*made, anonymous=anonymous).misconceptions.groups[0].examples
        assert (example.happened, example.code, example.place) == ("… raised it.", ("return y  # by …",), "line 14")


# Students and the run -------------------------------------------------------------------------------------------------


def test_all_students_are_listed_with_the_attempt_that_counts():
    page = view(*(one for _, one in class_of_twelve()))
    rows = {row.student.words: row for row in page.students.rows}
    assert len(rows) == 12
    assert rows["Ben"].attempts.words == "3"
    assert {name: rows[name].state for name in ("Ada L.", "Dai", "Eve")} == {
        "Ada L.": "points missing",
        "Dai": "not all graded",
        "Eve": "full marks",
    }


def test_an_exercise_that_a_record_has_not_is_a_dash():
    page = view(record("missing_skip", "Ada"), record("deep_network", "Ben"))
    ada, _ = page.students.rows
    assert len(page.students.columns) == len(ada.parts) > 1
    assert ada.parts[-1].words == "–"


def test_the_run_says_what_was_left_out_and_no_seed():
    made = with_verdict(record("missing_skip", "Ada"), "failed")
    page = view(made, broken=(("x/ada.json", "It is not complete JSON."),), others=2)
    told = {fact.label: fact.value for fact in page.run}
    assert told["Could not be read"] == "x/ada.json: It is not complete JSON."
    assert told["Other JSON files"] == "2 files, passed over"
    assert "STAFF-SECRET" not in str(page)


def test_the_run_counts_versions_that_differ():
    made = [record("missing_skip", name) for name in ("Ada", "Ben", "Cleo")]
    made[0]["environment"]["torch"] = "2.7.0"
    told = {fact.label: fact.value for fact in view(*made).run}
    assert told["PyTorch"] == "2.6.0+cpu (2 records), 2.7.0 (1 record)"


def test_in_an_anonymous_class_no_name_is_anywhere():
    records = [one for _, one in class_of_twelve()]
    page = str(view(*records, anonymous=True, broken=(("Ada L./x.json", "It is broken."),)))
    assert not any(one["submission"]["student"] in page for one in records)
