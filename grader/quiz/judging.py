"""Answers become check results: right, wrong with its reason, not answered, or undecided, which a teacher looks at."""

from __future__ import annotations

import re
from typing import NamedTuple

from grader.model.results import CheckResult, ExerciseResult, Verdict, Where
from grader.quiz.answers import Answers, Given, read_answers
from grader.quiz.formula import Formula, NoFormula
from grader.quiz.questions import KnownMistake, Question, Quiz
from grader.quiz.shape import NoShape, read_shape
from grader.quiz.words import MOST_CHARACTERS, is_no_answer, numbers, plain, words

NOT_ANSWERED = "There is no answer to this question yet."
FILE = "knowledge_check.toml"
_TRUE = frozenset({"true", "t", "yes", "y", "right", "correct", "wahr"})
_FALSE = frozenset({"false", "f", "no", "n", "wrong", "incorrect", "falsch"})
_LETTER = re.compile(r"(?:(?:option|answer)\s+)?[(\[]?([a-z])[)\].:]?")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_BESIDE_A_NUMBER = re.compile(r"[\w\s.,:;=≈~!()'-]*")


class Judgement(NamedTuple):
    """How an answer was judged; `happened` is for the student, `tag` the mistake's."""

    verdict: Verdict
    happened: str = ""
    tag: str | None = None


class _Unreadable(ValueError):
    """Says in a sentence why an answer cannot be judged as it is written."""


def grade_quiz(quiz: Quiz, data: bytes | None, file: str = FILE) -> ExerciseResult:
    """All questions judged; `data` are the bytes of the student's file, None if there is none."""
    answers = read_answers(data or b"", (question.name for question in quiz.questions))
    checks = tuple(check_answer(question, answers, file) for question in quiz.questions)
    return ExerciseResult(quiz.name, quiz.title, checks, remarks=tuple(answers.notes))


def check_answer(question: Question, answers: Answers, file: str = FILE) -> CheckResult:
    """The result of one question: all points or none. What is undecided keeps its points until a teacher has looked."""
    given = answers.given.get(question.name)
    if question.name in answers.unclear:
        judged = Judgement("not_run", answers.unclear[question.name])
    else:
        judged = judge(question, given.text if given else "")
    lost = judged.verdict in ("failed", "not_run")
    note = f"Answered: {given.text[:MOST_CHARACTERS]}" if given and judged.verdict == "needs_review" else ""
    return CheckResult(
        name=question.name,
        title=question.title,
        concept=question.concept,
        visibility="visible",
        verdict=judged.verdict,
        points=0.0 if lost else question.points,
        max_points=question.points,
        tag=judged.tag,
        happened=judged.happened,
        expected="" if judged.verdict == "passed" else question.expected,
        hints=(question.hint,) if judged.verdict == "failed" else (),
        where=_where(given, answers, file) if given and lost else None,
        staff_note=note,
    )


def judge(question: Question, answer: str) -> Judgement:
    """One answer to one question. What is not answered or cannot be read is `not_run`: it is not called wrong."""
    if is_no_answer(answer):
        return Judgement("not_run", NOT_ANSWERED)
    try:
        if question.kind == "formula":
            return _formula(question, answer)
        if question.kind == "shape":
            return _shape(question, answer)
        if question.kind == "short_answer":
            return _short_answer(question, answer)
        return _chosen(question, _choice(question, answer))
    except _Unreadable as problem:
        return Judgement("not_run", str(problem))


def _formula(question: Question, answer: str) -> Judgement:
    try:
        formula = Formula(answer)
        for form in question.accepted:
            if _is(formula, form):
                return Judgement("passed")
        for mistake in question.mistakes:
            if _is(formula, mistake.answer):
                return _failed(mistake)
    except NoFormula as problem:
        raise _Unreadable(f"Your answer cannot be read as a formula. {problem}") from None
    forms = [*question.accepted, *(mistake.answer for mistake in question.mistakes)]
    unknown = sorted(formula.names.difference(*(Formula(form).names for form in forms)))
    if unknown:
        raise _Unreadable(
            f"Your formula uses the name {unknown[0][:40]!r}, which the question does not have. "
            "Write it with the question's letters only."
        )
    return Judgement("failed", "Your formula says something else than what is asked for, however it is rearranged.")


def _is(formula: Formula, form: str) -> bool:
    ours = Formula(form)
    return formula.value(ours.variables) == ours.value(ours.variables)


def _shape(question: Question, answer: str) -> Judgement:
    try:
        sizes = read_shape(answer)
    except NoShape as problem:
        raise _Unreadable(f"Your answer cannot be read as a shape. {problem}") from None
    if any(sizes == read_shape(form) for form in question.accepted):
        return Judgement("passed")
    for mistake in question.mistakes:
        if sizes == read_shape(mistake.answer):
            return _failed(mistake)
    told = ", ".join(str(size) for size in sizes[:12])
    return Judgement("failed", f"Your answer is the shape ({told}), and another one comes out.")


def _short_answer(question: Question, answer: str) -> Judgement:
    if len(answer) > MOST_CHARACTERS:
        raise _Unreadable(f"Your answer has more than {MOST_CHARACTERS} characters. One word or number is enough.")
    if not words(answer):
        raise _Unreadable("Your answer holds no word and no number that could be judged.")
    numeric = _NUMBER.fullmatch(question.accepted[0]) is not None
    said = _one_number(question, answer) if numeric else words(answer)
    if said and any(said == _said(form, numeric=numeric) for form in question.accepted):
        return Judgement("passed")
    for mistake in question.mistakes:
        if said and said == _said(mistake.answer, numeric=numeric):
            return _failed(mistake)
    if numeric and said:
        return Judgement("failed", f"Your number is {said[0]}, and another one comes out.")
    return Judgement(
        "needs_review", "Your answer is worded in a way that only a person can judge. A teacher looks at it."
    )


def _said(form: str, *, numeric: bool) -> tuple[str, ...]:
    return tuple(numbers(form)) if numeric else words(form)


def _one_number(question: Question, answer: str) -> tuple[str, ...]:
    """The number that is given, where it is the only one and no word beside it can change what is meant."""
    found = numbers(answer)
    beside = [word for word in words(answer) if any(sign.isalpha() for sign in word)]
    plainly = _BESIDE_A_NUMBER.fullmatch(answer) and {*beside} <= {*words(question.ask)}
    return tuple(found) if len(found) == 1 and plainly else ()


def _choice(question: Question, answer: str) -> str:
    told = plain(answer).strip(" .!\"'`")
    if question.kind == "true_false":
        if told in _TRUE | _FALSE:
            return "true" if told in _TRUE else "false"
        raise _Unreadable("Your answer is neither `true` nor `false`.")
    letter = _LETTER.fullmatch(told)
    if letter and letter[1] in question.options:
        return letter[1]
    for option, text in question.options.items():
        shown = plain(text).rstrip(".")
        if told in (shown, f"{option}) {shown}", f"{option} {shown}", f"{option}. {shown}"):
            return option
    raise _Unreadable(f"Your answer is not one of the letters {', '.join(question.options)}.")


def _chosen(question: Question, choice: str) -> Judgement:
    if choice in question.accepted:
        return Judgement("passed")
    return _failed(next(mistake for mistake in question.mistakes if mistake.answer == choice))


def _failed(mistake: KnownMistake) -> Judgement:
    return Judgement("failed", mistake.reason, mistake.tag)


def _where(given: Given, answers: Answers, file: str) -> Where:
    return Where.among(answers.lines, file, None, given.line)
