"""The figures about a class, compared with ones worked out by hand."""

import math

import pytest

from reports.classroom.statistics import Quartiles, histogram, mean, point_biserial, quartiles


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([7], (7, 7, 7)),
        ([1, 2], (1.25, 1.5, 1.75)),
        ([4, 1, 3, 2, 5], (2, 3, 4)),
        ([1, 2, 3, 4], (1.75, 2.5, 3.25)),
        ([2, 2, 2, 2], (2, 2, 2)),
    ],
)
def test_quartiles_are_interpolated_between_ordered_values(values, expected):
    assert quartiles(values) == Quartiles(*expected)


def test_there_are_no_quartiles_of_nothing():
    assert quartiles([]) is None
    assert mean([]) is None


def test_point_biserial_of_one_to_four():
    """Worked out by hand: means 3.5 and 1.5, deviation sqrt(5)/2, half of them passed: 2 / (sqrt(5)/2) / 2."""
    assert point_biserial([False, False, True, True], [1, 2, 3, 4]) == pytest.approx(2 / math.sqrt(5))


def test_point_biserial_is_the_correlation_with_zeros_and_ones():
    passed, rest = [True, False, True, True, False, False, True], [9.5, 3, 7, 2.5, 8, 1, 6]
    ones = [float(one) for one in passed]
    average, middle = sum(ones) / 7, sum(rest) / 7
    both = sum((one - average) * (points - middle) for one, points in zip(ones, rest, strict=True))
    spread = sum((one - average) ** 2 for one in ones) * sum((points - middle) ** 2 for points in rest)
    assert point_biserial(passed, rest) == pytest.approx(both / math.sqrt(spread))


def test_point_biserial_has_a_sign():
    assert point_biserial([True, False], [1, 2]) == -1
    assert point_biserial([False, True], [1, 2]) == 1


@pytest.mark.parametrize(
    ("passed", "rest"),
    [([True, True], [1, 2]), ([False, False], [1, 2]), ([True, False], [3, 3]), ([], [])],
    ids=["all pass", "none passes", "the rest is the same", "nobody"],
)
def test_there_is_no_correlation_without_variance(passed, rest):
    assert point_biserial(passed, rest) is None


def test_results_without_points_are_refused():
    with pytest.raises(ValueError, match="2 results and 1 points"):
        point_biserial([True, False], [1])


def test_each_value_is_in_one_bar_and_the_last_edge_belongs_to_the_last():
    assert histogram([0, 9.99, 10, 19, 20, 30], (0, 10, 20, 30)) == (2, 2, 2)
