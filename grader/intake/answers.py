"""Finds the answers to the knowledge check: bytes, which `grader.quiz` reads."""

from __future__ import annotations

import hashlib

from grader.intake import names
from grader.intake.begun import has_answers
from grader.intake.contents import Contents
from grader.model.course import QUIZ
from grader.model.submission import Problem, SourceFile, Work

_FILE = f"{QUIZ}.toml"
_HAND_IN = f"Put `{_FILE}` with your answers into what you hand in."


def find_answers(contents: Contents) -> Work:
    """The file with answers, with a remark where there are several, or the problem that there is none."""
    found = sorted(filter(names.is_answers, contents.files), key=lambda path: _order(path, contents.files[path]))
    if not found:
        return Work(QUIZ, None, _missing(contents))
    chosen, data = found[0], contents.files[found[0]]
    others = [path for path in found[1:] if contents.files[path] != data and has_answers(contents.files[path])]
    remarks = (f"{names.quoted(chosen)} counts; {names.listed(others)} holds other answers.",) if others else ()
    return answered(chosen, data, remarks)


def answered(path: str, data: bytes, remarks: tuple[str, ...] = ()) -> Work:
    """The work that these answers are."""
    file = SourceFile(path, "toml", f"sha256:{hashlib.sha256(data).hexdigest()}", ())
    return Work(QUIZ, file, remarks=remarks, answers=data)


def _order(path: str, data: bytes) -> tuple[bool, bool, int, str]:
    """What has answers in it, then the expected name, then the shallowest, then the first in the alphabet."""
    return not has_answers(data), names.stem(path).casefold() != QUIZ, names.depth(path), path


def _missing(contents: Contents) -> Problem:
    happened = f"No answers were found: there is no `{_FILE}`."
    for one in contents.skipped:
        if names.is_answers(one.path):
            happened = f"{names.quoted(one.path)} was not read: {one.reason}."
            return Problem("unreadable", happened, f"Hand in an ordinary file `{_FILE}` with your answers.", one.path)
        if names.suffix(one.path) == ".txt" and names.is_answers(names.stem(one.path)):
            happened = f"{names.quoted(one.path)} was not read, because its name ends in .txt."
            return Problem("missing", happened, f"Rename it to `{_FILE}` and hand it in again.")
    return Problem("missing", happened, _HAND_IN)
