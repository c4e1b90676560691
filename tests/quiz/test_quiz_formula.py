"""Formulas as students write them, compared as algebra."""

import pytest

from grader.quiz.formula import Formula, NoFormula, same_formula

PRE_NORM = "x + F(Norm(x))"
HIGHWAY = "T·H(x) + (1 − T)·x"
BLOCK = "h = x + A(Norm1(x)); y = h + F(Norm2(h))"


@pytest.mark.parametrize(
    "text",
    [
        "y = x+F(Norm(x))",
        "out = x + f(norm(x))",
        "F(Norm(x)) + x",
        "  f( NORM( x ) )+X.",
        "x + sublayer(LayerNorm(x))",
        "x = x + self.sublayer(self.norm(x))",
        "x += F(LN(x))",
        "return x + F(Norm(x))",
        "x̂ = x + F(Norm(x))",
        "x + F(Norm(x)) = y",
        "y(x) := x + F[Norm(x)]",
        "x_{l+1} = x_l + F(Norm(x_l))",
        "x₁ = x₀ + F(Norm(x₀))",
        "$y = x + \\mathcal{F}(\\text{Norm}(x))$",
        "𝑦 = 𝑥 + 𝐹(Norm(𝑥))",
        "`x ＋ F(Norm(x))`",
        "n = norm(x); y = x + f(n)",
        "n = norm(x)\ny = x + f(n)",
        "2x + F(Norm(x)) − x",
        "(x + x + 2·F(Norm(x))) / 2",
        "x + F(Norm(x))  # the shortcut",
    ],
)
def test_spellings_of_one_formula_are_equal(text):
    assert same_formula(text, PRE_NORM)


@pytest.mark.parametrize(
    "text",
    [
        "x + F(x)",
        "F(Norm(x))",
        "x + Norm(F(x))",
        "Norm(x + F(x))",
        "Norm(x) + F(Norm(x))",
        "2*x + F(Norm(x))",
        "x - F(Norm(x))",
        "x * F(Norm(x))",
        "x + F(Norm(x) + x)",
        "x + F(Norm(2*x))",
        "x² + F(Norm(x))",
        "x + Norm * F(x)",
    ],
)
def test_other_formulas_differ(text):
    assert not same_formula(text, PRE_NORM)


@pytest.mark.parametrize(
    "text", ["T*H(x) + (1-T)*x", "x(1-T) + T·H(x)", "(1−T)x + T ⊙ H(x)", "x + T*(H(x) - x)", "t*(h(x)-x)+x"]
)
def test_a_product_may_be_written_and_multiplied_out_in_any_way(text):
    assert same_formula(text, HIGHWAY)


def test_norms_told_apart_by_their_numbers_stay_two():
    assert same_formula("x1 = x0 + A(Norm1(x0)); x2 = x1 + F(Norm2(x1))", BLOCK)
    assert not same_formula("h = x + A(Norm1(x)); y = h + F(Norm1(h))", BLOCK)


def test_a_sum_below_the_line_is_compared_up_to_its_scale():
    assert same_formula("x / (2x + 2F(x))", "0.5 x / (F(x) + x)")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "empty"),
        (";;\n", "empty"),
        ("x + F(x", "brackets do not match"),
        ("x) + (x", "brackets do not match"),
        ("F(" * 61 + "x" + ")" * 61, "nested too deeply"),
        ("(" * 300, "brackets do not match"),
        ("x" * 401, "more than 400 characters"),
        ("ﷺ" * 400, "more than 400 characters"),
        ("x" + "+x" * 199, "too many parts"),
        ("-" * 399 + "x", "too many parts"),
        ("~x", "neither a name"),
        ("x @ F(x)", "a sign other"),
        ("x ** F(x)", "a power that is not a number"),
        ("x**9**9**9**9", "a power that is not a number"),
        ("x**99", "too high"),
        ("(x**16)**16", "too high"),
        ("((((999999999**16)**16)**16)**16)*x", "too long"),
        ("9" * 300, "too long"),
        ("0x1for x in y", "not written as a formula"),
        ("1/(x - x)", "divides by zero"),
        ("*".join(f"(a{at}+b{at})" for at in range(7)), "more than 32 terms"),
        ("lambda: x", "neither a name"),
        ("F(x)(x)(x)", "neither a name"),
        ("F(*x)", "neither a name"),
        ("F()", "neither a name"),
        ("'x'", "neither a name"),
        ("a.b.c + x", "more than one dot"),
        ("F(a=1)", "left of `=`"),
        ("x plus F of x", "not written as a formula"),
        ("\0", "not written as a formula"),
        ("\ud800", "not written as a formula"),
    ],
)
def test_what_is_no_formula_is_told_in_a_sentence(text, told):
    with pytest.raises(NoFormula, match=told):
        Formula(text).value()


def test_nothing_in_a_formula_is_run():
    formula = Formula("__import__(os).system(x)")

    with pytest.raises(NoFormula):
        formula.value()


def test_terms_that_multiply_each_other_inside_functions_stay_small():
    text = "x"
    while len(text) < 200:
        text = f"F((a+b)*{text})"

    assert max(len(name) for factors in Formula(text).value().terms for name, _ in factors) < 300
