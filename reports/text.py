"""Untrusted text made safe to show: what is invisible or steers a terminal becomes a mark that can be seen.

Safe here means: no character that moves the cursor, reverses the reading direction, hides, or joins unseen. Escaping
for HTML is the template's work (autoescape); never interpreting rich markup is the console's. What a CI system or a
spreadsheet would act upon depends on where the text goes: `log` and `log_row`, `json_text`, `csv_cell`.
"""

from __future__ import annotations

import math
import re
import unicodedata
from itertools import groupby

from reports.words import count, say

LINE_CHARACTERS = 200
BLOCK_CHARACTERS = 1500
BLOCK_LINES = 40

_MOST_COMBINING_MARKS = 3
_LONGEST_RUN = 3
# Not in a category of their own, yet drawn as nothing: the default ignorable letters and marks, and the Braille blank.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
_UNSEEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
_MARKS = frozenset({"Mn", "Me"})  # drawn over the letter before them; the combining class of many is 0

# `##[error]`, `##vso[…]`, `##teamcity[…]`: read as a command wherever in a line it stands. `::error::` only acts at the
# start of a line, after spaces too.
_COMMAND = re.compile(r"##(?=\w*\[)")
_COMMAND_IN_JSON = re.compile(rb"##(?=\w*\[)")
_ROW_COMMAND = "::"
_ROW_GUARD = "| "

_NUMBER = re.compile(r"[+-]?\d{1,15}([.,]\d{1,15})?([eE][+-]?\d{1,3})?%?", re.ASCII)
_FORMULA = r"[=+\-@|%\t\r\n＝＋－＠｜％]"
_STARTS_FORMULA = re.compile(rf"""[\s"']*{_FORMULA}""")
_STARTS_FORMULA_IN_A_PART = re.compile(rf"""(;[\s"']*)(?={_FORMULA})""")


def line(text: object, limit: int = LINE_CHARACTERS) -> str:
    """`text` as one safe line of at most `limit` characters of the original; line feeds become `␊`."""
    return _cut(str(text), limit, lines=None).replace("\n", "␊").replace("\t", "␉")


def block(text: object, limit: int = BLOCK_CHARACTERS, lines: int = BLOCK_LINES) -> str:
    """`text` as safe lines, cut to both bounds; what was cut is counted."""
    return _cut(str(text).replace("\r\n", "\n"), limit, lines)


def ends(head: str, tail: str, limit: int) -> tuple[str, str, int]:
    """The start of `head` and the end of `tail`, made safe, and how many of their characters are shown."""
    first, last = head[: _end(head, limit, BLOCK_LINES)], tail[::-1]
    last = last[: _end(last, limit, BLOCK_LINES)][::-1]
    return _marked(first.replace("\r\n", "\n")), _marked(last.replace("\r\n", "\n")), len(first) + len(last)


def log(text: object, lead: str, limit: int = BLOCK_CHARACTERS, lines: int = BLOCK_LINES) -> str:
    """`lead` and `text` as safe lines for a terminal or a CI log, in which no line is a command."""
    return "\n".join(log_row(row) for row in (lead + block(text, limit, lines)).split("\n"))


def log_row(row: str) -> str:
    """One safe line, as the CI system that reads it takes it for text: no workflow or logging command is in it."""
    row = without_commands(row)
    return _ROW_GUARD + row if row.lstrip().startswith(_ROW_COMMAND) else row


def without_commands(text: str) -> str:
    """The text with those commands broken that act wherever in a line they stand."""
    return _COMMAND.sub("## ", text)


def json_text(data: bytes) -> bytes:
    """The same JSON, in which what is unseen, or a command to a CI system, is spelled by its number."""
    text = _COMMAND_IN_JSON.sub(rb"#\\u0023", data).decode("utf-8")
    unseen = (char for char in set(text) if char > "~" and _unseen(char))
    return text.translate({ord(char): _spelled(char) for char in unseen}).encode("utf-8")


def csv_cell(value: object) -> str:
    """One cell for a CSV file (quoting is the csv module's work): a number as it is, no text that starts a formula.

    Text in front of which a spreadsheet would calculate gets an apostrophe, also behind a semicolon, at which some
    split the line whatever the file says.
    """
    if value is None:
        return ""
    if isinstance(value, float) and not math.isfinite(value):
        return say("text.not_a_number")
    text = str(value)
    if isinstance(value, int | float) or _NUMBER.fullmatch(text):
        return text
    guard = "'" if _STARTS_FORMULA.match(text) else ""
    return guard + _STARTS_FORMULA_IN_A_PART.sub(r"\1'", line(text, BLOCK_CHARACTERS))


def number(value: object) -> str:
    """A figure with three significant digits; other values as a safe line."""
    if value is None:
        return say("text.no_number")
    if isinstance(value, bool) or not isinstance(value, int | float):
        return line(value)
    if isinstance(value, int) and abs(value) < 1_000_000:
        return str(value)
    return say("text.not_a_number") if math.isnan(value) else f"{value:.3g}"


def points(value: float) -> str:
    """Points with at most two decimals, rounded down: what is shown as full marks is full marks."""
    shown = math.floor(value * 100 + 1e-6) / 100
    return f"{shown:.1f}" if round(shown * 100) % 10 == 0 else f"{shown:.2f}"


def short_points(value: float) -> str:
    """The same without a needless `.0`, as for a maximum."""
    return points(value).removesuffix(".0")


def short_digest(digest: object) -> str:
    """The first twelve hexadecimal digits of `sha256:…`."""
    return line(str(digest).rpartition(":")[2][:12])


def _cut(text: str, limit: int, lines: int | None) -> str:
    end = _end(text, limit, lines)
    shown = _marked(text[:end])
    return shown if end == len(text) else shown + say("text.cut", count=count("characters", len(text) - end))


def _end(text: str, limit: int, lines: int | None) -> int:
    """Where to cut so that neither bound is passed."""
    end = min(len(text), limit)
    if lines is None:
        return end
    kept = text[:end].split("\n")
    return end if len(kept) <= lines else len("\n".join(kept[:lines]))


def _marked(text: str) -> str:
    """`text` with every unseen character as a mark, and long runs of one mark as the mark and a count."""
    shown: list[str] = []
    combining = 0
    for char, run in groupby(text):
        length = len(list(run))
        combining = combining + length if unicodedata.category(char) in _MARKS else 0
        mark = _mark(char) if combining <= _MOST_COMBINING_MARKS else f"⟨U+{ord(char):04X}⟩"
        folded = mark != char and length > _LONGEST_RUN
        shown.append(f"{mark}×{length}" if folded else mark * length)
    return "".join(shown)


def _spelled(char: str) -> str:
    """The character as JSON spells it by its number: two numbers beyond the first 65,536."""
    data = char.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{data[at]:02x}{data[at + 1]:02x}" for at in range(0, len(data), 2))


def _mark(char: str) -> str:
    code = ord(char)
    if char in "\n\t":
        return char
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    if _unseen(char):
        return f"⟨U+{code:04X}⟩"
    return char


def _unseen(char: str) -> bool:
    code = ord(char)
    not_a_character = 0xFDD0 <= code <= 0xFDEF or code & 0xFFFE == 0xFFFE
    # Tags and variation selectors: text nobody sees. The last two choose between a letter and an emoji.
    smuggler = 0xE0000 <= code <= 0xE0FFF or 0xFE00 <= code <= 0xFE0D
    return not_a_character or smuggler or char in _BLANK or unicodedata.category(char) in _UNSEEN_CATEGORIES
