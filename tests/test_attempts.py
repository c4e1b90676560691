"""Which attempt a record is: told by what was graded into the same folder before."""

import msgspec
import pytest

from grader.attempts import MARK, continued, mark_of
from grader.model.record import to_json


@pytest.fixture(scope="module")
def first(grade, wrong):
    return grade(wrong)


@pytest.fixture(scope="module")
def second(grade, right):
    return grade(right)


@pytest.fixture
def out(tmp_path, first):
    """A folder into which the submission of `tmp_path` was graded once."""
    (tmp_path / "grade.json").write_bytes(to_json(first))
    (tmp_path / MARK).write_bytes(mark_of(tmp_path))
    return tmp_path


def test_a_changed_submission_is_the_next_attempt(out, first, second):
    submission = continued(second, out, out).submission

    assert submission.attempt == 2
    assert (submission.previous.attempt, submission.previous.points) == (1, first.points)


def test_an_unchanged_submission_is_the_same_attempt(out, first):
    assert continued(first, out, out) == first


def test_an_unchanged_second_attempt_keeps_what_was_before_it(out, second):
    again = continued(second, out, out)
    (out / "grade.json").write_bytes(to_json(again))

    assert continued(second, out, out) == again


def of_another(out, first, second):
    """What lies in the folder is not an earlier attempt of this submission, each for one reason."""
    other = msgspec.structs.replace
    yield "student", other(first, submission=other(first.submission, student="somebody else"))
    yield "course", other(first, course=other(first.course, name="another course"))
    yield "exercises", other(first, exercises=())
    yield "attempt below one", other(first, submission=other(first.submission, attempt=-5))


@pytest.mark.parametrize("number", range(4))
def test_a_record_of_something_else_is_no_attempt(out, first, second, number):
    _, record = list(of_another(out, first, second))[number]
    (out / "grade.json").write_bytes(to_json(record))

    assert continued(second, out, out) == second


def test_another_path_is_no_attempt(out, second, tmp_path):
    assert continued(second, tmp_path / "another", out) == second


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"schema": "grade/record/v9"}', b"\xff"])
def test_what_cannot_be_read_is_no_attempt(out, second, data):
    (out / "grade.json").write_bytes(data)

    assert continued(second, out, out) == second


def test_a_link_is_not_followed(out, second, tmp_path_factory, first):
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "grade.json"
    elsewhere.write_bytes(to_json(first))
    (out / "grade.json").unlink()
    (out / "grade.json").symlink_to(elsewhere)

    assert continued(second, out, out) == second
