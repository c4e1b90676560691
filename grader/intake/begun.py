"""What was begun of the things that nobody has to do: they count from then on, and not before."""

from __future__ import annotations

import re

import msgspec

from grader.intake import names
from grader.intake.outline import Outline
from grader.intake.problems import Sources
from grader.model.course import Course, Exercise
from grader.model.submission import SourceFile, Work

_FUNCTION = re.compile(r"^[ \t]*(?:async[ \t]+)?def[ \t]", re.MULTILINE)
_RAISE = re.compile(r"^[ \t]+raise[ \t]+NotImplementedError\b", re.MULTILINE)
_AS_HANDED_OUT = re.compile(  # a line of the students' file with questions: a comment, a name, an empty answer
    rb"""[ \t]*(?:\#.*|\[[\w-]+\][ \t]*|answer[ \t]*=[ \t]*(?:""|'')[ \t]*(?:\#.*)?)?\r?"""
)


def counted(works: list[Work], course: Course, sources: Sources, only: tuple[str, ...]) -> list[Work]:
    """Those that must be done, that were asked for by name, or that were begun; each with the parts begun in it."""
    wanted = {*course.required, *only}
    kept = [work for work in works if work.exercise in wanted or _is_begun(work, course, sources)]
    return [msgspec.structs.replace(work, parts=_parts(work, course.exercise(work.exercise), sources)) for work in kept]


def _is_begun(work: Work, course: Course, sources: Sources) -> bool:
    exercise = course.exercise(work.exercise)
    if exercise is None:
        return work.answers is not None and has_answers(work.answers)
    if work.problem is not None:  # a name that is only like the wanted one, in a file for something else, is none
        named = names.resembles(work.problem.file or "", exercise.name)
        return work.problem.kind == "not_defined" and named
    return work.file is not None and not _is_broken_stub(exercise, work.file, sources.outlines[work.file.path])


def _is_broken_stub(exercise: Exercise, file: SourceFile, outline: Outline) -> bool:
    main = exercise.defines[0]
    return (
        outline.is_broken and main not in outline.definitions and main in file.defines and not _reads_begun(file, main)
    )


def _parts(work: Work, exercise: Exercise | None, sources: Sources) -> tuple[str, ...]:
    """The parts that the file defines with anything but the stub's body."""
    if exercise is None or work.file is None:
        return ()
    file, outline = work.file, sources.outlines[work.file.path]
    return tuple(one.name for one in exercise.parts if one.role != "off" and _has_part(file, outline, one.name))


def _has_part(file: SourceFile, outline: Outline, name: str) -> bool:
    if definition := outline.definitions.get(name):
        return not definition.functions or any(one.has_code for one in definition.functions)
    if name in outline.assigns or name in outline.imports:
        return True
    return name in outline.defines and _reads_begun(file, name)


def _reads_begun(file: SourceFile, name: str) -> bool:
    """For what is no Python: whether a function in the lines of that class, or that function, has lost its `raise`."""
    headline = re.compile(
        rf"^(?:class|(?:async[ \t]+)?def)[ \t]+{re.escape(name)}\b.*(?:\n(?:[ \t#)].*)?)*", re.MULTILINE
    )
    texts = [found[0] for cell in file.cells for found in headline.finditer(cell.source)]
    return any(len(_RAISE.findall(text)) < max(1, len(_FUNCTION.findall(text))) for text in texts)


def has_answers(data: bytes) -> bool:
    """Whether there is anything in the file with answers that was not handed out."""
    return not all(_AS_HANDED_OUT.fullmatch(line) for line in data.removeprefix(b"\xef\xbb\xbf").split(b"\n"))
