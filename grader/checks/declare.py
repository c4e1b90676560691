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
    """What a check is worth and what it teaches. `hints` lead on (a question, an experiment), never to the code.

    `part` is the part of the exercise that it looks at; it counts where that part does.
    """

    points: float
    concept: str
    visibility: Visibility = "hidden"
    hints: tuple[str, ...] = ()
    part: str | None = None


def check(  # noqa: PLR0913  # a declaration: all by name, most with a default
    *,
    points: float,
    concept: str,
    visible: bool = False,
    after_deadline: bool = False,
    hints: tuple[str, ...] = (),
    part: str | None = None,
) -> Callable[[Function], Function]:
    """Declare a pytest function named `check_…` as a check.

    Its docstring is the line that the student reads; a student sees inputs and numbers of a `visible` check. A check
    for `after_deadline` does not run for a student before that, who is told how many there are. A check of a `part`
    that exercise.toml lists counts where the course asks for that part, or the student has begun it.

    Raises:
        TypeError: a check that is visible and runs after the deadline only.
    """
    if visible and after_deadline:
        raise TypeError("a check is visible, or runs after the deadline, not both")
    visibility: Visibility = "visible" if visible else "after_deadline" if after_deadline else "hidden"

    def declare(function: Function) -> Function:
        setattr(function, ATTRIBUTE, Rubric(points, concept, visibility, hints, part))
        return function

    return declare
