"""A shape as a student writes it: `(2, 4, 768)`, `[2,4,768]`, `2 x 4 x 768`, `torch.Size([2, 4, 768])` are equal."""

from __future__ import annotations

import re
import unicodedata

MOST_CHARACTERS = 200
_WRAPPER = re.compile(
    r"(?:(?:y|out|output|shape|result)(?:\.shape)?\s*(?:=+|:|is)\s*)?(?:torch\.)?(?:size|shape|tuple)?"
)
_LABEL = re.compile(r"(^|[,;])\s*[a-z_]+(?:\s*[=:]\s*|\s+)(?=\d)")  # batch=2, tokens 4
_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_SIZES = re.compile(r"\d{1,9}(?:\s*(?:[,;x×*·⋅]|by)\s*\d{1,9}|\s+\d{1,9})*\s*,?")


class NoShape(ValueError):
    """Says in a sentence why a text cannot be read as a shape."""


def read_shape(text: str) -> tuple[int, ...]:
    """The sizes, first to last.

    Raises:
        NoShape: it is none.
    """
    if len(text) > MOST_CHARACTERS:
        raise NoShape(f"It has more than {MOST_CHARACTERS} characters.")
    text = unicodedata.normalize("NFKC", text).casefold().strip(" \t\n.;`\"'")
    inner = text[_WRAPPER.match(text).end() :].strip()  # type: ignore[union-attr] # it matches nothing at all, too
    while inner and inner[0] in _BRACKETS and inner.endswith(_BRACKETS[inner[0]]):
        inner = inner[1:-1].strip()
    inner = _LABEL.sub(r"\1", inner)
    if not inner and text:
        return _nothing_in(text)
    if not _SIZES.fullmatch(inner):
        raise NoShape("It is not written as a shape: whole numbers with commas between them, in brackets.")
    return tuple(int(size) for size in re.findall(r"\d+", inner))


def _nothing_in(text: str) -> tuple[int, ...]:
    if text.endswith(("()", "[]", "([])")):
        return ()
    raise NoShape("There are no numbers in it.")
