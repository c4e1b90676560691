"""Nothing private goes to the students: looked for in what is about to be published, whatever it was made from."""

from __future__ import annotations

import json
from collections.abc import Iterable

from grader.authoring.stub import marked_blocks
from grader.errors import CourseError
from grader.model.course import Course, Exercise

LEAST_CHARACTERS = 16  # shorter ones, such as `return x`, are no secret and found everywhere


def refuse_private(files: dict[str, bytes], course: Course, exercises: Iterable[Exercise]) -> None:
    """Raises CourseError if a file holds the course's seed, or all lines of a marked block of one of the exercises."""
    blocks: dict[str, str] = {}
    for exercise in exercises:
        source = exercise.solution.read_text(encoding="utf-8")
        for number, block in enumerate(marked_blocks(source, str(exercise.solution)), start=1):
            blocks[f"block {number} of the solution of {exercise.name}"] = _lines(block)
    for name, data in files.items():
        text = _text(name, data)
        if len(course.seed) >= LEAST_CHARACTERS and course.seed in text:
            raise CourseError(_refusal(name, "the seed of course.toml"))
        for what, block in blocks.items():
            if len(block) >= LEAST_CHARACTERS and f"\n{block}\n" in f"\n{_lines(text)}\n":
                raise CourseError(_refusal(name, what))


def _refusal(name: str, what: str) -> str:
    return f"{name} would give away {what}, so nothing was published. Take it out of what that file is made from."


def _text(name: str, data: bytes) -> str:
    """What a reader sees: JSON writes some characters of a notebook otherwise."""
    text = data.decode()
    if name.endswith(".ipynb"):
        return "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"])
    return text


def _lines(text: str) -> str:
    """Without indentation, empty lines and spaces at the ends."""
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())
