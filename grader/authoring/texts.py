"""How much a student reads about one mistake, and how hard that is to read.

All texts count: the check's title, what happened and was expected, every hint, why it matters, and the lesson of
`grade explain`. The level is the Flesch-Kincaid grade (Kincaid and others 1975): years of school. Code between
backticks is one word of one syllable, since nobody spells it out.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import msgspec

import grader
from grader.model.record import CheckRecord, Diagnosis

FEWEST, MOST, HARDEST = 80, 160, 9.0


class Reading(msgspec.Struct, frozen=True):
    """Words in all, and the years of school that they ask for."""

    words: int
    grade: float

    @property
    def complaints(self) -> tuple[str, ...]:
        """What is out of bounds, as ends of a sentence."""
        found = []
        if not FEWEST <= self.words <= MOST:
            found.append(f"told in {self.words} words ({FEWEST} to {MOST} are right)")
        if self.grade > HARDEST:
            found.append(f"told for grade {self.grade:.0f} of a school ({HARDEST:g} at most)")
        return tuple(found)


@cache
def lessons() -> dict[str, dict[str, str]]:
    """The vocabulary, read from its file: importing `grader.checks` would bring torch."""
    path = Path(grader.__file__).parent / "checks" / "vocabulary.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


def reading_of(diagnosis: Diagnosis, check: CheckRecord) -> Reading:
    """What the student reads where this check says what to do first."""
    lesson = lessons().get(diagnosis.tag or "", {})
    texts = [check.title, diagnosis.happened, diagnosis.expected, *check.hints, diagnosis.why]
    return reading([*texts, *(lesson[part] for part in ("title", "sentence") if lesson)])


def reading(texts: Iterable[str]) -> Reading:
    """Of texts that are sentences, or stand by themselves."""
    sentences = [one for text in texts for one in re.split(r"[.!?:;]+(?:\s|$)", _plain(text)) if one.strip()]
    words = [word for sentence in sentences for word in re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", sentence)]
    if not words:
        return Reading(0, 0.0)
    syllables = sum(_syllables(word) for word in words)
    grade = 0.39 * len(words) / len(sentences) + 11.8 * syllables / len(words) - 15.59
    return Reading(len(words), round(grade, 1))


def _plain(text: str) -> str:
    return re.sub(r"`[^`]*`", "it", text)


def _syllables(word: str) -> int:
    """Groups of vowels; a silent `e` at the end is none."""
    groups = len(re.findall(r"[aeiouy]+", re.sub(r"(?<=[^aeiouy])e$", "", word.lower())))
    return max(1, groups)
