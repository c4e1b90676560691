"""The first line of a mistake, which says what the grader has to find in it.

    # tag: missing-skip
    # tag: missing-skip | formula: F(Norm(x))
    # tag: missing-skip | formula: F(Norm(x)) | checks: adds_the_input_back, lets_the_gradient_through

`tag` is that of the first diagnosis, `formula` the one it names, `checks` all that are failed, and no other.
"""

from __future__ import annotations

import re

import msgspec

from grader.authoring.texts import lessons
from grader.errors import CourseError

_PART = re.compile(r"(tag|formula|checks): (\S.*)")


class Header(msgspec.Struct, frozen=True):
    """What a mistake declares; None where it leaves that open."""

    tag: str
    formula: str | None = None
    checks: tuple[str, ...] | None = None


def read_header(source: str, file: str) -> Header:
    """The header of a mistake with this source.

    Raises:
        CourseError: there is none, or it names no known tag; the message begins with `file` and the line.
    """
    first = source.partition("\n")[0].rstrip()
    parts = [_PART.fullmatch(part) for part in first.removeprefix("# ").split(" | ")]
    said = {part[1]: part[2].strip() for part in parts if part}
    if not first.startswith("# tag: ") or len(said) < len(parts):
        wanted = "`# tag: TAG`, then perhaps ` | formula: FORMULA` and ` | checks: NAME, NAME`"
        raise CourseError(f"{file}:1: the first line has to be {wanted}; it is {first[:80]!r}")
    if said["tag"] not in lessons():
        raise CourseError(f"{file}:1: {said['tag']!r} is no tag of grader/checks/vocabulary.toml")
    checks = tuple(name.strip() for name in said["checks"].split(",")) if "checks" in said else None
    return Header(said["tag"], said.get("formula"), checks)
