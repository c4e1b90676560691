"""`grade verify` proves the knowledge check, and that what is handed out counts as not begun."""

import pytest
from small_course import FILES, HEAD, MARKED, QUESTIONS, small_course

from grader.authoring.verify import verify


@pytest.fixture
def faults(tmp_path, launch):
    """What is not as declared in the course with these files."""

    def found(*names, **files):
        proof = verify(small_course(tmp_path / "solutions", **files), names, 1, launch)
        return [(one.file, one.wanted, one.got) for exercise in proof.exercises for one in exercise.faults]

    return found


def test_the_whole_course_is_proven(tmp_path, launch):
    proof = verify(small_course(tmp_path), (), 1, launch)

    assert proof.proven
    assert [exercise.name for exercise in proof.exercises] == ["doubled", "halved", "knowledge_check"]
    assert [(one.check, one.mistakes) for one in proof.exercises[2].checks] == [
        ("formula", ("F(x)",)),
        ("same", ("false",)),
    ]


def test_the_quiz_alone_needs_no_judge(faults):
    assert faults("knowledge_check") == []


def test_questions_that_contradict_their_key_are_told(faults):
    wrong = QUESTIONS.replace('answer = "F(x)"', 'answer = "F(x) + x"')

    assert faults("knowledge_check", **{"knowledge_check/questions.toml": wrong}) == [
        (
            "solutions/knowledge_check/questions.toml",
            "questions that their key can judge",
            "the question 'formula' has the mistake 'F(x) + x', which cannot be read, is right, or stands there twice.",
        )
    ]


GIVEN = MARKED.replace("# BEGIN", "y = {by}\n        # BEGIN").replace("return {by}\n", "return y\n")


@pytest.mark.parametrize(
    ("exercise", "name", "source"),
    [
        ("halved", "Halved", HEAD + GIVEN.format(name="Halved", by="x / 2")),
        (
            "doubled",
            "Tripled",
            FILES["doubled/solution.py"].split("class Tripled")[0] + GIVEN.format(name="Tripled", by="3 * x"),
        ),
    ],
)
def test_a_stub_that_would_count_as_begun_is_told(faults, exercise, name, source):
    (fault,) = faults(exercise, **{f"{exercise}/solution.py": source})

    assert fault == (
        f"solutions/{exercise}/solution.py (its stub)",
        "a stub that counts as not begun",
        f"code in {name}: put all lines of a function between the markers",
    )
