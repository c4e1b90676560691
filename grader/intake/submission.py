"""A path that somebody handed in becomes a Submission. Nothing of it is run, imported, unpickled or written to disk."""

from __future__ import annotations

import difflib
from pathlib import Path

from grader.errors import IntakeError, UsageError
from grader.intake import names, problems
from grader.intake.answers import find_answers
from grader.intake.archive import read_archive
from grader.intake.begun import counted
from grader.intake.candidates import find_work
from grader.intake.contents import Contents, shortened
from grader.intake.folder import read_file, read_folder
from grader.intake.outline import Outline
from grader.intake.parsing import Parser, Parsers
from grader.intake.problems import Sources
from grader.intake.source import read_source
from grader.model.course import Course, Exercise, KnowledgeCheck
from grader.model.submission import Problem, Skipped, SourceFile, Submission, Work

_MOST_SOURCE_CHARACTERS = 4 << 20  # a worker is sent all of it
_KINDS = "a .py file, a notebook (.ipynb), a folder or a .zip"


def accept(
    path: Path, course: Course, *, student: str = "", only: tuple[str, ...] = (), parsers: Parsers | None = None
) -> Submission:
    """Read `path` and find the work for each exercise (of `only`, if given), in the order of the course, the quiz last.

    A single file without `only` yields works for the exercises that it answers; a folder or zip for all of them but
    those that are optional and not begun.
    With `parsers`, which are kept, many submissions are read in less time.

    Raises:
        UsageError: there is no such path, or no such exercise.
        IntakeError: there is nothing to read, it is damaged, or it is too much.
    """
    exercises, quiz = _selected(course, only)
    contents = contents_of(path)
    single = _is_single(path)
    solutions = _solutions(contents, course)
    if solutions:
        contents = contents.only(set(solutions.values()))
        if quiz and path.is_dir() and path.resolve() == Path(course.root):  # nobody else is given the key
            contents.files[f"{quiz.name}/{quiz.name}.toml"] = _key(quiz)
    sources = _read(contents, course, parsers, path.name or str(path))
    if solutions:
        works = [_solution(exercise, solutions.get(exercise.name, ""), sources) for exercise in exercises]
    else:
        works = [find_work(exercise, sources, alone=single and len(exercises) == 1) for exercise in exercises]
    if single and not only:
        works = [] if names.is_answers(path.name) else _answered(works, course, sources)
    if quiz and (only or not single or names.is_answers(path.name)):
        works.append(find_answers(contents))
    counting = counted(works, course, sources, only) or (works if single else [])
    return _submission(student, contents, counting, sources)


def accept_contents(
    contents: Contents, course: Course, *, student: str = "", only: tuple[str, ...] = (), parsers: Parsers | None = None
) -> Submission:
    """The same for files that were read already, as from the download of a class: a work for each exercise.

    Where they are one file, and one exercise is asked for, that file is the one meant, as in `accept`.

    Raises:
        UsageError: there is no such exercise.
        IntakeError: there is nothing to read, or it is too much.
    """
    exercises, quiz = _selected(course, only)
    sources = _read(contents, course, parsers, student or "what was handed in")
    alone = len(contents.files) == 1 and len(exercises) == 1
    works = [find_work(one, sources, alone=alone) for one in exercises] + ([find_answers(contents)] if quiz else [])
    return _submission(student, contents, counted(works, course, sources, only), sources)


def _read(contents: Contents, course: Course, parsers: Parsers | None, shown: str) -> Sources:
    sources = _sources(contents, course, parsers)
    if not (sources.files or sources.unreadable or (course.quiz and any(map(names.is_answers, contents.files)))):
        raise IntakeError(_nothing_in(shown, sources.skipped))
    return sources


def _submission(student: str, contents: Contents, works: list[Work], sources: Sources) -> Submission:
    if not works:
        raise IntakeError("Nothing in it has been begun, and nothing has to be done. Begin one of the exercises first.")
    return Submission(
        student=names.whole(student),
        digest=contents.digest(),
        works=tuple(works),
        files=sources.files,
        skipped=shortened(sources.skipped),
    )


def _selected(course: Course, only: tuple[str, ...]) -> tuple[tuple[Exercise, ...], KnowledgeCheck | None]:
    known = list(course.names)
    for name in only:
        if name not in known:
            nearest = difflib.get_close_matches(name, known, n=1, cutoff=0.0)
            hint = f"; did you mean {names.quoted(nearest[0])}?" if nearest else "."
            every = f" The course has {names.listed(known, most=20)}." if known else " The course has no exercises."
            raise UsageError(f"There is no exercise {names.quoted(name)}{hint}{every}")
    quiz = course.quiz if course.quiz is not None and (not only or course.quiz.name in only) else None
    return tuple(exercise for exercise in course.exercises if not only or exercise.name in only), quiz


def contents_of(path: Path) -> Contents:
    """What is read of a file, a folder or a zip.

    Raises:
        UsageError: there is no such path.
        IntakeError: it is damaged, or too much.
    """
    shown = names.quoted(str(path), width=200)
    try:
        if path.is_dir():
            return read_folder(path)
        if path.is_file():
            return _file_contents(path)
        exists = path.exists()
    except (OSError, ValueError):
        exists = False
    if exists:
        raise UsageError(f"{shown} is neither a file nor a folder. Give {_KINDS}.")
    raise UsageError(f"{shown} does not exist. Check the spelling, or give the full path of {_KINDS}.")


def _file_contents(path: Path) -> Contents:
    ending = names.suffix(path.name)
    if ending == ".zip":
        return read_archive(path)
    if ending in (".py", ".ipynb") or names.is_answers(path.name):
        return read_file(path)
    if ending in names.ARCHIVES:
        raise IntakeError(f"{names.quoted(path.name)} is an archive of a kind that is not read. Pack it as .zip.")
    raise IntakeError(f"{names.quoted(path.name)} cannot be graded. Give {_KINDS}.")


def _is_single(path: Path) -> bool:
    return (names.suffix(path.name) in (".py", ".ipynb") or names.is_answers(path.name)) and path.is_file()


def _solutions(contents: Contents, course: Course) -> dict[str, str]:
    """Exercise to path, if this is the folder of a course itself; the work then is what the instructors wrote."""
    if not any(one.path == "course.toml" for one in contents.skipped):
        return {}
    paths = {exercise.name: f"{exercise.name}/solution.py" for exercise in course.exercises}
    return {name: path for name, path in paths.items() if path in contents.files}


def _key(quiz: KnowledgeCheck) -> bytes:
    from grader.quiz import answer_key, load_quiz  # takes 10 ms, and no student's submission needs it

    return answer_key(load_quiz(Path(quiz.folder))).encode()


def _sources(contents: Contents, course: Course, parsers: Parsers | None) -> Sources:
    wanted = frozenset(name for exercise in course.exercises for name in exercise.names)
    files: list[SourceFile] = []
    outlines: dict[str, Outline] = {}
    unreadable: dict[str, Problem] = {}
    characters = 0
    with Parser(wanted, parsers) as parser:
        for path, data in sorted(contents.files.items()):
            if names.suffix(path) == ".toml":
                continue
            source = read_source(path, data, parser)
            if isinstance(source, Problem):
                unreadable[path] = source
                contents.skip(path, source.happened)
                continue
            files.append(source[0])
            outlines[path] = source[1]
            characters += sum(len(cell.source) for cell in source[0].cells)
            if characters > _MOST_SOURCE_CHARACTERS:
                raise IntakeError(
                    f"There are more than {_MOST_SOURCE_CHARACTERS >> 20} million characters of code in it. "
                    "Hand in only the folder with your exercises."
                )
    return Sources(tuple(files), outlines, unreadable, tuple(contents.skipped), wanted)


def _nothing_in(shown: str, skipped: tuple[Skipped, ...]) -> str:
    what = f"There is nothing to grade in {names.quoted(shown)}"
    if not skipped:
        return f"{what}: it is empty. Give {_KINDS} with your exercises."
    seen = "; ".join(f"{names.quoted(one.path)} ({one.reason})" for one in skipped[:3])
    more = f" and {len(skipped) - 3:,} more" if len(skipped) > 3 else ""
    return f"{what}: no .py or .ipynb file could be read. It holds {seen}{more}."


def _solution(exercise: Exercise, path: str, sources: Sources) -> Work:
    file = next((one for one in sources.files if one.path == path), None)
    problem = sources.unreadable.get(path) or (None if file else problems.missing(exercise, sources))
    return Work(exercise.name, file, problem)


def _answered(works: list[Work], course: Course, sources: Sources) -> list[Work]:
    """The exercises that a single file answers; if none, those that it comes close to."""
    for answers in (
        [work for work in works if work.file and (work.problem is None or work.problem.kind == "stub")],
        [work for work in works if work.problem is None or work.problem.kind != "missing"],
    ):
        if answers:
            return answers
    for problem in sources.unreadable.values():
        raise IntakeError(f"{problem.happened} {problem.next_step}")
    wanted = names.listed([exercise.defines[0] for exercise in course.exercises], most=20)
    raise IntakeError(
        f"{names.quoted(sources.files[0].path)} answers no exercise. Looked for {wanted} in it. "
        "Check the spelling in your file, or hand in another one."
    )
