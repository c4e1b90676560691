"""Formulas drawn at random: what keeps a sum the same, and what makes another one of it."""

import pytest
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

from grader.quiz.algebra import call, close, number, variable
from grader.quiz.formula import MOST_CHARACTERS, NoFormula, same_formula

SAME_EACH_TIME = settings(
    derandomize=True, deadline=None, database=None, max_examples=150, phases=(Phase.explicit, Phase.generate)
)
# All coefficients are positive, so no two terms take each other away.
TERMS = st.recursive(
    st.sampled_from(["x", "m", "2*x"]),
    lambda inner: st.one_of(
        st.builds("F({})".format, inner),
        st.builds("Norm({})".format, inner),
        st.builds("F({} + {})".format, inner, inner),
        st.builds("3*{}".format, inner),
        st.builds("{}*({} + x)".format, inner, inner),
    ),
    max_leaves=4,
)
SUMS = st.lists(TERMS, min_size=2, max_size=4)


def formula(terms):
    text = " + ".join(terms)
    assume(len(text) <= MOST_CHARACTERS // 4)
    return text


@SAME_EACH_TIME
@given(st.data())
def test_the_order_of_a_sum_is_free(data):
    terms = data.draw(SUMS)
    other = data.draw(st.permutations(terms))

    assert same_formula(formula(other), formula(terms))


@SAME_EACH_TIME
@given(SUMS, st.sampled_from(["y = {}", "({})", "2*({})/2", "Norm(x) + {} - Norm(x)", "out={} + 0", "return {}"]))
def test_what_changes_nothing_is_free(terms, around):
    assert same_formula(around.format(formula(terms)), formula(terms))


@SAME_EACH_TIME
@given(SUMS)
def test_letter_case_spaces_and_signs_are_free(terms):
    text = formula(terms)

    assert same_formula(text.upper().replace(" ", "").replace("*", " · "), text)


@SAME_EACH_TIME
@given(SUMS, st.integers(0, 3))
def test_a_dropped_term_makes_another_formula(terms, at):
    at %= len(terms)

    assert not same_formula(formula(terms[:at] + terms[at + 1 :]), formula(terms))


@SAME_EACH_TIME
@given(SUMS, st.integers(0, 3))
def test_a_doubled_term_makes_another_formula(terms, at):
    assert not same_formula(formula([*terms, terms[at % len(terms)]]), formula(terms))


@SAME_EACH_TIME
@given(SUMS, st.integers(0, 3))
def test_a_term_moved_inside_a_norm_makes_another_formula(terms, at):
    at %= len(terms)
    moved = [*terms[:at], f"Norm({terms[at]})", *terms[at + 1 :]]

    assert not same_formula(formula(moved), formula(terms))


@SAME_EACH_TIME
@given(SUMS)
def test_a_norm_around_the_sum_makes_another_formula(terms):
    assert not same_formula(f"Norm({formula(terms)})", formula(terms))


@SAME_EACH_TIME
@given(st.text(max_size=60) | st.text(alphabet="xFN()+-*/=;.,12 \n", max_size=60))
def test_any_text_is_a_formula_or_told_in_a_sentence(text):
    told = "."
    try:
        same_formula(text, "x + F(x)")
    except NoFormula as problem:
        told = str(problem)

    assert told.endswith(".")


def test_coefficients_may_be_compared_up_to_a_part():
    x, f = variable("x"), call("F", variable("x"))
    rounded, exact = number(1) / number(3) * x + f, number(3333) / number(10000) * x + f

    assert rounded != exact
    assert close(rounded, exact, 1e-3)
    assert not close(rounded, exact, 1e-6)
    assert not close(rounded, x, 1e-3)


def test_nothing_is_divided_by_nothing():
    with pytest.raises(ZeroDivisionError):
        number(1) / (variable("x") - variable("x"))
