"""Secrets end in the view, and what a page consists of is decided there."""

from dataclasses import asdict
from itertools import pairwise

import pytest

from reports.chart import log_chart
from reports.student.evidence import printed
from reports.student.formula import compare, terms
from reports.student.view import student_view


def test_staff_is_never_read(record):
    view = repr(student_view(record))
    del record["staff"]
    assert repr(student_view(record)) == view


def test_evidence_of_a_hidden_check_is_dropped(sample):
    record = sample("missing_skip")
    assert "HIDDEN-EVIDENCE" in str(record)
    assert "HIDDEN-EVIDENCE" not in repr(student_view(record))


def test_evidence_of_a_visible_check_is_kept(sample):
    view = student_view(sample("deep_network"))
    assert "Shortcuts found by layer" in repr(view.exercises[1].evidence)


def test_full_marks_have_no_card(sample):
    (exercise,) = student_view(sample("full_marks")).exercises
    assert exercise.cards == ()
    assert exercise.notes == ("Residual connection: full marks. Nothing left to do here.",)


def test_the_card_says_where_and_what_to_do_next(sample):
    (card,) = student_view(sample("missing_skip")).exercises[0].cards
    assert card.explanation.places[0].name == "residual_add.py line 14"
    assert card.next_steps == ("Add the input x to the result in line 14, after the dropout.",)
    assert len(card.explanation.hints) == 2


def test_what_the_card_says_is_not_said_again_in_the_table(sample):
    (table,) = student_view(sample("missing_skip")).exercises[0].tables
    assert [(len(row.see), len(row.why)) for row in table.rows] == [(0, 0), (0, 0), (1, 0), (0, 1)]


@pytest.mark.parametrize("name", ["not_loadable", "stub"])
def test_an_exercise_that_could_not_run_has_no_table(sample, name):
    (exercise,) = student_view(sample(name)).exercises
    assert exercise.tables == exercise.gradients == exercise.evidence == ()
    assert len(exercise.stopped) == len(exercise.cards) == 1


def test_one_reason_is_told_once(sample):
    (group,) = student_view(sample("not_loadable")).exercises[0].groups
    assert (group.checks, group.reasons, group.score) == ("4 checks", ("The file could not be loaded.",), "0.0 / 10")


def test_of_the_timing_only_the_start_is_shown(sample):
    record = sample("full_marks")
    before = student_view(record)
    record["timing"] = {"started": "2026-11-14T23:51:59.25+00:00", "seconds": {"total": 99.0}}
    assert student_view(record) == before


def test_a_start_that_cannot_be_read_is_shown_as_it_is(sample):
    record = sample("full_marks")
    record["timing"]["started"] = "long ago\x1b"
    assert student_view(record).summary[3] == "long ago␛"


@pytest.mark.parametrize(
    ("points", "most", "told"),
    [
        (9.5, 20.0, "attempt 3: 3.5 points more than in attempt 2"),
        (14.0, 20.0, "attempt 3: 1 point fewer than in attempt 2"),
        (13.0, 20.0, "attempt 3: the same points as in attempt 2"),
        (13.0, 30.0, "attempt 3 (attempt 2: 13 of 30 points)"),
    ],
)
def test_the_headline_says_what_changed(sample, points, most, told):
    record = sample("second_attempt")
    record["submission"]["previous"] = {"attempt": 2, "points": points, "max_points": most}
    assert student_view(record).summary == ("13 of 20 points", "6 of 9 checks passed", told, "2026-11-14, 23:51 UTC")


def test_a_first_attempt_is_compared_with_nothing(sample):
    assert student_view(sample("full_marks")).summary[2] == "attempt 1"


def test_a_part_that_is_our_fault_is_called_so(sample):
    notes = student_view(sample("deep_network")).exercises[2].notes
    assert "our fault, not yours" in notes[0]


@pytest.mark.parametrize(
    ("found", "expected", "yours", "asked"),
    [
        ("F(Norm(x))", "x + F(Norm(x))", [], ["x"]),
        ("Norm(x) + F(Norm(x))", "x + F(Norm(x))", ["Norm(x)"], ["x"]),
        ("Norm(x + F(x))", "x + F(Norm(x))", ["Norm(x + F(x))"], ["x", "F(Norm(x))"]),
        ("x + x + F(Norm(x))", "x + F(Norm(x))", ["x"], []),
        ("x - F(Norm(x))", "x + F(Norm(x))", ["- F(Norm(x))"], ["F(Norm(x))"]),
    ],
)
def test_differing_terms_are_marked(found, expected, yours, asked):
    view = compare({"found": found, "expected": expected, "residual": None, "half": None})
    assert [term for piece in view.found for term in piece.marked] == yours
    assert [term for piece in view.expected for term in piece.marked] == asked


def test_a_formula_we_do_not_know_is_not_marked():
    view = compare({"found": None, "expected": "x + F(Norm(x))", "residual": None, "half": "attn"})
    assert not view.known
    assert view.found[0].plain == "not a formula we know"
    assert view.halves == ("attention half",)


@pytest.mark.parametrize(
    "formula", ["x - a·b + F(x + y) − 1", "", "-x", "x+y", ") + (", " + ", "h = x + A(x); y = h - F(h)", "; = ;"]
)
def test_terms_join_to_the_formula(formula):
    assert "".join(before + term for before, _, term in terms(formula)) == formula


def test_each_line_of_a_formula_is_compared_with_its_own():
    view = compare({"found": "h = x + A(x); y = x + F(h)", "expected": "h = x + A(x); y = h + F(h)"})
    assert [(piece.plain, piece.marked) for piece in view.found if piece.marked] == [("; y = ", ("x",))]
    assert [(piece.plain, piece.marked) for piece in view.expected if piece.marked] == [("; y = ", ("h",))]


def test_a_chart_leaves_gaps_where_a_logarithm_cannot_stand():
    (chart,) = log_chart("c", ["1", "2", "3", "4"], [("s", [1e-3, 0.0, 1.0, None])])
    assert len(chart.series[0].lines) == 2
    assert [tick.label for tick in chart.rows] == ["0.001", "0.01", "0.1", "1"]


def test_labels_of_a_chart_do_not_touch():
    (chart,) = log_chart("c", ["1", "2"], [(name, [0.1, 1.0]) for name in "abcd"])
    heights = sorted(one.label_y for one in chart.series)
    assert min(b - a for a, b in pairwise(heights)) >= 16


@pytest.mark.parametrize("values", [[0.0, 0.0], [None, float("nan")], [float("inf"), -1.0]])
def test_no_chart_without_positive_values(values):
    assert log_chart("c", ["1", "2"], [("s", values)]) == ()


@pytest.mark.parametrize(
    ("head", "tail", "characters", "values", "note"),
    [
        ("", "", 0, None, None),
        ("abc", "", 3, ["abc"], "3 characters in all."),
        ("abc", "bcd", 4, ["abcd"], "4 characters in all."),
        ("ab", "yz", 2004, ["ab", "yz"], "2,004 characters in all; 2,000 left out in the middle."),
    ],
)
def test_printed_text_is_shown_once_and_counted(head, tail, characters, values, note):
    shown = printed({"head": head, "tail": tail, "characters": characters})
    assert [part.value for one in shown for part in one.parts] == (values or [])
    assert [one.note for one in shown] == ([note] if note else [])


def test_hidden_checks_are_announced_and_what_works_is_said(sample):
    (table,) = student_view(sample("second_attempt")).exercises[1].tables
    assert table.caption.startswith("A transformer block: 2 checks shown in full, 4 hidden.")
    assert table.works == "Works already: 4 of 6 checks. That is 6 points."


def test_numbers_of_the_gradient_table_are_not_shown_twice(sample):
    record = sample("second_attempt")
    told = {"caption": record["exercises"][0]["gradients"]["caption"], "columns": ["a"], "rows": [["b"]]}
    record["exercises"][0]["checks"][2]["evidence"] = {"table": told}
    assert told["caption"] not in repr(student_view(record).exercises[0].evidence)


def test_a_record_without_exercises_has_a_page(sample):
    record = sample("full_marks") | {"exercises": [], "points": 0.0, "max_points": 0.0}
    assert student_view(record).summary[:2] == ("0 of 0 points", "0 of 0 checks passed")


def test_the_view_is_plain_data(record):
    assert asdict(student_view(record))["title"]


def about(record):
    return {fact.label: fact.value for fact in student_view(record).about}


def test_missing_layers_are_told_with_their_reasons(sample):
    found = about(sample("not_loadable"))

    assert found["Confinement"].startswith("not enough for grades that count, these are practice results: ")
    assert found["Not in force"] == "landlock (the kernel has no Landlock), seccomp (refused by the container)"


def test_full_confinement_has_nothing_missing(sample):
    found = about(sample("missing_skip"))

    assert found["Confinement"].startswith("full: ")
    assert "Not in force" not in found
