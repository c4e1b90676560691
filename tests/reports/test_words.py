"""Our sentences are short and plain: at most US grade 9 by Flesch and Kincaid."""

import re

import pytest

from reports.words import words

SECTIONS = [name for name in words() if name not in {"doctor", "verify", "console", "class_page", "sign", "plain_sign"}]
MOST_WORDS, MOST_GRADE = 22, 9.0
FEWEST_WORDS = 5  # below that it is a label, and the formula says nothing


def sentences(text: str) -> list[str]:
    """The sentences of an entry, with a short word for each blank."""
    plain = re.sub(r"\{\w+\}", "it", text)
    return [one for one in re.split(r"(?<=[.:;?!])\s+", plain) if re.search("[a-z]", one)]


def syllables(word: str) -> int:
    found = re.findall("[aeiouy]+", re.sub(r"(?<=[^aeiouyl])e$|(?<=[^td])ed$|es$", "", word.lower()))
    return max(1, len(found))


def grade(text: str) -> float:
    found = re.findall("[A-Za-z']+", text)
    return 0.39 * len(found) / len(sentences(text)) + 11.8 * sum(map(syllables, found)) / len(found) - 15.59


ENTRIES = [
    pytest.param(re.sub(r"\{\w+\}", "it", text), id=f"{section}.{name}")
    for section in SECTIONS
    for name, text in words()[section].items()
    if len(re.findall("[A-Za-z']+", text)) >= FEWEST_WORDS
]


@pytest.mark.parametrize("text", ENTRIES)
def test_sentences_are_short(text):
    assert max(len(one.split()) for one in sentences(text)) <= MOST_WORDS


@pytest.mark.parametrize("text", ENTRIES)
def test_sentences_can_be_read_in_grade_nine(text):
    assert grade(text) <= MOST_GRADE


@pytest.mark.parametrize("section", SECTIONS)
def test_no_word_of_our_tools_and_no_blame(section):
    told = " ".join(words()[section].values()).lower()
    assert not re.search(r"\b(pytest|fixture|assert\w*|traceback|autograd|state_dict|wrong|bad|fail\w*|forgot)\b", told)


def test_hard_text_is_told_from_plain_text():
    assert grade("The cat sat on the mat.") < 3
    assert grade("Institutional considerations necessitate comprehensive documentation.") > 15
