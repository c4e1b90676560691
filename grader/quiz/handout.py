"""The students' side of a knowledge check: the questions with empty answers, and nothing of the key."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from types import MappingProxyType

from grader.quiz.questions import Kind, Question, Quiz

_WIDTH = 112
_HEAD = """\
# {title}
#
# Write each answer between the two quotes behind `answer =`, and leave all other lines as they are. An answer that
# stays empty is not judged, and gets no points.
"""
_HOW: Mapping[Kind, str] = MappingProxyType(
    {
        "formula": "A formula. Order, spaces and letter case are free, and so is what stands left of the sign =.",
        "shape": "A shape: the sizes in order, with commas between them.",
        "short_answer": "A word or a number.",
        "true_false": "true or false.",
        "multiple_choice": "The letter of one option.",
    }
)
_NO_ANSWERS: Mapping[str, str] = MappingProxyType({})


def handout(quiz: Quiz, answers: Mapping[str, str] = _NO_ANSWERS) -> str:
    """The file `knowledge_check.toml`, with these answers filled in, if any."""
    parts = [_HEAD.format(title=quiz.title)]
    for number, question in enumerate(quiz.questions, start=1):
        parts.append(f"{_asked(number, question)}\n[{question.name}]\n{_filled(answers.get(question.name, ''))}\n")
    return "\n".join(parts)


def answer_key(quiz: Quiz) -> str:
    """The same file with the first accepted answer to each question; for instructors alone."""
    return handout(quiz, {question.name: question.accepted[0] for question in quiz.questions})


def _asked(number: int, question: Question) -> str:
    unit = "point" if question.points == 1 else "points"
    lines = [f"{number}. {question.title} ({question.points:g} {unit})", *textwrap.wrap(question.ask, _WIDTH)]
    for letter, text in question.options.items():
        lines += textwrap.wrap(f"{letter}) {text}", _WIDTH, initial_indent="   ", subsequent_indent="      ")
    return "\n".join(f"# {line}" for line in [*lines, f"→ {_HOW[question.kind]}"])


def _filled(answer: str) -> str:
    told = answer.replace("\\", "\\\\").replace('"', '\\"')
    return f'answer = "{told}"'
