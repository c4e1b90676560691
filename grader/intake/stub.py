"""How far an exercise has been filled in, by where `raise NotImplementedError` still stands."""

from __future__ import annotations

from enum import IntEnum

from grader.intake.outline import Function, Outline
from grader.model.course import Exercise


class Progress(IntEnum):
    """Of two files for the same exercise the one with the smaller value is the better one to run."""

    FILLED_IN = 0
    PARTLY = 1
    STUB = 2


def progress(outline: Outline, exercise: Exercise) -> Progress:
    """A stub: the main class (or function) raises, and no wanted name holds other code. Partly: some still raises.

    A part that still raises makes nothing unfinished: it may be left out.
    """
    if not any(one.raises for one in _functions(outline, exercise.defines)):
        return Progress.FILLED_IN
    untouched = first_raise(outline, exercise) and not any(one.has_code for one in _functions(outline, exercise.names))
    return Progress.STUB if untouched else Progress.PARTLY


def first_raise(outline: Outline, exercise: Exercise) -> tuple[int | None, int] | None:
    """The cell and the line in it where the main class or function raises NotImplementedError for the first time."""
    main = exercise.defines[0]
    lines = [one.raises for one in _functions(outline, (main,)) if one.raises]
    return (outline.definitions[main].cell, lines[0]) if lines else None


def _functions(outline: Outline, wanted: tuple[str, ...]) -> list[Function]:
    found = [outline.definitions[name] for name in wanted if name in outline.definitions]
    return [function for one in found for function in one.functions]
