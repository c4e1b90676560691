"""The lists of course.toml: what every student must do, what counts once it is begun, what is switched off."""

import pytest
from small_course import small_course

from grader.errors import CourseError


def test_what_is_in_no_list_is_switched_off(tmp_path):
    course = small_course(tmp_path, ["doubled"], [])

    assert course.names == course.required == ("doubled",)
    assert course.exercises[0].names == ("Doubled",)
    assert not course.optional


def test_what_must_be_done_comes_first_and_the_quiz_last(tmp_path):
    course = small_course(tmp_path, ["knowledge_check", "halved"], ["doubled", "doubled.Tripled"])

    assert course.names == ("halved", "doubled", "knowledge_check")
    assert course.required == ("halved", "knowledge_check")
    assert course.optional == {"doubled", "doubled.Tripled"}


@pytest.mark.parametrize(
    ("exercises", "optional", "sentence"),
    [
        (["doubeld"], [], r"'doubeld'.*folder with an exercise\.toml\. Did you mean 'doubled'\?"),
        (["doubled"], ["doubled.Trippled"], r"`parts` of doubled/exercise\.toml\. Did you mean 'doubled\.Tripled'\?"),
        (["doubled", "halved"], ["halved"], "'halved' both in `exercises` and in `optional`"),
        (["doubled", "doubled"], [], "'doubled' twice in `exercises`"),
        (["halved"], ["doubled.Tripled"], "'doubled.Tripled' and not for its exercise: add 'doubled'"),
        (["halved"], ["../halved"], "no such folder"),
    ],
)
def test_a_name_that_cannot_be_meant_is_told(tmp_path, exercises, optional, sentence):
    with pytest.raises(CourseError, match=sentence):
        small_course(tmp_path, exercises, optional)


def test_a_list_is_a_list_of_names(tmp_path):
    with pytest.raises(CourseError, match="`optional` has to be a list of names"):
        small_course(tmp_path, **{"course.toml": 'name = "S"\nexercises = []\noptional = "halved"\nseed = "s"\n'})


def test_a_part_has_a_name_of_its_own(tmp_path):
    table = 'title = "T"\ndefines = ["Doubled"]\nformula = ""\nparts = ["Doubled"]\n'

    with pytest.raises(CourseError, match="names 'Doubled' twice"):
        small_course(tmp_path, **{"doubled/exercise.toml": table})


def test_a_knowledge_check_is_called_so(tmp_path):
    with pytest.raises(CourseError, match="call the folder of a knowledge check 'knowledge_check'"):
        small_course(tmp_path, ["halved"], [], **{"halved/questions.toml": ""})


def test_the_digest_covers_both_lists_and_the_questions(tmp_path):
    lists = [
        (["doubled"], []),
        (["doubled", "halved"], []),
        (["doubled"], ["halved"]),
        (["doubled", "knowledge_check"], []),
    ]
    digests = [small_course(tmp_path / str(at), *both).digest for at, both in enumerate(lists)]
    digests.append(small_course(tmp_path / "q", *lists[-1], **{"knowledge_check/questions.toml": "# others"}).digest)

    assert len({*digests}) == len(digests)
