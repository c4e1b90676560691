"""The students' side of a course, made from the instructors' side."""

from __future__ import annotations

import os
from pathlib import Path

from grader.authoring.notebook import make_notebook
from grader.authoring.stub import make_stub
from grader.errors import CourseError, UsageError
from grader.model.course import Course

_README = """\
# {name}

{exercises}

Fill in the `.py` files or the notebooks, one of each pair. Import building blocks from `previous_chapters.py`.

To grade your work, go to the folder that contains this one and run:

```
grade submit exercises/
```

It names the formula that your code computes, the one asked for, and a next step. Run it as often as you like.
"""


def publish(course: Course, out: Path) -> list[Path]:
    """Write the stub and the notebook of each exercise, the building blocks and a README to `out`.

    All texts are made before the first is written. Each file is replaced in one step; a second run writes the same
    bytes. Files of earlier runs that no longer belong to the course are left alone.

    Raises:
        CourseError: a solution cannot be read or its markers are wrong.
        UsageError: `out` cannot be written.
    """
    texts: dict[str, bytes] = {}
    for exercise in course.exercises:
        stub = make_stub(_read(exercise.solution), str(exercise.solution))
        texts[f"{exercise.name}.py"] = stub.encode()
        texts[f"{exercise.name}.ipynb"] = make_notebook(exercise, stub)
    texts["previous_chapters.py"] = _read(course.building_blocks).encode()
    texts["README.md"] = _readme(course).encode()
    try:
        out.mkdir(parents=True, exist_ok=True)
        return [_write(out / name, data) for name, data in texts.items()]
    except OSError as error:
        raise UsageError(f"{out} cannot be written ({error.strerror}): name a folder that you may write to.") from None


def _readme(course: Course) -> str:
    exercises = "\n".join(
        f"{number}. `{exercise.name}`: {exercise.title}" for number, exercise in enumerate(course.exercises, start=1)
    )
    return _README.format(name=course.name, exercises=exercises)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise CourseError(f"{path} cannot be read ({error.strerror}): publishing needs this file.") from None
    except UnicodeDecodeError as error:
        raise CourseError(f"{path} is not UTF-8 ({error.reason} at byte {error.start}).") from None


def _write(path: Path, data: bytes) -> Path:
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        temporary.write_bytes(data)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    return path
