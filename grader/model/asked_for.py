"""Which exercises and parts a course asks for: the lists `exercises` and `optional` of course.toml.

What stands in `exercises` every student must do; what stands in `optional` counts from the moment it is begun; what
stands in neither is switched off. A name is that of an exercise (`residual_add`), of a part of one
(`residual_add.TinyBlock`), or of the knowledge check.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection
from typing import Any, Literal, NamedTuple

from grader.errors import CourseError

Role = Literal["required", "optional", "off"]
LISTS: dict[str, Role] = {"exercises": "required", "optional": "optional"}


class AskedFor(NamedTuple):
    """The names of both lists, in their order; `path` is the file that they stand in."""

    path: str
    roles: dict[str, Role]

    @property
    def folders(self) -> tuple[str, ...]:
        """The names that are no parts: first what must be done."""
        return tuple(name for name in self.roles if "." not in name)

    def optional(self, name: str) -> bool:
        """Whether it counts only from the moment it is begun."""
        return self.roles[name] == "optional"

    def role(self, exercise: str, part: str) -> Role:
        """How a part stands in the course."""
        return self.roles.get(f"{exercise}.{part}", "off")

    def require_known(self, known: Collection[str]) -> None:
        """Raises CourseError for a name that is none of these, with the nearest, and for a part without its exercise.

        `known` holds the names of folders and of parts.
        """
        for name in self.roles:
            exercise, _, part = name.partition(".")
            is_part = bool(exercise and part)
            if is_part and exercise not in self.roles:
                raise CourseError(
                    f"{self.path} asks for the part {name!r} and not for its exercise: add {exercise!r} to one of the "
                    "lists, or take the part out."
                )
            if name not in known:
                near = difflib.get_close_matches(name, sorted(known), n=1, cutoff=0.4)
                hint = f" Did you mean {near[0]!r}?" if near else ""
                what = (
                    f"part among the `parts` of {exercise}/exercise.toml" if is_part else "folder with an exercise.toml"
                )
                raise CourseError(f"{self.path} asks for {name!r}, and there is no such {what}.{hint}")


def read_lists(table: dict[str, Any], path: str) -> AskedFor:
    """Both lists of the table of course.toml.

    Raises:
        CourseError: one is no list of names, or a name stands there twice.
    """
    roles: dict[str, Role] = {}
    for key, role in LISTS.items():
        names = table.get(key, [])
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise CourseError(f'{path}: `{key}` has to be a list of names, like `{key} = ["a", "b"]`.')
        for name in names:
            if name in roles:
                both = "both in `exercises` and in `optional`" if roles[name] != role else f"twice in `{key}`"
                raise CourseError(f"{path} has {name!r} {both}. Keep one of the two.")
            roles[name] = role
    return AskedFor(path, roles)
