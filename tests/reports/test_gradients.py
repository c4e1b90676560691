"""Gradients by layer: a sentence for each row of numbers."""

import math
from itertools import pairwise

import pytest

from reports.student.gradients import gradients, reading


@pytest.mark.parametrize(
    ("own", "reference", "told"),
    [
        (1098.6, 1100.0, "With shortcuts it is 1,100 times as large, as it should be."),
        (196.0, 1100.0, "With shortcuts it is 200 times as large; it should be 1,100 times."),
        (0.52, None, "With shortcuts it is 0.52 times as large."),
        (0.0, 50.0, "With shortcuts no gradient gets here; it should be 50 times as large as without."),
        (math.inf, 50.0, "Without shortcuts no gradient gets here."),
        (None, 50.0, "The numbers do not say."),
        (3.0, math.inf, "With shortcuts it is 3 times as large."),
        (2.5e9, None, "With shortcuts it is 2.5e+09 times as large."),
    ],
)
def test_a_row_is_read_aloud(own, reference, told):
    assert reading(own, reference) == told


def measured(*series):
    return {"layers": ["1", "2"], "series": [{"name": name, "values": values} for name, values in series]}


def rows(*series):
    (shown,) = gradients(measured(*series))
    return shown.table.rows


def test_each_row_ends_with_its_sentence(sample):
    (shown,) = gradients(sample("second_attempt")["exercises"][0]["gradients"])
    assert [row[-1] for row in shown.table.rows][2:4] == [
        "With shortcuts it is 56 times as large; it should be 460 times.",
        "With shortcuts it is 190 times as large, as it should be.",
    ]


def test_a_single_network_is_compared_with_no_other():
    assert rows(("with shortcuts", [1.0, 0.0]), ("without shortcuts", [0.5, 0.0])) == (
        ("1", "1", "0.5", "With shortcuts it is 2 times as large."),
        ("2", "0", "0", "The numbers do not say."),
    )


@pytest.mark.parametrize("values", [[None, math.nan], [math.inf, None], []])
def test_what_is_no_number_is_not_read(values):
    told = {row[-1] for row in rows(("with shortcuts", values), ("without shortcuts", [1.0, 1.0]))}
    assert told == {"The numbers do not say."}


def test_series_of_other_names_have_no_sentence():
    assert rows(("a", [1.0, 2.0]), ("b", [1.0, 2.0])) == (("1", "1", "1"), ("2", "2", "2"))


def test_names_of_two_parts_have_two_lines_at_the_end_of_their_line(sample):
    (shown,) = gradients(sample("second_attempt")["exercises"][0]["gradients"])
    (chart,) = shown.charts
    assert [label.label for label in chart.series[0].labels] == ["yours", "with shortcuts"]
    heights = sorted(label.at for one in chart.series for label in one.labels)
    assert min(b - a for a, b in pairwise(heights)) >= 14
