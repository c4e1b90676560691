"""The students' side of a course, made from the instructors' side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from grader.authoring.notebook import make_notebook
from grader.authoring.private import refuse_private
from grader.authoring.proof import Proof
from grader.authoring.quiz_proof import quiz_among
from grader.authoring.stub import make_stub, without
from grader.authoring.verify import chosen
from grader.errors import CourseError, UsageError
from grader.model.course import Course, Exercise
from grader.out import write_files
from grader.quiz import handout, quiz_of

MOST_FAULTS = 3
_README = """\
# {name}

{exercises}

Fill in the `.py` files or the notebooks, one of each pair.{blocks}

To grade your work, go to the folder that contains this one and run:

```
grade submit {folder}/
```

It names the formula that your code computes, the one asked for, and a next step. Run it as often as you like.
"""
_OPTIONAL = "\n\nWhat is optional counts from the moment you begin it, and not before."
_BLOCKS = " Import building blocks from `previous_chapters.py`."


def publish(
    course: Course, out: Path, names: Sequence[str] = (), prove: Callable[[], None] = lambda: None
) -> list[Path]:
    """Write the stub and the notebook of these exercises (none named: of all), the building blocks and a README.

    All texts are made before `prove` is called, which may refuse, and before the first is written. Each file is
    replaced in one step; a second run writes the same bytes. Other files in `out` are left alone.

    Raises:
        CourseError: a solution cannot be read, its markers are wrong, or something private would be given away.
        UsageError: there is no such exercise, or `out` cannot be written or lies on the instructors' side.
    """
    _require_apart(Path(course.root), out.resolve())
    files = students_side(course, out, names)
    prove()
    write_files(out, files)
    return [out / name for name in files]


def students_side(course: Course, out: Path, names: Sequence[str] = ()) -> dict[str, bytes]:
    """What `publish` writes. The README tells of these exercises and of those that lie in `out` already."""
    exercises = chosen(course, names)
    files: dict[str, bytes] = {}
    for exercise in exercises:
        stub = without(make_stub(_read(exercise.solution), str(exercise.solution)), _off(exercise))
        files[f"{exercise.name}.py"] = stub.encode()
        files[f"{exercise.name}.ipynb"] = make_notebook(exercise, stub)
    if course.building_blocks.exists():
        files["previous_chapters.py"] = _read(course.building_blocks).encode()
    if check := quiz_among(course, names):
        files[f"{check.name}.toml"] = handout(quiz_of(course, check)).encode()
    told = list(_told(course, {name.partition(".")[0] for name in files} | _lies_in(out)))
    blocks = _BLOCKS if "previous_chapters.py" in files else ""
    optional = _OPTIONAL if any("optional" in line for line in told) else ""
    listed = "\n".join(f"{number}. {line}" for number, line in enumerate(told, start=1)) + optional
    readme = _README.format(name=course.name, exercises=listed, blocks=blocks, folder=out.resolve().name)
    files["README.md"] = readme.encode()
    refuse_private(files, course, exercises)
    return files


def _off(exercise: Exercise) -> list[str]:
    return [part.name for part in exercise.parts if part.role == "off"]


def _lies_in(out: Path) -> set[str]:
    return {path.stem for path in out.glob("*") if path.suffix in (".py", ".toml")}


def _told(course: Course, there: set[str]) -> Iterator[str]:
    """A line of the README for each exercise that is there, and for the knowledge check."""
    for one in course.exercises:
        if one.name in there:
            parts = [f"`{part.name}`" for part in one.parts if part.role == "optional"]
            beside = f"; {' and '.join(parts)} in it {'is' if len(parts) == 1 else 'are'} optional" if parts else ""
            yield f"`{one.name}`: {one.title}{' (optional)' if one.optional else ''}{beside}"
    if course.quiz is not None and course.quiz.name in there:
        title = quiz_of(course, course.quiz).title
        answers = f"your answers go into `{course.quiz.name}.toml`"
        yield f"`{course.quiz.name}`: {title}{' (optional)' if course.quiz.optional else ''}; {answers}"


def require_proven(proof: Proof) -> None:
    """Raises CourseError with the first faults if a proof has any."""
    if proof.proven:
        return
    told = [
        f"{fault.file}{f':{fault.line}' if fault.line else ''}: wanted {fault.wanted}; got {fault.got}"
        for fault in proof.faults[:MOST_FAULTS]
    ]
    more = "" if len(proof.faults) <= MOST_FAULTS else f"\n(and {len(proof.faults) - MOST_FAULTS} more)"
    raise CourseError(
        "Nothing was published, since the checks are not proven. `grade verify` shows all of it, `--unproven` "
        "publishes all the same.\n" + "\n".join(told) + more
    )


def _require_apart(private: Path, out: Path) -> None:
    """One folder inside the other would hand the instructors' side to students, or overwrite it."""
    if out.is_relative_to(private) or private.is_relative_to(out):
        raise UsageError(
            f"{out} and the instructors' side {private} lie in each other. Choose another folder with --out."
        )


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise CourseError(f"{path} cannot be read ({error.strerror}): publishing needs this file.") from None
    except UnicodeDecodeError as error:
        raise CourseError(f"{path} is not UTF-8 ({error.reason} at byte {error.start}).") from None
