"""What a student reads when an exercise cannot be run at all."""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from grader.intake import names
from grader.intake.outline import Outline
from grader.intake.stub import first_raise
from grader.model.course import Exercise
from grader.model.submission import Problem, Skipped, SourceFile

_AGAIN = "hand it in again"
_MOST_NAMES_COMPARED = 200
_LONGEST_NAME_COMPARED = 80
_ALIKE = 0.8


@dataclass(frozen=True)
class Sources:
    """Everything that was handed in: what could be read, what could not (path to problem), what was passed by.

    `outlines` holds what each readable file defines, by its path.
    `wanted` are the names that any exercise of the course asks for: none of them is another one misspelled.
    """

    files: tuple[SourceFile, ...]
    outlines: dict[str, Outline]
    unreadable: dict[str, Problem]
    skipped: tuple[Skipped, ...]
    wanted: frozenset[str]


def kind_of(exercise: Exercise) -> str:
    """The word for what is looked for: a class has a capital letter."""
    return "class" if exercise.defines[0][:1].isupper() else "function"


def stub(exercise: Exercise, file: SourceFile, sources: Sources) -> Problem:
    """Nothing has been filled in."""
    cell, line = first_raise(sources.outlines[file.path], exercise) or (None, None)
    where = f"line {line}" if cell is None else f"cell {cell}, line {line}"
    return Problem(
        kind="stub",
        happened=f"This exercise is still the stub: `raise NotImplementedError` stands in {where} "
        f"of {names.quoted(file.path)}.",
        next_step=f"Replace `raise NotImplementedError` in {names.quoted(exercise.defines[0])} with your code "
        "and save the file before you hand it in.",
        file=file.path,
        line=line,
    )


def empty(exercise: Exercise, file: SourceFile) -> Problem:
    """There is no code in the file."""
    return Problem(
        kind="empty",
        happened=f"{names.quoted(file.path)} holds no code.",
        next_step=f"Write the {kind_of(exercise)} {names.quoted(exercise.defines[0])} in it, save it, and {_AGAIN}.",
        file=file.path,
    )


def not_defined(exercise: Exercise, file: SourceFile, sources: Sources) -> Problem:
    """The file is there, the name in it is not."""
    wanted, kind, path = names.quoted(exercise.defines[0]), kind_of(exercise), names.quoted(file.path)
    outline = sources.outlines[file.path]
    has = _names_in(exercise, outline)
    only = has[0] if len(has) == 1 and has[0] not in sources.wanted else None
    similar = similar_name(exercise, outline, sources.wanted) or only
    if similar:
        happened = f"Your file {path} defines {names.quoted(similar)}; the exercise asks for {wanted}."
        if any(one.name == similar and one.ascii == exercise.defines[0] for one in outline.lookalikes):
            happened += f" They look alike, but other letters are in yours ({names.numbers(similar)})."
        step = f"Rename the {kind} {names.quoted(similar)} to {wanted} and {_AGAIN}."
    else:
        other = f"; it defines {names.listed(has, most=5)}" if has else ""
        happened = f"{path} does not define the {kind} {wanted}{other}."
        step = f"Write the {kind} {wanted} in this file, save it, and {_AGAIN}."
    return Problem(kind="not_defined", happened=happened, next_step=step, file=file.path)


def passed_by(exercise: Exercise, skipped: Skipped) -> Problem:
    """A file with the right name was there and could not be read for what it is."""
    return Problem(
        kind="unreadable",
        happened=f"{names.quoted(skipped.path)} was not read: {skipped.reason}.",
        next_step=f"Hand in an ordinary file {names.quoted(exercise.name + '.py')} with your code.",
        file=skipped.path,
    )


def missing(exercise: Exercise, sources: Sources) -> Problem:
    """Nothing that was handed in has to do with this exercise; says what was looked for and what comes closest."""
    wanted, file = names.quoted(exercise.defines[0]), names.quoted(exercise.name + ".py")
    happened = (
        f"No file for this exercise was found. Looked for {file} or {names.quoted(exercise.name + '.ipynb')}, "
        f"and for the {kind_of(exercise)} {wanted} in all other files."
    )
    step = f"Put {file} with your {kind_of(exercise)} {wanted} into what you hand in."
    close = next((one.path for one in sources.skipped if names.resembles(one.path, exercise.name)), None)
    if close and names.suffix(close) == ".txt":
        happened += f" {names.quoted(close)} was not read, because its name ends in .txt."
        step = f"Rename {names.quoted(close)} to {file} and {_AGAIN}."
    elif sources.unreadable:
        happened += f" {next(iter(sources.unreadable.values())).happened}"
    return Problem(kind="missing", happened=happened, next_step=step)


def similar_name(exercise: Exercise, outline: Outline, not_these: frozenset[str]) -> str | None:
    """The name in the file that is spelled most like the wanted one, if any is close enough."""
    wanted = exercise.defines[0].casefold()
    own = [name for name in _names_in(exercise, outline) if name not in not_these][:_MOST_NAMES_COMPARED]
    folded = {name[:_LONGEST_NAME_COMPARED].casefold(): name for name in own}
    alike = difflib.get_close_matches(wanted, folded, n=1, cutoff=_ALIKE)
    return folded[alike[0]] if alike else None


def _names_in(exercise: Exercise, outline: Outline) -> list[str]:
    if kind_of(exercise) == "class":
        return list(outline.classes)
    return [name for name in outline.defines if name not in outline.classes]
