"""The sum of fewest terms that gives a tensor: the same as from a least squares fit of each choice."""

import itertools

import pytest
import torch

from grader.checks.residual.combine import as_sum


@pytest.fixture
def terms():
    torch.manual_seed(3)
    made = {name: torch.randn(5, 4, 6, dtype=torch.float64) for name in "abcde"}
    return made | {"a again": made["a"].clone(), "zero": torch.zeros(5, 4, 6, dtype=torch.float64)}


@pytest.mark.parametrize("names", [*itertools.combinations("abcde", 2), *itertools.combinations("abcde", 3)])
def test_a_sum_is_found_with_its_coefficients(terms, names):
    coefficients = (2.0, -0.5, 1e-3)[: len(names)]
    target = sum(c * terms[name] for c, name in zip(coefficients, names, strict=True))

    found = as_sum(target, terms)

    assert found.terms == names
    assert found.coefficients == pytest.approx(coefficients)


def test_the_fewest_terms_are_taken_and_of_equal_ones_the_first(terms):
    assert as_sum(terms["a"] + terms["b"] - terms["a again"], terms).terms == ("b",)
    assert as_sum(3 * terms["a"], terms).text == "3·a"


def test_a_term_without_a_share_does_not_count(terms):
    assert as_sum(terms["zero"], terms) is None


def test_four_terms_and_other_shapes_are_no_sum_of_ours(terms):
    assert as_sum(sum(terms[name] for name in "abcd"), terms) is None
    assert as_sum(terms["a"][:1], terms) is None


@pytest.mark.parametrize("away", [1e-7, 1e-4])
def test_what_is_almost_a_sum_is_none(terms, away):
    assert as_sum(terms["a"] + terms["b"] + away * terms["c"] * terms["d"], terms) is None
