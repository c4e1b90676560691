"""What a student leaves around a submission: in the place of results, in the place of a course, in words of errors."""

import os
import re
from pathlib import Path

import click
import pytest

from grader.cli.submission import grade
from grader.cli.telling import told
from grader.errors import CourseError, GradeError, UsageError
from grader.model import course
from grader.out import write_files

FILES = {"grade.json": b"{}", "report.html": b"<p>"}


def plant(root):
    """A course of the student's own: its checks would be run with the grader's rights."""
    root.mkdir(parents=True)
    (root / "course.toml").write_text('name = "Planted"\nexercises = []\nseed = "x"\n')


# The folder for results -----------------------------------------------------------------------------------------------


@pytest.fixture
def victim(tmp_path, monkeypatch):
    """A folder elsewhere; the current one is the student's."""
    (tmp_path / "victim").mkdir()
    (tmp_path / "victim" / "grade.json").write_text("mine")
    (tmp_path / "student").mkdir()
    monkeypatch.chdir(tmp_path / "student")
    return tmp_path / "victim"


@pytest.mark.parametrize("out", ["out", "out/deeper", "./out/../out"])
def test_results_are_not_written_through_a_link(victim, tmp_path, out):
    (tmp_path / "student" / "out").symlink_to(victim)
    with pytest.raises(UsageError, match="out is a link"):
        write_files(Path(out), FILES)
    assert os.listdir(victim) == ["grade.json"]


def test_a_link_to_nowhere_is_refused_too(victim, tmp_path):
    (tmp_path / "out").symlink_to(tmp_path / "nowhere")
    with pytest.raises(UsageError, match="is a link"):
        write_files(tmp_path / "out", FILES)


@pytest.mark.parametrize("kind", ["link", "pipe", "hard link"])
def test_what_stands_in_the_place_of_a_result_is_replaced_and_not_opened(victim, tmp_path, kind):
    out = tmp_path / "out"
    out.mkdir()
    make = {
        "link": lambda path: path.symlink_to(victim / "grade.json"),
        "pipe": os.mkfifo,
        "hard link": lambda path: path.hardlink_to(victim / "grade.json"),
    }
    make[kind](out / "grade.json")
    write_files(out, FILES)
    assert (victim / "grade.json").read_text() == "mine"
    assert (out / "grade.json").read_bytes() == b"{}"
    assert not (out / "grade.json").is_symlink()


def test_a_folder_in_the_place_of_a_result_is_told_and_nothing_is_left_behind(tmp_path):
    (tmp_path / "report.html").mkdir()
    with pytest.raises(UsageError, match="Choose another folder with --out"):
        write_files(tmp_path, FILES)
    assert sorted(os.listdir(tmp_path)) == ["grade.json", "report.html"]


def test_a_name_without_end_is_told(tmp_path):
    with pytest.raises(UsageError, match="cannot be written"):
        write_files(tmp_path / ("x" * 5000), FILES)


# The course -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """The grader lies where no course is, and so does the current folder."""
    monkeypatch.setattr(course, "__file__", str(tmp_path / "site-packages" / "grader" / "model" / "course.py"))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path


@pytest.mark.parametrize("place", ["", "solutions", "deeper/solutions"])
def test_a_course_inside_the_submission_is_not_run(elsewhere, place):
    plant(elsewhere / "student" / place)
    with pytest.raises(CourseError, match="No course was found"):
        course.find_course(None, elsewhere / "student")


def test_a_course_beside_a_single_file_is_not_run(elsewhere):
    plant(elsewhere / "student" / "solutions")
    (elsewhere / "student" / "residual_add.py").write_text("")
    with pytest.raises(CourseError, match="No course was found"):
        course.find_course(None, elsewhere / "student" / "residual_add.py")


def test_a_course_inside_is_not_run_where_the_submission_is_the_current_folder(elsewhere, monkeypatch):
    plant(elsewhere / "student" / "solutions")
    monkeypatch.chdir(elsewhere / "student")
    with pytest.raises(CourseError, match="solutions lies in what was handed in, so it is not run unasked"):
        course.find_course(None, Path())


def test_a_course_inside_that_is_a_link_is_not_run(elsewhere, monkeypatch):
    plant(elsewhere / "student" / "hidden")
    (elsewhere / "here" / "solutions").symlink_to(elsewhere / "student" / "hidden")
    with pytest.raises(CourseError, match="No course was found"):
        course.find_course(None, elsewhere / "student")


def test_the_course_here_comes_before_one_above_the_submission(elsewhere, monkeypatch):
    plant(elsewhere / "downloads" / "solutions")
    plant(elsewhere / "here" / "solutions")
    (elsewhere / "downloads" / "student").mkdir()
    found = course.find_course(None, elsewhere / "downloads" / "student")
    assert found.root == str(elsewhere / "here" / "solutions")


def test_a_course_inside_is_run_when_it_is_asked_for(elsewhere):
    plant(elsewhere / "student" / "solutions")
    assert course.find_course(elsewhere / "student" / "solutions", elsewhere / "student").name == "Planted"


# Words ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "error",
    [
        UsageError("a\x1b]0;x\x07\n::error::b ##[error]c \u202e"),
        GradeError("\r::error::x"),
        ValueError("\n  ::stop-commands::x"),
        click.UsageError("\x1b[2J\n::error::x"),
    ],
    ids=["ours", "return", "bug", "call"],
)
@pytest.mark.parametrize("debug", [False, True])
def test_words_of_an_error_steer_nothing(capsys, error, debug):
    error.add_note("\n::error::a note\x1b[2J")
    told(error, debug=debug)
    shown = capsys.readouterr().err
    assert not re.search("^\\s*::|##\\w*\\[|[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", shown, re.MULTILINE)


@pytest.mark.parametrize("path", ["x" * 5000, "a\x1b[2J"])
def test_a_path_that_cannot_be_is_a_wrong_call(path):
    with pytest.raises(UsageError):
        grade(Path(path), {})
