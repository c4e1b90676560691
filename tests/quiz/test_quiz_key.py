"""What is missing in a knowledge check, or contradicts itself, ends as an error that the author reads."""

import re
from pathlib import Path

import pytest

from grader.errors import CourseError
from grader.quiz import load_quiz

FOLDER = Path(__file__).parents[2] / "solutions" / "knowledge_check"
BROKEN = {
    "a question lacks its hint": ('hint = "Draw what', 'hint = ""\n# "Draw what'),
    "an option has no reason": ('answer = "b"\nreason = "The norm', 'answer = "x"\nreason = "The norm'),
    "a kind is unknown": ('kind = "shape"', 'kind = "essay"'),
    "a name is given twice": ('name = "one_idea"', 'name = "residual_formula"'),
    "a name is no name": ('name = "one_idea"', 'name = "One idea"'),
    "a key is unknown": ('title = "The shape after a block"', 'title = "The shape"\ncolour = "red"'),
    "options have other letters": ('a = "One around', 'z = "One around'),
    "points are none": ('title = "Skip, shortcut, residual"\nconcept = "the shortcut"\npoints = 1.0',
                        'title = "Skip, shortcut, residual"\nconcept = "the shortcut"\npoints = 0.0'),
    "a formula cannot be read": ('accepted = ["x + F(Norm(x))"]', 'accepted = ["x + F(Norm(x)"]'),
    "a mistake is right": ('answer = "F(x)"', 'answer = "F(x) + x"'),
    "it is no TOML": ('title = "Knowledge check"', "title"),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new"), BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_quiz_is_the_authors_matter(tmp_path, old, new):
    text = (FOLDER / "questions.toml").read_text(encoding="utf-8")
    (tmp_path / "questions.toml").write_text(text.replace(old, new, 1), encoding="utf-8")

    assert old in text
    with pytest.raises(CourseError, match=re.escape(str(tmp_path))):
        load_quiz(tmp_path)


def test_a_missing_quiz_is_the_authors_matter(tmp_path):
    with pytest.raises(CourseError, match="cannot be read"):
        load_quiz(tmp_path)


def test_the_digest_changes_with_the_key(tmp_path):
    text = (FOLDER / "questions.toml").read_text(encoding="utf-8")
    (tmp_path / "questions.toml").write_text(text.replace("points = 1.0", "points = 2.0", 1), encoding="utf-8")

    assert load_quiz(tmp_path).digest != load_quiz(FOLDER).digest
