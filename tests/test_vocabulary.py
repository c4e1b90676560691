import json
import re
import tomllib
from pathlib import Path

import pytest

from grader.authoring.headers import read_header

ROOT = Path(__file__).parents[1]
VOCABULARY = tomllib.loads((ROOT / "grader" / "checks" / "vocabulary.toml").read_text(encoding="utf-8"))
MISTAKES = sorted((ROOT / "solutions").glob("*/mistakes/*.py"))
REWRITES = sorted((ROOT / "solutions").glob("*/rewrites/*.py"))
CASES = json.loads((ROOT / "tests" / "cases" / "manifest.json").read_bytes())
OF_CASES = [ROOT / "tests" / "cases" / case["file"] for case in CASES if case["file"].endswith(".py")]


def first_lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()[:2]


def test_has_all_tags():
    assert len(VOCABULARY) == 62


@pytest.mark.parametrize("tag", VOCABULARY)
def test_an_entry_has_all_keys_and_nothing_else(tag):
    assert set(VOCABULARY[tag]) == {"title", "sentence", "why", "hint"}


@pytest.mark.parametrize("tag", VOCABULARY)
def test_a_title_has_at_most_six_words(tag):
    title = VOCABULARY[tag]["title"]

    assert 1 <= len(title.split()) <= 6
    assert not title.endswith(".")


@pytest.mark.parametrize("tag", VOCABULARY)
def test_the_sentence_is_about_the_code(tag):
    assert VOCABULARY[tag]["sentence"].startswith(("Your ", "The "))


@pytest.mark.parametrize("tag", VOCABULARY)
@pytest.mark.parametrize("key", ["sentence", "why", "hint"])
def test_a_text_is_one_short_sentence(tag, key):
    text = VOCABULARY[tag][key]

    assert re.search(r"[.?]$", text)
    assert not re.search(r"[.?!] [A-Z]", text)
    assert len(text.split()) <= 26


@pytest.mark.parametrize("path", MISTAKES, ids=lambda path: f"{path.parts[-3]}/{path.stem}")
def test_a_mistake_declares_a_known_tag(path):
    _, docstring = first_lines(path)
    header = read_header(path.read_text(encoding="utf-8"), path.name)

    assert header.tag in VOCABULARY
    assert re.fullmatch(r'"""[^"]+\."""', docstring)


@pytest.mark.parametrize("path", [*REWRITES, *OF_CASES], ids=lambda path: "/".join(path.parts[-3:]))
def test_a_rewrite_or_a_case_says_what_is_unusual(path):
    assert re.fullmatch(r'"""[^"]+\."""', first_lines(path)[0])


def test_the_tag_of_every_wrong_case_is_known():
    assert {case["diagnosis"] for case in CASES if case["verdict"] == "fail"} <= VOCABULARY.keys()


@pytest.mark.parametrize("name", sorted({path.parts[-3] for path in MISTAKES}))
def test_each_exercise_has_a_few_mistakes_and_rewrites(name):
    """Its proof, which takes seconds; more of them are in tests/cases."""
    assert sum(path.parts[-3] == name for path in MISTAKES) == 12
    assert 8 <= sum(path.parts[-3] == name for path in REWRITES) <= 10
