"""The students' side of a course, made from the instructors' side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from grader.authoring.notebook import make_notebook
from grader.authoring.private import refuse_private
from grader.authoring.proof import Proof
from grader.authoring.stub import make_stub
from grader.authoring.verify import chosen
from grader.errors import CourseError, UsageError
from grader.model.course import Course
from grader.out import write_files

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
        stub = make_stub(_read(exercise.solution), str(exercise.solution))
        files[f"{exercise.name}.py"] = stub.encode()
        files[f"{exercise.name}.ipynb"] = make_notebook(exercise, stub)
    if course.building_blocks.exists():
        files["previous_chapters.py"] = _read(course.building_blocks).encode()
    told = [one for one in course.exercises if one in exercises or (out / f"{one.name}.py").is_file()]
    blocks = _BLOCKS if "previous_chapters.py" in files else ""
    listed = "\n".join(f"{number}. `{one.name}`: {one.title}" for number, one in enumerate(told, start=1))
    readme = _README.format(name=course.name, exercises=listed, blocks=blocks, folder=out.resolve().name)
    files["README.md"] = readme.encode()
    refuse_private(files, course, exercises)
    return files


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
