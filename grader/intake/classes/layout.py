"""What a layout is: the way in which a platform names the files that it hands out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol

from grader.model.class_handed_in import Person

_MOST_FOLDERS_ABOVE = 2  # a wrapper folder, and one named for the exercise


class Place(NamedTuple):
    """What the path of a file tells. `file` is the path as the student named it, empty for what is no file of theirs.

    `attempt` differs between the attempts of one `key`; `submitted` is ISO 8601.
    """

    key: str
    people: tuple[Person, ...]
    file: str
    attempt: str = ""
    submitted: str | None = None
    late: bool | None = None
    anonymous: bool = False
    assignment: str = ""
    note: str = ""


class Listing(NamedTuple):
    """All paths worth looking at; those of folders end in `/`. `root` is the name of what they lie in.

    `read` gives the text of a small file of the platform's own, "" if that cannot be read; `committed` when the last
    commit of the clone at a path was made, None where nobody knows.
    """

    root: str
    paths: tuple[str, ...]
    read: Callable[[str], str]
    committed: Callable[[str], str | None] = lambda _: None


class Layout(Protocol):
    """`flat` tells that the platform itself made the last part of every path."""

    name: str
    flat: bool
    notes: tuple[str, ...]

    def place(self, path: str) -> Place | None:
        """Whose file it is; None if the path does not say."""

    def ignores(self, path: str) -> bool:
        """Whether it is the platform's own, and nobody's hand-in."""


def starts(path: str) -> Iterator[tuple[str, str]]:
    """Each part of the path that may name a student, and what follows it: below a wrapper folder or two, or none."""
    parts = path.split("/")
    for at, part in enumerate(parts[: _MOST_FOLDERS_ABOVE + 1]):
        if part:
            yield part, "/".join(parts[at + 1 :])


def joined(file: str, rest: str, path: str) -> str:
    """The path in a hand-in of what was named `file`, or lies in a folder of that name."""
    return f"{file}/{rest}" if rest or path.endswith("/") else file
