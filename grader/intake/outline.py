"""What a source file defines, as plain data: `parser` makes it, in a process of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from grader.model.submission import Cell

_HEADLINE = re.compile(r"^(?:class|(?:async[ \t]+)?def)[ \t]+([^\W\d]\w*)", re.MULTILINE)
_CLASS_HEADLINE = re.compile(r"^class[ \t]+([^\W\d]\w*)", re.MULTILINE)


class Function(msgspec.Struct, frozen=True):
    """A function, or a method: the line of its own `raise NotImplementedError`, and whether it holds anything else."""

    raises: int | None
    has_code: bool


class Definition(msgspec.Struct, frozen=True):
    """A wanted class (with its methods) or function. `digest` is equal for equal code, and empty if it is not known."""

    functions: tuple[Function, ...]
    digest: str
    cell: int | None = None


class Lookalike(msgspec.Struct, frozen=True):
    """A name that is not the ASCII name it is drawn as; `is_read_so`: Python itself reads it as that one."""

    line: int
    name: str
    ascii: str
    is_read_so: bool


class Outline(msgspec.Struct, frozen=True):
    """What a file, or one cell of it, binds at its top level.

    `defines` are classes and functions, `classes` only the former; where the file is no Python (`is_broken`) they come
    from its `class` and `def` lines. `is_empty`: nothing in it but white space and comments. `definitions` are the
    wanted ones by their name, the last of each, which is the one that counts when the file is run.
    """

    defines: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    assigns: frozenset[str] = frozenset()
    imports: frozenset[str] = frozenset()
    is_broken: bool = False
    is_empty: bool = False
    definitions: dict[str, Definition] = {}
    lookalikes: tuple[Lookalike, ...] = ()


def skimmed(source: str, lookalikes: tuple[Lookalike, ...] = ()) -> Outline:
    """The outline of what is no Python, or too much to look at, by its lines alone."""
    names, classes = tuple(_HEADLINE.findall(source)), tuple(_CLASS_HEADLINE.findall(source))
    return Outline(names, classes, is_broken=True, lookalikes=lookalikes)


def joined(cells: Sequence[Cell], outlines: Sequence[Outline]) -> Outline:
    """The outline of a file from those of its cells."""
    return Outline(
        defines=tuple(dict.fromkeys(name for part in outlines for name in part.defines)),
        classes=tuple(dict.fromkeys(name for part in outlines for name in part.classes)),
        assigns=frozenset(name for part in outlines for name in part.assigns),
        imports=frozenset(name for part in outlines for name in part.imports),
        is_broken=any(part.is_broken for part in outlines),
        is_empty=all(part.is_empty for part in outlines),
        definitions={
            name: msgspec.structs.replace(one, cell=cell.number)
            for cell, part in zip(cells, outlines, strict=True)
            for name, one in part.definitions.items()
        },
        lookalikes=tuple(one for part in outlines for one in part.lookalikes),
    )


def same_code(one: Outline, other: Outline, names: tuple[str, ...]) -> bool:
    """Whether both define these names with the same code; comments and spaces do not count."""
    return all(_digest(one, name) == _digest(other, name) != "" for name in names)


def _digest(outline: Outline, name: str) -> str | None:
    found = outline.definitions.get(name)
    return found.digest if found else None
