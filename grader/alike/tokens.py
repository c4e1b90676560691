"""Source as a string of token kinds, one character each: names, literals, comments and layout do not show in it.

Two texts that differ in what things are called, in their numbers and strings, in comments, docstrings, line breaks and
trailing commas give the same kinds. A lexer of our own instead of `tokenize`, for three reasons: it reads what is no
Python just as far as what is; the kinds do not depend on the Python that grades (f-strings are several tokens since
3.12); and its time grows with the text only, whatever the text is. Nothing is parsed, imported or run.
"""

from __future__ import annotations

import keyword
import re
from array import array
from collections.abc import Iterator
from typing import NamedTuple

NAME, NUMBER, STRING = "n", "0", "s"
_CONSTANTS = ("True", "False", "None")
_LONG_SIGNS = (
    *("...", "**=", "//=", ">>=", "<<=", "->", ":=", "==", "!=", "<=", ">="),
    *("+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "@=", "**", "//", ">>", "<<"),
)
_KEYWORDS = {word: chr(0x100 + at) for at, word in enumerate(sorted({*keyword.kwlist} - {*_CONSTANTS}))}
_KINDS = _KEYWORDS | {sign: chr(0x200 + at) for at, sign in enumerate(_LONG_SIGNS)} | dict.fromkeys(_CONSTANTS, NUMBER)
_OPENING, _CLOSING = "([{", ")]}"
# What stands before a docstring, or before any other string that is a statement of its own.
_ENDS_A_STATEMENT = frozenset((NAME, NUMBER, STRING, ":", *_CLOSING, *map(_KINDS.__getitem__, ("pass", "return"))))

# Each alternative takes what it began, also without its end, and never gives back what it took: no text costs more
# than its length.
_TOKEN = re.compile(
    r"""
      (?P<string> (?:[rR][bBfF]?|[bBfF][rR]?|[uU])? (?:
          \"{3} (?: [^\\"] | \\. | "(?!"") )*+ (?:\"{3})?
        | '{3}  (?: [^\\'] | \\. | '(?!'') )*+ (?:'{3})?
        | "     (?: [^\\"\n] | \\. )*+ "?
        | '     (?: [^\\'\n] | \\. )*+ '?
      ))
    | (?P<number> \.?\d (?: [\w.] | (?<=[eE])[+-] )*+ )
    | (?P<name> [^\W\d]\w*+ )
    | (?P<sign> """
    + "|".join(map(re.escape, _LONG_SIGNS))
    + r""" | [-+*/%@&|^~<>=.,:()\[\]{}] )
    | (?P<line> \n )
    | \#[^\n]*+
    """,
    re.VERBOSE | re.DOTALL,
)


class Kinds(NamedTuple):
    """`text` has a character for each token, `lines` the line of the source (from 1) on which each token begins."""

    text: str
    lines: array[int]


class _Token(NamedTuple):
    kind: str
    first: int
    last: int


def kinds(source: str, most: int) -> Kinds:
    """The kinds of the first tokens of the source, at most `most` of them."""
    text: list[str] = []
    lines = array("L")
    for token in _without_bare_strings(_tokens(source)):
        if token.kind in _CLOSING and text and text[-1] == ",":
            text.pop()
            lines.pop()
        if len(text) == most:
            break
        if not (token.kind == STRING and text and text[-1] == STRING):  # "one" "two" is one string
            text.append(token.kind)
            lines.append(token.first)
    return Kinds("".join(text), lines)


def _tokens(source: str) -> Iterator[_Token]:
    line = 1
    for match in _TOKEN.finditer(source):
        group, first = match.lastgroup, line
        if group == "line":
            line += 1
        elif group == "string":
            line += match[0].count("\n")
            yield _Token(STRING, first, line)
        elif group == "number":
            yield _Token(NUMBER, first, line)
        elif group is not None:
            yield _Token(_KINDS.get(match[0], NAME if group == "name" else match[0]), first, line)


def _without_bare_strings(tokens: Iterator[_Token]) -> Iterator[_Token]:
    """Docstrings say nothing to Python: a string alone on its lines, behind what may end a statement, is a comment."""
    before: _Token | None = None
    waiting: _Token | None = None
    for token in tokens:
        if waiting is not None:
            if token.first == waiting.last:
                yield waiting
                before = waiting
            waiting = None
        alone = before is None or (before.last < token.first and before.kind in _ENDS_A_STATEMENT)
        if token.kind == STRING and alone:
            waiting = token
        else:
            yield token
            before = token
