"""A short answer as its words in order: what of its writing does not matter is taken away, and nothing is guessed."""

from __future__ import annotations

import re
import unicodedata

MOST_CHARACTERS = 300
_FILLERS = frozenset(
    {
        "a",
        "an",
        "the",
        "is",
        "are",
        "was",
        "be",
        "it",
        "its",
        "it's",
        "this",
        "that",
        "they",
        "their",
        "them",
        "i",
        "think",
    }
    | {
        "of",
        "to",
        "in",
        "by",
        "as",
        "so",
        "called",
        "named",
        "answer",
        "exactly",
        "simply",
        "just",
        "all",
        "have",
        "has",
    }
)
_NO_ANSWER = frozenset({"", "todo", "idk", "don't know", "i don't know", "dont know", "no idea", "n/a", "your answer"})


def plain(text: str) -> str:
    """Small letters, one apostrophe, single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).replace("’", "'").casefold().split())


def is_no_answer(text: str) -> bool:
    """Whether nothing is said in it: empty, only marks, or words that say so."""
    told = plain(text).strip(" .!?-–—_*/'\"…")
    return told in _NO_ANSWER


def words(text: str) -> tuple[str, ...]:
    """The words that carry the answer, plurals as singulars."""
    found = re.findall(r"[^\W_]+(?:'[^\W_]+)?", plain(text))
    return tuple(_singular(word) for word in found if word not in _FILLERS)


def numbers(text: str) -> list[str]:
    """All numbers in the text, without thousands separators and zeros that do not count."""
    joined = re.sub(r"(?<=\d)[,_'](?=\d{3}(?!\d))", "", plain(text))
    pointed = re.sub(r"(?<=\d),(?=\d)", ".", joined)
    return [f"{float(one):.12g}" for one in re.findall(r"-?(?:\d{1,15}(?:\.\d{1,15})?|\.\d{1,15})", pointed)]


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
