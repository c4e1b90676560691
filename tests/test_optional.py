"""What nobody has to do: left out of the record as if it were not there, until it is begun."""

import json

import msgspec
import pytest
from small_course import BY, HEAD, OPTIONAL, STUB, TIMES, answers, small_course, stub, times

from grader.attempts import MARK, continued, mark_of
from grader.errors import GradeError, IntakeError, UsageError
from grader.intake import accept, accept_contents
from grader.intake.contents import Contents
from grader.model.job import Job
from grader.model.record import to_json
from grader.pipeline import judge, to_record
from grader.workshop import Workshop

RIGHT = times("Doubled", BY["Doubled"])
BOTH = RIGHT + "\n\n" + TIMES.format(name="Tripled", by=BY["Tripled"])


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    return small_course(tmp_path_factory.mktemp("small"))


@pytest.fixture(scope="module")
def points(grade, course):
    """By exercise the points and how many there are, of files that were handed in."""

    def of(files, graded_by=course, **only):
        record = grade(files, course=graded_by, **only)
        assert record.max_points == sum(one.max_points for one in record.exercises)
        return {one.name: (one.points, one.max_points) for one in record.exercises}

    return of


# Exercises ------------------------------------------------------------------------------------------------------------


NOT_BEGUN = {
    "nothing": {},
    "the stub": {"halved.py": stub("Halved")},
    "an empty file": {"halved.py": "# to do\n"},
    "the stub in another file": {"all.py": stub("Halved")},
    "the stub in a file that is no Python": {"doubled.py": f"{RIGHT}\n{STUB.format(name='Halved')}\nx = (\n"},
    "a name like it in a file for something else": {"notes.py": times("Halves", "x")},
}


@pytest.mark.parametrize("files", NOT_BEGUN.values(), ids=NOT_BEGUN)
def test_an_optional_exercise_that_is_not_begun_is_not_there(points, files):
    found = points({"doubled.py": RIGHT, **files})

    assert [*found] == ["doubled"]
    assert found["doubled"][1] == 4


BEGUN = {
    "right": ({"halved.py": times("Halved", "x / 2")}, 3),
    "wrong": ({"halved.py": times("Halved", "x / 4")}, 0),
    "in another file": ({"all.py": times("Halved", "x / 2")}, 3),
    "no Python": ({"halved.py": times("Halved", "x / 2") + "x = (\n"}, 0),
    "under another name": ({"halved.py": times("Half", "x / 2")}, 0),
    "half of it": ({"halved.py": stub("Halved") + "\n    def helper(self):\n        return 2\n"}, 0),
}


@pytest.mark.parametrize(("files", "earned"), BEGUN.values(), ids=BEGUN)
def test_an_optional_exercise_that_is_begun_counts_like_any_other(points, files, earned):
    assert points({"doubled.py": RIGHT, **files}) == {"doubled": (4, 4), "halved": (earned, 3)}


def test_the_record_says_what_was_optional(grade, course):
    record = grade({"doubled.py": BOTH, "halved.py": times("Halved", "x / 2")}, course=course)

    assert [exercise.optional for exercise in record.exercises] == [False, True]
    assert [[check.optional for check in exercise.checks] for exercise in record.exercises] == [[False, True], [True]]


@pytest.mark.parametrize("files", [{"doubled.py": RIGHT}, {"halved.py": stub("Halved")}])
def test_what_is_asked_for_by_its_name_is_there(points, files):
    assert points(files, only=("halved",)) == {"halved": (0, 3)}


def test_one_file_with_an_optional_stub_is_told_that_it_is_one(course, write):
    (work,) = accept(write({"halved.py": stub("Halved")}) / "halved.py", course).works

    assert (work.exercise, work.problem.kind) == ("halved", "stub")


def test_one_file_with_everything_leaves_out_what_is_not_begun(course, write):
    file = write({"all.py": RIGHT + STUB.format(name="Halved")}) / "all.py"

    assert [work.exercise for work in accept(file, course).works] == ["doubled"]


def test_where_nothing_has_to_be_done_and_nothing_is_begun_there_is_nothing_to_grade(tmp_path, write):
    course = small_course(tmp_path, [], ["halved"])

    with pytest.raises(IntakeError, match="Nothing in it has been begun"):
        accept(write({"halved.py": stub("Halved")}), course)


def test_a_name_that_is_switched_off_is_unknown(tmp_path, write):
    with pytest.raises(UsageError, match=r"no exercise `halved`"):
        accept(write({"doubled.py": RIGHT}), small_course(tmp_path, ["doubled"], []), only=("halved",))


def test_what_cannot_be_read_at_all_costs_only_what_must_be_done(tmp_path, launch):
    with Workshop(small_course(tmp_path), launch, unconfined=True) as workshop:
        record = workshop.record("It is damaged.", "ada")

    assert [(one.name, one.max_points) for one in record.exercises] == [("doubled", 4)]


def test_an_exercise_that_was_begun_in_between_makes_no_other_submission(tmp_path, grade, course):
    first = grade({"doubled.py": RIGHT}, course=course)
    second = grade({"doubled.py": RIGHT, "halved.py": times("Halved", "x / 2")}, course=course)
    (tmp_path / "grade.json").write_bytes(to_json(first))
    (tmp_path / MARK).write_bytes(mark_of(tmp_path))

    assert continued(second, tmp_path, tmp_path).submission.attempt == 2


# Parts ----------------------------------------------------------------------------------------------------------------


PARTS_NOT_BEGUN = {
    "not there": RIGHT,
    "the stub": RIGHT + STUB.format(name="Tripled"),
    "nothing in it": RIGHT + "class Tripled(nn.Module):\n    def forward(self, x):\n        pass\n",
    "mentioned": RIGHT + "# class Tripled\nprint('Tripled')\n",
}


@pytest.mark.parametrize("source", PARTS_NOT_BEGUN.values(), ids=PARTS_NOT_BEGUN)
def test_a_part_that_is_not_begun_is_not_there(points, source):
    assert points({"doubled.py": source}) == {"doubled": (4, 4)}


PARTS_BEGUN = {
    "right": (BOTH, 6),
    "wrong": (RIGHT + TIMES.format(name="Tripled", by="x"), 4),
    "without a function of its own": (RIGHT + "class Tripled(Doubled):\n    extra = 1\n", 4),
    "assigned": (RIGHT + TIMES.format(name="Other", by="3 * x") + "\n\nTripled = Other\n", 6),
    "gone by the time it is asked for": (BOTH + "\ndel Tripled\n", 4),
}


@pytest.mark.parametrize(("source", "earned"), PARTS_BEGUN.values(), ids=PARTS_BEGUN)
def test_a_part_that_is_begun_counts(points, source, earned):
    assert points({"doubled.py": source}) == {"doubled": (earned, 6)}


def test_a_file_that_is_no_python_counts_the_parts_that_read_as_begun(points):
    assert points({"doubled.py": f"{BOTH}\nx = (\n"}) == {"doubled": (0, 6)}
    assert points({"doubled.py": f"{RIGHT}\n{STUB.format(name='Tripled')}\nx = (\n"}) == {"doubled": (0, 4)}


def test_a_part_in_a_notebook_counts_though_only_definitions_run(points):
    cells = [RIGHT, "three = 3\n", HEAD + TIMES.format(name="Tripled", by="three * x")]
    made = [{"cell_type": "code", "source": cell, "metadata": {}, "outputs": []} for cell in cells]
    notebook = {"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}

    assert points({"doubled.ipynb": json.dumps(notebook)}) == {"doubled": (6, 6)}


def test_a_part_alone_is_a_beginning(grade, course):
    record = grade({"doubled.py": stub("Doubled") + TIMES.format(name="Tripled", by="3 * x")}, course=course)

    assert [(check.name, check.verdict) for check in record.exercises[0].checks][1] == ("triples", "passed")


def test_a_part_that_has_to_be_done_is_missed(grade, tmp_path):
    course = small_course(tmp_path, ["doubled", "doubled.Tripled"], [])
    record = grade({"doubled.py": RIGHT + STUB.format(name="Tripled")}, course=course)

    assert (record.points, record.max_points) == (4, 6)
    assert record.exercises[0].checks[1].tag == "not-written"
    assert record.exercises[0].diagnosis.happened == "`Tripled` is not written yet."


def test_a_part_that_is_switched_off_is_not_looked_at(points, tmp_path):
    assert points({"doubled.py": BOTH}, small_course(tmp_path, ["doubled"], [])) == {"doubled": (4, 4)}


def test_a_check_of_a_part_that_the_exercise_does_not_have_is_told(grade, tmp_path):
    course = small_course(tmp_path, **{"doubled/exercise.toml": 'title = "T"\ndefines = ["Doubled"]\nformula = ""\n'},
                          optional=[])  # fmt: skip

    with pytest.raises(GradeError, match=r"looks at the part 'Tripled', which exercise\.toml does not list"):
        grade({"doubled.py": RIGHT}, course=course)


# The knowledge check --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("files", [{}, {"knowledge_check.toml": answers()}], ids=["no file", "no answers"])
def test_a_knowledge_check_that_is_not_begun_is_not_there(points, files):
    assert points({"doubled.py": RIGHT, **files}) == {"doubled": (4, 4)}


def test_answers_are_graded_beside_the_exercises(grade, course):
    files = {"doubled.py": RIGHT, "knowledge_check (1).toml": answers("y = F(x) + x", "false")}
    record = grade(files, course=course)
    quiz = record.exercises[1]

    assert (quiz.name, quiz.title, quiz.file) == ("knowledge_check", "Questions", "knowledge_check (1).toml")
    assert (quiz.points, quiz.max_points, quiz.quiz, quiz.optional) == (1, 3, True, True)
    assert quiz.diagnosis.happened == "Both names stand for the sum of input and result."
    assert quiz.diagnosis.where.line == 5
    assert "knowledge_check (1).toml" in [file.path for file in record.submission.files]


def test_the_digest_of_a_submission_covers_its_answers(course, write):
    first, second = (
        accept(write({"doubled.py": RIGHT, "knowledge_check.toml": answers("x", one)}), course)
        for one in ("true", "false")
    )

    assert first.digest != second.digest


def test_one_file_with_answers_is_a_submission(points, write, course):
    file = write({"knowledge_check.toml": answers("x + F(x)", "true")}) / "knowledge_check.toml"

    assert [work.exercise for work in accept(file, course).works] == ["knowledge_check"]
    assert points({"knowledge_check.toml": answers("x + F(x)", "true")}, only=("knowledge_check",)) == {
        "knowledge_check": (3, 3)
    }


def test_damaged_answers_cost_the_quiz_alone(grade, course):
    record = grade(
        {"doubled.py": RIGHT, "knowledge_check.toml": b'[formula]\nanswer = "x + F(x)\n[[same\n\xff\0'}, course=course
    )

    assert {one.name: one.points for one in record.exercises} == {"doubled": 4, "knowledge_check": 1}
    assert any("not UTF-8" in remark for remark in record.exercises[1].remarks)


def test_too_large_a_file_is_not_read_and_named(grade, course):
    record = grade({"doubled.py": RIGHT, "knowledge_check.toml": b"#" * (64 * 1024 + 1)}, course=course)

    assert [one.name for one in record.exercises] == ["doubled"]
    assert [(one.path, one.reason) for one in record.submission.skipped] == [
        ("knowledge_check.toml", "larger than 64 KiB")
    ]


MISSING = {
    "no file": ({}, "No answers were found: there is no `knowledge_check.toml`."),
    "too large": ({"knowledge_check.toml": b"#" * 70_000}, "`knowledge_check.toml` was not read: larger than 64 KiB."),
    "txt": (
        {"knowledge_check.toml.txt": "x"},
        "`knowledge_check.toml.txt` was not read, because its name ends in .txt.",
    ),
}


@pytest.mark.parametrize(("files", "sentence"), MISSING.values(), ids=MISSING)
def test_answers_that_have_to_be_there_are_missed(grade, tmp_path, files, sentence):
    record = grade({"doubled.py": RIGHT, **files}, course=small_course(tmp_path, ["doubled", "knowledge_check"], []))
    quiz = record.exercises[1]

    assert (quiz.points, quiz.max_points, quiz.diagnosis.happened) == (0, 3, sentence)


def test_of_several_files_the_one_with_answers_counts(course, write):
    folder = write(
        {"doubled.py": RIGHT, "knowledge_check.toml": answers(), "knowledge_check-2.toml": answers("x", "true")}
    )
    work = accept(folder, course).works[1]

    assert work.file.path == "knowledge_check-2.toml"


def test_in_a_course_without_questions_answers_are_passed_by(tmp_path):
    course = small_course(tmp_path, ["doubled"], [])
    contents = Contents({"knowledge_check.toml": answers("x", "true").encode()})

    with pytest.raises(IntakeError, match="nothing to grade"):
        accept_contents(contents, course)


def test_the_courses_own_folder_is_graded_by_its_key(grade_folder, tmp_path):
    course = small_course(tmp_path / "solutions")
    record = grade_folder(tmp_path / "solutions", course)

    assert {one.name: one.points for one in record.exercises} == {"doubled": 6, "halved": 3, "knowledge_check": 3}
    assert record.points == record.max_points


def test_nobody_else_is_given_the_key(course, write, tmp_path):
    """A folder that looks like a course's, handed in."""
    small_course(tmp_path / "mine")
    (tmp_path / "mine" / "knowledge_check.toml").write_text(answers())

    works = accept(tmp_path / "mine", course).works

    assert "knowledge_check" not in [work.exercise for work in works]


def test_questions_that_contradict_themselves_are_ours(grade, tmp_path):
    course = small_course(
        tmp_path, ["doubled", "knowledge_check"], [], **{"knowledge_check/questions.toml": "title = 1"}
    )

    with pytest.raises(GradeError, match=r"questions\.toml.*docs/quiz\.md"):
        grade({"doubled.py": RIGHT}, course=course)


@pytest.fixture
def grade_folder(line):
    def graded(path, course):
        submission = accept(path, course)
        return to_record(course, submission, judge(line, Job(course, submission), lambda _: None))

    return graded


def test_a_judge_hears_of_all_of_it(course):
    assert course.optional == {*OPTIONAL}
    assert msgspec.json.decode(msgspec.json.encode(course), type=type(course)) == course
