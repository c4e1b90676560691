"""The notebook of an exercise: the task as text, the stub, and a cell to try it out."""

from __future__ import annotations

import ast
import doctest
import inspect
import re
from typing import Any

from grader.errors import CourseError
from grader.model.course import Exercise

_SECTION = re.compile(r"([A-Z][\w ]*):\n(?=(?: {4}|\n))")
_EXAMPLE = "Example:\n"
_NO_EXAMPLE = "# Try your code here.\n"


def make_notebook(exercise: Exercise, stub: str) -> bytes:
    """Three cells in nbformat 4.5; the same arguments give the same bytes.

    The text is the docstring of the main class, the last cell its `Example:` section without the expected output.

    Raises:
        CourseError: the stub does not define the exercise's main class, or that class has no docstring.
    """
    import nbformat.v4

    v4: Any = nbformat.v4  # its functions carry no types
    task = _docstring(exercise, stub)
    text, _, example = task.partition(_EXAMPLE)
    ids = [_cell_id(exercise.name, position) for position in range(1, 4)]
    notebook = v4.new_notebook(
        cells=[
            v4.new_markdown_cell(f"# {exercise.title}\n\n{_as_markdown(text)}", id=ids[0]),
            v4.new_code_cell(stub.strip("\n"), id=ids[1]),
            v4.new_code_cell(_as_code(example), id=ids[2]),
        ],
        metadata={
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
    )
    notebook["nbformat_minor"] = 5
    nbformat.validate(notebook)
    return str(v4.writes(notebook)).rstrip("\n").encode() + b"\n"


def _docstring(exercise: Exercise, stub: str) -> str:
    main = exercise.defines[0]
    for node in ast.parse(stub).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == main:
            if docstring := ast.get_docstring(node):
                return docstring
            raise CourseError(f"{exercise.solution}:{node.lineno}: {main} has no docstring: it is the task's text.")
    raise CourseError(f"{exercise.solution}:1: {main} is not defined; exercise.toml names it in `defines`.")


def _cell_id(name: str, position: int) -> str:
    """Ids may hold 64 letters, digits, '-' and '_'."""
    return f"{re.sub(r'[^A-Za-z0-9_-]', '-', name)[:56]}-{position}"


def _as_markdown(text: str) -> str:
    """Headings for sections such as `Shape:`; their indented bodies would be shown as code otherwise."""
    parts = _SECTION.split(text)
    markdown = parts[0].strip("\n")
    for heading, body in zip(parts[1::2], parts[2::2], strict=True):
        markdown += f"\n\n## {heading}\n\n{inspect.cleandoc(body)}"
    return markdown


def _as_code(example: str) -> str:
    statements = [part.source for part in doctest.DocTestParser().get_examples(inspect.cleandoc(example))]
    return ("".join(statements) or _NO_EXAMPLE).rstrip("\n")
