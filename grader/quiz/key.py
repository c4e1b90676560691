"""Reads the questions of a knowledge check with their key, and proves that the key judges as it says."""

from __future__ import annotations

import hashlib
import re
import tomllib
from functools import lru_cache
from pathlib import Path

import msgspec

from grader.errors import CourseError
from grader.model.course import Course, KnowledgeCheck
from grader.quiz.judging import judge
from grader.quiz.questions import Question, Quiz

FILE = "questions.toml"
_NAME = re.compile(r"[a-z][a-z0-9_]{0,59}")
_LETTERS = "abcdefgh"


class _File(msgspec.Struct, forbid_unknown_fields=True):
    title: str
    questions: tuple[Question, ...]


def load_quiz(folder: Path) -> Quiz:
    """Read the quiz in `folder`, whose name becomes its own.

    Raises:
        CourseError: the file is missing, is not TOML, or a question is incomplete or contradicts its own key; the
            message names the question.
    """
    path = folder / FILE
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CourseError(f"{path} cannot be read ({error.strerror}): a knowledge check needs this file.") from None
    return _proven(path, data)


def quiz_of(course: Course, asked_for: KnowledgeCheck) -> Quiz:
    """The quiz that a course asks for, wherever its files are. Raises as `load_quiz`."""
    file = f"{asked_for.name}/{FILE}"
    return _proven(Path(course.shown(file)), course.read(file) or b"")


@lru_cache(maxsize=8)  # a class is graded by one key, and to prove it takes as long as to judge fifty students by it
def _proven(path: Path, data: bytes) -> Quiz:
    try:
        read = msgspec.convert(tomllib.loads(data.decode("utf-8")), _File)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CourseError(f"{path} is not TOML: {error}.") from None
    except msgspec.ValidationError as error:
        raise CourseError(f"{path}: {error}. See docs/quiz.md for the keys.") from None
    names = [question.name for question in read.questions]
    if not names or len({*names}) < len(names):
        raise CourseError(f"{path} needs questions, each with a name of its own.")
    for question in read.questions:
        if problem := _problem(question) or _contradiction(question):
            raise CourseError(f"{path}: the question {question.name!r} {problem}.")
    return Quiz(path.parent.name, read.title, read.questions, f"sha256:{hashlib.sha256(data).hexdigest()}")


def _problem(question: Question) -> str:
    """What is missing in a question, as the end of a sentence; empty for nothing."""
    texts = (question.title, question.concept, question.ask, question.expected, question.hint)
    if not _NAME.fullmatch(question.name):
        return "needs a name of small letters, digits and _"
    if not question.accepted or not all(text.strip() for text in texts):
        return "lacks a text or an accepted answer"
    if not 0 < question.points <= 1000:
        return "needs points above 0"
    if any("\n" in text for text in (question.title, question.ask, *question.options.values(), *question.accepted)):
        return "has a line break in its title, its text, an option or an accepted answer"
    return _wrong_options(question)


def _wrong_options(question: Question) -> str:
    if (question.kind == "multiple_choice") != (len(question.options) >= 2):
        return "needs two options or more if it is multiple_choice, and none otherwise"
    if tuple(question.options) != tuple(_LETTERS[: len(question.options)]):
        return "needs options named a, b, c and so on"
    answers = (*question.accepted, *(mistake.answer for mistake in question.mistakes))
    if question.choices and (len(question.accepted) != 1 or sorted(answers) != sorted(question.choices)):
        return "needs each option once: one as accepted, and each other one as a mistake with its reason"
    return ""


def _contradiction(question: Question) -> str:
    """The first answer of the key that is not judged as the key says, as the end of a sentence."""
    for form in question.accepted:
        if judge(question, form).verdict != "passed":
            return f"has the accepted answer {form!r}, which cannot be read"
    for mistake in question.mistakes:
        if judge(question, mistake.answer) != ("failed", mistake.reason, mistake.tag):
            return f"has the mistake {mistake.answer!r}, which cannot be read, is right, or stands there twice"
    return ""
