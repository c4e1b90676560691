"""What a student handed in as answers: bytes that nobody trusts become text, line by line.

The file is TOML as `grader.quiz.handout` makes it. It is read more kindly than TOML is: a missing or curly quote, a
missing `=` or bracket is understood where only one thing can be meant, and said with its line.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

MOST_BYTES = 64 * 2**10
MOST_NOTES = 20
_MOST_SHOWN = 60
_HEADER = re.compile(r"""\s*\[+\s*["'“”]?([\w-]{1,100})["'“”]?\s*(\]*)\s*(?:#.*)?""")
_ANSWER = re.compile(r"\s*[\"']?answer[\"']?\s*(?:(=|:=?)\s*|(?=[\"'“”„«]))(.*)", re.IGNORECASE)
_QUOTES = "\"'“”„‟‘’‚`´«»"
_CONTAINERS = ("[", "{")  # may be nested deeper than Python likes, and are kept as text anyway
_LONG = ('"""', "'''")


@dataclass(frozen=True)
class Given:
    """One answer as text, and the line on which it stands (from 1)."""

    text: str
    line: int


@dataclass
class Answers:
    """Answers by the names of their questions; `notes` are sentences on what was read in a kinder way than TOML.

    `unclear` holds a sentence for each question that was answered in two ways. `lines` are those of the file.
    """

    given: dict[str, Given] = field(default_factory=dict)
    unclear: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    lines: tuple[str, ...] = ()

    def note(self, sentence: str) -> None:
        """Keep a sentence, as long as there are not too many."""
        if len(self.notes) < MOST_NOTES:
            self.notes.append(sentence)


def read_answers(data: bytes, names: Iterable[str]) -> Answers:
    """The answers to the questions of these names; whatever the bytes are, nothing is raised."""
    answers = Answers()
    if len(data) > MOST_BYTES:
        answers.note(
            f"The file is larger than {MOST_BYTES >> 10} KiB, so it was not read. It should hold answers only."
        )
        return answers
    text = _text(data, answers)
    answers.lines = tuple(text.split("\n"))
    known, question = frozenset(names), ""
    lines = iter(enumerate(answers.lines, start=1))
    for number, line in lines:
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if answer := _ANSWER.fullmatch(line):
            _keep(answers, question, known, Given(_value(answer, number, lines, answers), number))
        elif header := _HEADER.fullmatch(line):
            question = _named(header[1], number, known, answers)
            if header[2] != "]":
                answers.note(f"Line {number}: `[{header[1]}]` was meant, with one bracket on each side.")
        else:
            answers.note(f"Line {number} is neither the name of a question nor an answer, so it was not read.")
    return answers


def _text(data: bytes, answers: Answers) -> str:
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        answers.note(f"Line {line} holds a character that is not UTF-8. Save the file with the encoding UTF-8.")
        text = data.decode(encoding, "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")


def _named(name: str, line: int, known: frozenset[str], answers: Answers) -> str:
    if name in known:
        return name
    if len(answers.notes) >= MOST_NOTES:
        return name
    near = difflib.get_close_matches(name, known, n=1)
    meant = f" Did you mean `[{near[0]}]`?" if near else ""
    answers.note(f"Line {line}: there is no question `{name[:_MOST_SHOWN]}`, so what follows was not read.{meant}")
    return name


def _keep(answers: Answers, question: str, known: frozenset[str], given: Given) -> None:
    before = answers.given.get(question)
    if not question:
        answers.note(f"Line {given.line}: this answer stands before the name of any question, so it was not read.")
    elif question not in known or not given.text.strip():
        return
    elif before is not None and before.text != given.text:
        answers.unclear[question] = (
            f"There are two different answers to this question, in lines {before.line} and {given.line}. "
            "Keep one of them."
        )
    else:
        answers.given[question] = given


def _value(found: re.Match[str], number: int, lines: Iterator[tuple[int, str]], answers: Answers) -> str:
    written = found[2].strip()
    if written.startswith(_LONG):
        written = _long(written, lines)
    try:
        value = None if written.startswith(_CONTAINERS) else tomllib.loads(f"answer = {written}")["answer"]
    except ValueError:  # no TOML, or a number of thousands of digits
        value = None
    if found[1] != "=":
        answers.note(f"Line {number}: `answer = ` was meant, with a sign = between the two.")
    if isinstance(value, str):
        return value
    if type(value) in (bool, int, float):
        return str(value).lower()
    return _unquoted(written, number, answers)


def _long(written: str, lines: Iterator[tuple[int, str]]) -> str:
    """All lines up to the closing quotes, or up to the end."""
    quotes = written[:3]
    parts = [written]
    while quotes not in (parts[-1] if len(parts) > 1 else written[3:]):
        line = next(lines, None)
        if line is None:
            break
        parts.append(line[1])
    return "\n".join(parts)


def _unquoted(written: str, number: int, answers: Answers) -> str:
    """The text of a value that is no TOML: what stands between its quotes, however these are written."""
    begin, end = written[:1], written[1:]
    if begin and begin in _QUOTES and (closing := max(end.rfind(sign) for sign in _QUOTES)) >= 0:
        after = end[closing + 1 :].strip()
        text = end[:closing] if not after or after.startswith("#") else end
    else:
        text = re.split(r"\s#", written, maxsplit=1)[0].strip(_QUOTES)
    told = f"`{text[:_MOST_SHOWN]}`" if text else "an empty answer"
    answers.note(f"Line {number}: the answer is not between two straight quotes; it was read as {told}.")
    return text.strip()
