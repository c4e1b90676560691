"""How a check ended, as a result."""

import pytest

from grader.checks.expect import CheckFailed
from grader.checks.outcome import ended
from grader.model.results import CheckResult, Formula


def failed(residual):
    """A check that failed on a formula that fits to `residual`."""
    result = CheckResult("adds", "It adds.", "the shortcut", "hidden", "passed", 1.0, 1.0)
    formula = Formula("F(x)", "x + F(x)", residual)
    return ended(
        result,
        lambda *_: None,
        CheckFailed("Your block computes F(x).", "x + F(x)", "missing-skip", formula=formula),
    )


@pytest.mark.parametrize("noise", [0.0, 4.1e-17, 3.7e-16, 9.9e-13])
def test_rounding_noise_of_a_formula_is_told_as_one_bound(noise):
    assert failed(noise).formula.residual == 1e-12


@pytest.mark.parametrize(("residual", "bound"), [(1.1e-12, 1e-11), (4e-10, 1e-9), (2e-5, 1e-4)])
def test_residual_of_a_formula_is_told_as_the_next_power_of_ten(residual, bound):
    assert failed(residual).formula.residual == bound


def test_formula_that_is_not_known_has_no_residual():
    assert failed(None).formula.residual is None
