"""What a student reads about one mistake: how long it is, and how hard to read."""

import pytest

from grader.authoring.proof import Judged, Seen
from grader.authoring.texts import Reading, reading
from grader.authoring.verify import prove

LONG_WORDS = "Consequently, institutional representatives systematically overestimate organisational responsibilities."


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (["Add it back."], 3),
        (["Add it back.", "", "Why?"], 4),
        (["`self.norm(x) + self.drop(y)` is right."], 3),
        (["The input's well-known shape: (2, 4)."], 6),
        ([], 0),
    ],
    ids=["sentence", "texts", "code", "marks", "nothing"],
)
def test_words_are_counted_as_a_reader_would(texts, words):
    assert reading(texts).words == words


def test_grade_is_that_of_flesch_and_kincaid():
    # one sentence, six words, six syllables: 0.39 · 6 + 11.8 · 1 - 15.59
    assert reading(["The cat sat on the mat."]).grade == pytest.approx(-1.45, abs=0.06)


def test_long_words_are_harder_than_short_ones():
    assert reading([LONG_WORDS]).grade > 9 > reading(["Your code adds the norm of the input, not the input."]).grade


@pytest.mark.parametrize(
    ("found", "complaints"),
    [
        (Reading(80, 9.0), 0),
        (Reading(160, 2.0), 0),
        (Reading(79, 5.0), 1),
        (Reading(161, 5.0), 1),
        (Reading(120, 9.1), 1),
        (Reading(20, 12.0), 2),
    ],
)
def test_bounds_are_those_that_are_promised(found, complaints):
    assert len(found.complaints) == complaints


def test_verify_warns_of_a_mistake_that_is_told_at_length():
    seen = Seen(0.0, 1.0, "missing-skip", None, ("adds",), (), (), Reading(300, 5.0))

    proof = prove("one", [Judged("one/mistakes/a.py", "mistake", None, (seen,), ())], [])

    assert "one/mistakes/a.py: told in 300 words (80 to 160 are right)" in proof.warnings
