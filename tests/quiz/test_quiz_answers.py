"""A student's file, read kindly, line by line, whatever its bytes are."""

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from grader.quiz.answers import MOST_BYTES, MOST_NOTES, read_answers

NAMES = ("residual_formula", "pre_norm")
FORMULA = "x + F(x)"


def read(text):
    return read_answers(text if isinstance(text, bytes) else text.encode(), NAMES)


@pytest.mark.parametrize(
    "line",
    [
        'answer = "x + F(x)"',
        "answer = 'x + F(x)'  # mine",
        'answer = """x + F(x)"""',
        '"answer"="x + F(x)"',
    ],
)
def test_toml_is_read_without_a_note(line):
    answers = read(f"# 1. A question\n[residual_formula]\n{line}\n")

    assert answers.given["residual_formula"].text == FORMULA
    assert answers.given["residual_formula"].line == 3
    assert answers.notes == []


@pytest.mark.parametrize(
    "line",
    [
        "answer = x + F(x)",
        "answer = x + F(x)  # mine",
        'answer = "x + F(x)',
        'answer = x + F(x)"',
        "answer = “x + F(x)”",
        "answer = „x + F(x)“",
        "answer = \"x + F(x)'",
        'answer: "x + F(x)"',
        'answer "x + F(x)"',
        "ANSWER = `x + F(x)`",
    ],
)
def test_what_is_nearly_toml_is_understood_and_said_with_its_line(line):
    answers = read(f"[residual_formula]\n{line}\n")

    assert answers.given["residual_formula"].text == FORMULA
    assert answers.notes[0].startswith("Line 2: ")


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("answer = true", "true"),
        ("answer = 1.01", "1.01"),
        ("answer = [2, 4, 768]", "[2, 4, 768]"),
        ("answer = (2, 4, 768)", "(2, 4, 768)"),
        ("answer = b", "b"),
        ('answer = "\\cdot"', "\\cdot"),
        ('answer = """\nn = norm(x)\nx + f(n)"""', "n = norm(x)\nx + f(n)"),
    ],
)
def test_values_without_quotes_are_read_as_text(line, text):
    assert read(f"[pre_norm]\n{line}").given["pre_norm"].text == text


@pytest.mark.parametrize(
    "header", ["[residual_formula", '["residual_formula"]', "[[residual_formula]]", "[ residual_formula ]"]
)
def test_a_header_may_lack_a_bracket(header):
    assert read(f'{header}\nanswer = "x + F(x)"').given["residual_formula"].text == FORMULA


def test_an_unknown_question_is_told_with_the_one_that_is_near():
    answers = read('[residual_formulla]\nanswer = "x"')

    assert answers.given == {}
    assert answers.notes == [
        "Line 1: there is no question `residual_formulla`, so what follows was not read. "
        "Did you mean `[residual_formula]`?"
    ]


def test_an_answer_before_any_question_is_told():
    assert read('answer = "x"').notes == [
        "Line 1: this answer stands before the name of any question, so it was not read."
    ]


def test_two_different_answers_to_a_question_are_no_answer():
    answers = read('[pre_norm]\nanswer = "x"\nanswer = "y"\n')

    assert "lines 2 and 3" in answers.unclear["pre_norm"]


def test_an_empty_answer_beside_a_filled_one_is_no_second_answer():
    answers = read('[pre_norm]\nanswer = "x"\nanswer = ""\nanswer = "x"\n')

    assert answers.given["pre_norm"].text == "x"
    assert answers.unclear == {}


def test_a_stray_line_is_told():
    assert read("[pre_norm]\nI think it is x\n").notes == [
        "Line 2 is neither the name of a question nor an answer, so it was not read."
    ]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_files_of_other_editors_are_read(encoding):
    assert read('[pre_norm]\r\nanswer = "x · y"\r\n'.encode(encoding)).given["pre_norm"].text == "x · y"


def test_another_encoding_is_told_with_its_line():
    assert read('[pre_norm]\nanswer = "é"\n'.encode("latin-1")).notes[0].startswith("Line 2 holds a character")


def test_a_huge_file_is_not_read():
    answers = read(b"[pre_norm]\nanswer = 'x'\n" + b"#" * MOST_BYTES)

    assert answers.given == {}
    assert "larger than 64 KiB" in answers.notes[0]


@pytest.mark.parametrize(
    "text",
    [
        "[pre_norm]\nanswer = " + "[" * 60_000,
        "[pre_norm]\nanswer = {" + "a." * 30_000 + "a=1}",
        "[pre_norm]\nanswer = " + "9" * 60_000,
        '[pre_norm]\nanswer = """' + "\n" * 60_000,
        "[a]\n" * 16_000,
        "[" * 60_000,
        "answer\n" * 9_000,
        '[pre_norm]\nanswer = "' + "\\" * 60_000,
    ],
    ids=["nested", "dotted", "digits", "unclosed", "headers", "brackets", "words", "backslashes"],
)
def test_a_hostile_file_is_read_with_few_notes(text):
    assert len(read(text).notes) <= MOST_NOTES


@settings(derandomize=True, database=None, deadline=None, max_examples=200, phases=(Phase.explicit, Phase.generate))
@given(st.binary(max_size=200) | st.text(alphabet="[]answer=\"'“ \npre_om#:\\{", max_size=200).map(str.encode))
def test_any_bytes_are_read(data):
    answers = read_answers(b"[pre_norm]\n" + data, NAMES)

    assert {*answers.given} <= {*NAMES}
