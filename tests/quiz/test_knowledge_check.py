"""The course's own knowledge check: its key earns all points, every known mistake its reason, and nothing slips out."""

import re
import tomllib
from pathlib import Path

import msgspec
import pytest

from grader.model.results import ExerciseResult
from grader.model.stored import lessons
from grader.quiz import answer_key, grade_quiz, handout, load_quiz
from grader.quiz.judging import NOT_ANSWERED, judge

FOLDER = Path(__file__).parents[2] / "solutions" / "knowledge_check"
QUIZ = load_quiz(FOLDER)
QUESTIONS = {question.name: question for question in QUIZ.questions}
MISTAKES = [(question, mistake) for question in QUIZ.questions for mistake in question.mistakes]
RIGHT = {
    "residual_formula": ["x+F(x)", "y = F(x) + x", "f(x)+x", "x + sublayer(x)", "x_{l+1} = x_l + F(x_l)"],
    "one_idea": ["True", "T", "yes", "Right."],
    "where_skips_sit": ["C", "c)", "(c)", "Option C", "One around the attention, and another around the feed forward."],
    "what_must_match": ["Shape", "the shapes", "their shape", "Same shape!", "They must have the same shape", "size"],
    "pre_norm": ["out = x + f(norm(x))", "F(LN(x)) + x", "n = Norm(x); x + F(n)"],
    "post_norm": ["LayerNorm(F(x) + x)", "z = x + F(x); y = Norm(z)"],
    "slope_with_shortcut": ["1.01", "1,01", "= 1.010", "The slope is 1.01."],
    "who_gathers": [
        "Attention",
        "self-attention",
        "Multi-Head Attention",
        "the attention layer",
        "causal self-attention",
    ],
    "shape_after_the_block": ["2x4x768", "[2, 4, 768]", "torch.Size([2, 4, 768])", "2, 4, 768"],
}


def grade(answers: dict[str, str]) -> ExerciseResult:
    return grade_quiz(QUIZ, handout(QUIZ, answers).encode())


def test_there_are_fifteen_questions_of_every_kind():
    assert len(QUIZ.questions) == 15
    assert {question.kind for question in QUIZ.questions} == {
        "formula", "shape", "short_answer", "true_false", "multiple_choice"
    }  # fmt: skip


def test_the_key_earns_all_points_without_a_remark():
    result = grade_quiz(QUIZ, answer_key(QUIZ).encode())

    assert [check.name for check in result.checks if check.verdict != "passed"] == []
    assert result.points == sum(question.points for question in QUIZ.questions)
    assert result.remarks == ()


@pytest.mark.parametrize("data", [None, b"", handout(QUIZ).encode()], ids=["no file", "empty file", "untouched file"])
def test_what_is_not_answered_is_not_called_wrong(data):
    result = grade_quiz(QUIZ, data)

    assert {(check.verdict, check.happened, check.points, check.tag) for check in result.checks} == {
        ("not_run", NOT_ANSWERED, 0.0, None)
    }


@pytest.mark.parametrize("answer", ["", "  ", "?", "...", "TODO", "I don't know", "–"])
def test_what_says_nothing_is_no_answer(answer):
    assert {judge(question, answer).happened for question in QUIZ.questions} == {NOT_ANSWERED}


@pytest.mark.parametrize("question", QUIZ.questions, ids=lambda question: question.name)
def test_every_accepted_form_passes(question):
    assert {judge(question, form).verdict for form in question.accepted} == {"passed"}


@pytest.mark.parametrize(("name", "answer"), [(name, answer) for name in RIGHT for answer in RIGHT[name]])
def test_right_answers_in_other_words_pass(name, answer):
    assert judge(QUESTIONS[name], answer) == ("passed", "", None)


@pytest.mark.parametrize(("question", "mistake"), MISTAKES, ids=lambda one: getattr(one, "name", None))
def test_every_known_mistake_is_told_its_reason(question, mistake):
    assert judge(question, mistake.answer) == ("failed", mistake.reason, mistake.tag)


@pytest.mark.parametrize("mistake", [mistake for _, mistake in MISTAKES if mistake.tag], ids=lambda one: one.tag)
def test_every_tag_is_in_the_vocabulary(mistake):
    assert mistake.tag in lessons()


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("residual_formula", "x + F(x) + F(F(x))"),
        ("pre_norm", "x + F(Norm(Norm(x)))"),
        ("shape_after_the_block", "(2, 4, 769)"),
        ("slope_with_shortcut", "7"),
        ("slope_with_shortcut", "-1.01"),
    ],
)
def test_wrong_answers_that_nobody_foresaw_fail(name, answer):
    judged = judge(QUESTIONS[name], answer)

    assert judged.verdict == "failed"
    assert judged.happened.startswith("Your ")


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("what_must_match", "not the shape"),
        ("what_must_match", "the number of rows and columns"),
        ("who_gathers", "attention, not the feed forward"),
        ("who_gathers", "attention or feed forward"),
        ("slope_with_shortcut", "not 1.01"),
        ("slope_with_shortcut", "1 + 0.01"),
        ("slope_with_shortcut", "1.01%"),
        ("slope_with_shortcut", "1.01x"),
        ("slope_with_shortcut", "one point zero one"),
    ],
)
def test_words_that_only_a_person_can_judge_keep_their_points_and_are_shown_to_a_teacher(name, answer):
    check = next(check for check in grade({name: answer}).checks if check.name == name)

    assert (check.verdict, check.points) == ("needs_review", check.max_points)
    assert answer in check.staff_note


@pytest.mark.parametrize(
    ("name", "answer", "told"),
    [
        ("residual_formula", "x + F(x", "brackets"),
        ("residual_formula", "x + G(x)", "'g'"),
        ("pre_norm", "x + F(x_norm)", "'x_norm'"),
        ("residual_formula", "(" * 50_000, "400 characters"),
        ("shape_after_the_block", "the same as before", "shape"),
        ("shape_after_the_block", "2," * 20_000, "200 characters"),
        ("where_skips_sit", "e", "a, b, c, d"),
        ("where_skips_sit", "a and c", "a, b, c, d"),
        ("one_idea", "maybe", "neither `true` nor `false`"),
        ("who_gathers", "attention " * 5_000, "300 characters"),
        ("who_gathers", "the it is", "no word"),
    ],
)
def test_what_cannot_be_read_is_told_and_not_called_wrong(name, answer, told):
    check = next(check for check in grade({name: answer}).checks if check.name == name)

    assert (check.verdict, check.points, check.tag) == ("not_run", 0.0, None)
    assert told in check.happened
    assert len(check.happened) < 250


def test_a_wrong_answer_brings_all_that_a_page_shows():
    check = grade({"residual_formula": "F(x)"}).checks[0]

    assert (check.verdict, check.tag, check.points, check.max_points) == ("failed", "missing-skip", 0.0, 1.0)
    assert check.happened.startswith("This is the sublayer alone")
    assert check.expected == QUESTIONS["residual_formula"].expected
    assert check.hints == (QUESTIONS["residual_formula"].hint,)
    assert check.where is not None
    assert (check.where.file, check.where.code) == ("knowledge_check.toml", 'answer = "F(x)"')


def test_two_answers_to_one_question_are_told():
    data = b'[residual_formula]\nanswer = "F(x)"\nanswer = "x + F(x)"\n'

    check = grade_quiz(QUIZ, data).checks[0]

    assert check.verdict == "not_run"
    assert "lines 2 and 3" in check.happened


def test_results_are_plain_data():
    result = grade({"residual_formula": "F(x)", "who_gathers": "attention or feed forward"})

    assert msgspec.json.decode(msgspec.json.encode(result), type=ExerciseResult) == result


def test_the_handout_is_toml_with_an_empty_answer_for_each_question():
    assert tomllib.loads(handout(QUIZ)) == {name: {"answer": ""} for name in QUESTIONS}


def test_the_handout_has_every_text_that_a_student_needs():
    shown = " ".join(handout(QUIZ).replace("\n#", " ").split())
    texts = [text for question in QUIZ.questions for text in (question.ask, *question.options.values())]

    assert [text for text in texts if " ".join(text.split()) not in shown] == []


def test_the_handout_does_not_depend_on_the_key():
    """Another key, the same file: whatever the key is, it cannot be read from the students' side."""
    canary = msgspec.structs.replace(QUIZ, questions=tuple(
        msgspec.structs.replace(question, accepted=("canary",), expected="canary", hint="canary", mistakes=())
        for question in QUIZ.questions
    ))  # fmt: skip

    assert handout(canary) == handout(QUIZ)
    assert "canary" in answer_key(canary)


def test_no_formula_reason_or_hint_stands_in_the_handout():
    shown = re.sub(r"\W", "", handout(QUIZ))
    key = [mistake.reason for _, mistake in MISTAKES]
    key += [text for question in QUIZ.questions for text in (question.expected, question.hint)]
    key += [form for question in QUIZ.questions if question.kind == "formula" for form in question.accepted]

    assert [text for text in key if re.sub(r"\W", "", text) in shown] == []


@pytest.mark.parametrize(
    "question", [one for one in QUIZ.questions if one.kind in ("formula", "shape")], ids=lambda one: one.name
)
def test_what_is_told_about_a_wrong_answer_does_not_hold_the_right_one(question):
    told = (question.expected, question.hint, *(mistake.reason for mistake in question.mistakes))
    forms = {re.sub(r"\s", "", form) for form in question.accepted}

    assert [text for text in told if any(form in re.sub(r"\s", "", text) for form in forms)] == []
