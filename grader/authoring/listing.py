"""A name added to the list `exercises` of course.toml, whose comments and layout stay."""

from __future__ import annotations

import re
import tomllib

from grader.errors import CourseError

_LIST = re.compile(r"^[ \t]*exercises[ \t]*=[ \t]*\[", re.MULTILINE)
_PART = re.compile(r"""(?P<name>"(?:\\.|[^"\\\n])*"|'[^'\n]*')|(?P<end>\])|\#[^\n]*|[^"'\#\]]+""")
_REST_OF_LINE = re.compile(r"(?P<comma>[ \t]*,)?[ \t]*(?:\#[^\n]*?)?(?=\r?\n)")


def with_exercise(text: str, name: str, path: str) -> str:
    """The text of course.toml with one more exercise at the end of the list.

    Raises:
        CourseError: the list is written in a way that cannot be added to; the message begins with `path`.
    """
    start = _LIST.search(text)
    changed = _added(text, start.end(), name) if start else text
    wanted = tomllib.loads(text)
    wanted["exercises"] = [*wanted["exercises"], name]
    try:
        if tomllib.loads(changed) == wanted:
            return changed
    except tomllib.TOMLDecodeError:
        pass
    raise CourseError(f'{path}: "{name}" cannot be added to `exercises`: write the list as `exercises = ["a", "b"]`.')


def _added(text: str, start: int, name: str) -> str:
    """`start` is behind the opening bracket."""
    last: re.Match[str] | None = None
    for part in _PART.finditer(text, start):
        if part["end"]:
            break
        last = part if part["name"] else last
    if last is None:
        return f'{text[:start]}"{name}"{text[start:]}'
    end = last.end()
    indent = text[text.rfind("\n", 0, end) + 1 : last.start()]
    rest = _REST_OF_LINE.match(text, end)
    if indent.strip() or rest is None:  # several in a line
        return f'{text[:end]}, "{name}"{text[end:]}'
    comma, line_end = "" if rest["comma"] else ",", "\r\n" if text.startswith("\r\n", rest.end()) else "\n"
    return f'{text[:end]}{comma}{rest[0]}{line_end}{indent}"{name}",{text[rest.end() :]}'
