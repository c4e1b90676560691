"""Finds the file that answers an exercise: by what it defines first, by its name second."""

from __future__ import annotations

from grader.intake import names, problems
from grader.intake.outline import same_code
from grader.intake.problems import Sources
from grader.intake.stub import Progress, progress
from grader.model.course import Exercise
from grader.model.submission import SourceFile, Work

_MOST_FILES_COMPARED = 50  # comparing spellings takes 50 µs for each name that is made to be alike


def find_work(exercise: Exercise, sources: Sources, *, alone: bool = False) -> Work:
    """The best file for the exercise with remarks on how it was chosen, or the problem that keeps it from running.

    `alone`: one file was handed in for this one exercise; unless it answers another one, it is the one meant.
    """
    found = candidates(exercise, sources)
    if not found:
        return _without_candidate(exercise, sources, alone=alone)
    stages = {file.path: progress(sources.outlines[file.path], exercise) for file in found}
    ordered = sorted(found, key=lambda file: (stages[file.path], *_order(file, exercise)))
    chosen = ordered[0]
    remarks = _broken(exercise, sources, chosen)
    if stages[chosen.path] is Progress.STUB:
        return Work(exercise.name, chosen, problems.stub(exercise, chosen, sources), remarks)
    equals = [file for file in ordered[1:] if stages[file.path] is stages[chosen.path]]
    unfinished = [file for file in ordered[1:] if stages[chosen.path] < stages[file.path] < Progress.STUB]
    remarks += _renamed(exercise, chosen, equals) + _rivals(exercise, sources, chosen, equals)
    remarks += tuple(
        f"{names.quoted(file.path)} was set aside, because `raise NotImplementedError` still stands in it."
        for file in unfinished
        if names.is_named_for(file.path, exercise.name)
    )
    return Work(exercise.name, chosen, None, remarks)


def candidates(exercise: Exercise, sources: Sources) -> list[SourceFile]:
    """The files that define the main name; of those named for the exercise also one that only imports it."""
    wanted = exercise.defines[0]
    found = [file for file in sources.files if wanted in file.defines or wanted in sources.outlines[file.path].assigns]
    named = [file for file in sources.files if names.is_named_for(file.path, exercise.name)]
    if not any(file in found for file in named):
        found += [file for file in named if wanted in sources.outlines[file.path].imports]
    return found


def _order(file: SourceFile, exercise: Exercise) -> tuple[bool, bool, int, bool, str]:
    """The expected name, then one like it, then the shallowest, a `.py`, the first in the alphabet."""
    return (
        not names.is_named_for(file.path, exercise.name),
        not names.resembles(file.path, exercise.name),
        names.depth(file.path),
        file.kind != "py",
        file.path,
    )


def _without_candidate(exercise: Exercise, sources: Sources, *, alone: bool) -> Work:
    named = [file for file in sources.files if alone and not sources.wanted & set(file.defines)]
    named += [file for file in sources.files if names.is_named_for(file.path, exercise.name)]
    named += [file for file in sources.files if names.resembles(file.path, exercise.name) and file not in named]
    for file in named:
        if not sources.outlines[file.path].is_empty:
            return _without_name(exercise, file, sources)
    for path, problem in sources.unreadable.items():
        if names.resembles(path, exercise.name):
            return Work(exercise.name, None, problem)
    if named:
        return Work(exercise.name, named[0], problems.empty(exercise, named[0]))
    for one in sources.skipped:
        if names.is_named_for(one.path, exercise.name):
            return Work(exercise.name, None, problems.passed_by(exercise, one))
    for file in sources.files[:_MOST_FILES_COMPARED]:
        if problems.similar_name(exercise, sources.outlines[file.path], sources.wanted):
            return _without_name(exercise, file, sources)
    return Work(exercise.name, None, problems.missing(exercise, sources))


def _without_name(exercise: Exercise, file: SourceFile, sources: Sources) -> Work:
    """A file that is no Python is run all the same: the error that Python reports says more than we can."""
    outline = sources.outlines[file.path]
    if outline.is_broken and not problems.similar_name(exercise, outline, sources.wanted):
        return Work(exercise.name, file)
    return Work(exercise.name, file, problems.not_defined(exercise, file, sources))


def _renamed(exercise: Exercise, chosen: SourceFile, equals: list[SourceFile]) -> tuple[str, ...]:
    if names.is_named_for(chosen.path, exercise.name):
        return ()
    wanted = names.quoted(exercise.defines[0])
    remarks = [f"{names.quoted(chosen.path)} was taken for {exercise.name} because it defines {wanted}."]
    if equals:
        verb = "defines" if len(equals) == 1 else "define"
        others = names.listed([file.path for file in equals])
        remarks.append(f"{others} {verb} {wanted} too and did not count.")
    return tuple(remarks)


def _rivals(exercise: Exercise, sources: Sources, chosen: SourceFile, equals: list[SourceFile]) -> tuple[str, ...]:
    """Files of the expected name with other code in them."""
    if not names.is_named_for(chosen.path, exercise.name):
        return ()
    mine = sources.outlines[chosen.path]
    rivals = [
        file.path
        for file in equals
        if names.is_named_for(file.path, exercise.name)
        and not same_code(mine, sources.outlines[file.path], exercise.defines)
    ]
    if not rivals:
        return ()
    return (f"{names.quoted(chosen.path)} counts; {names.listed(rivals)} holds other code for the same exercise.",)


def _broken(exercise: Exercise, sources: Sources, chosen: SourceFile) -> tuple[str, ...]:
    """What could not be read under the expected name: perhaps the file that was meant."""
    return tuple(
        f"{problem.happened} So {names.quoted(chosen.path)} counts."
        for path, problem in sources.unreadable.items()
        if names.is_named_for(path, exercise.name)
    )
