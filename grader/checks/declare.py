"""`@check(points=…, concept=…)`: how an author declares one hidden test of a submission."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from grader.model.results import Visibility

ATTRIBUTE = "__grade_check__"
Function = TypeVar("Function", bound=Callable[..., object])


@dataclass(frozen=True)
class Rubric:
    """What a check is worth and what it teaches. `hints` lead on (a question, an experiment), never to the code."""

    points: float
    concept: str
    visibility: Visibility = "hidden"
    hints: tuple[str, ...] = ()


def check(
    *, points: float, concept: str, visible: bool = False, hints: tuple[str, ...] = ()
) -> Callable[[Function], Function]:
    """Declare a pytest function named `check_…` as a check.

    Its docstring is the line that the student reads; a student sees inputs and numbers of a `visible` check.
    """

    def declare(function: Function) -> Function:
        setattr(function, ATTRIBUTE, Rubric(points, concept, "visible" if visible else "hidden", hints))
        return function

    return declare
