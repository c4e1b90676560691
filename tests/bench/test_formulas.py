"""Formulas compared as algebra, however they are written."""

import pytest

from bench.formulas import read, same


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2*x + F(Norm(x))", "F(Norm(x)) + x + x"),
        ("(x + F(x)) / 2", "0.5·x + 0.5·F(x)"),
        ("x + G(L_i x_i)", "x + GELU(Linear(x))"),
        ("x_{i+1} = x_0 + G(L_i x_i)", "x0 + GELU(Linear(x))"),
        ("h = x + A(N1(x)); F(N2(h))", "h = x + A(Norm1(x)); y = F(Norm2(h))"),
        ("n = N1(x); h = n + A(n); h + F(N2(h))", "h = Norm1(x) + A(Norm1(x)); y = h + F(Norm2(h))"),
        ("N3(h + F(N2(h)))", "h = x + A(Norm1(x)); y = Norm3(h + F(Norm2(h)))"),
        ("x + F(Norm(x)).data", "x + detach(F(Norm(x)))"),
        ("x + drop_(1-p)(F(Norm(x)))", "x + Dropout[1 - rate](F(Norm(x)))"),
        ("x + F(Norm(x))[..., -1:, :]", "x + F(Norm(x))[last token]"),
        ("x + F(Norm(x)), no dropout", "x + F(Norm(x))"),
        ("(x + F(x)) * 0.7071067811865476", "0.7071·x + 0.7071·F(x)"),
        ("x + 0.1 G(L x)", "x + 0.1·GELU(Linear(x))"),
    ],
)
def test_two_spellings_of_one_formula_are_the_same(one, other):
    assert same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x + F(Norm(x))", "x + Norm(F(x))"),
        ("x + F(x)", "x - F(x)"),
        ("h = x + A(N1(x)); F(N2(h))", "h = x + A(Norm1(x)); y = h + F(Norm2(h))"),
        ("h = x + A(N1(x)); h + F(N1(h))", "h = x + A(Norm1(x)); y = h + F(Norm2(h))"),
        ("x + drop_0.1(F(x))", "x + Dropout(F(x))"),
        ("detach(x) + F(x)", "x + F(x)"),
    ],
)
def test_different_formulas_differ(one, other):
    assert not same(one, other)


@pytest.mark.parametrize(
    "text", ["right values, parameters invisible", "None", "GELU with 0.44715", "", "x +", "(x", "f(x) of x", "x / 0"]
)
def test_what_is_no_formula_is_not_read(text):
    assert read(text) is None


def test_norms_of_one_kind_can_be_told_apart_or_not():
    assert not same("Norm2(x)", "Norm(x)")
    assert same("Norm2(x)", "Norm(x)", numbered_norms=False)
