"""A class from the download to the files that go back: regrade, override, show, export, alike, report."""

import csv
import io
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from grader.gradebook import open_gradebook

SOLUTIONS = Path(__file__).parents[1] / "solutions"
CHECK = "residual_add.keeps_the_shape"
RIGHT, WRONG = "101", "102"  # Canvas ids


def grade(*call, **how):
    """The command in a process of its own."""
    line = [sys.executable, "-m", "grader", *map(str, call)]
    return subprocess.run(line, capture_output=True, text=True, check=False, encoding="utf-8", **how)


@pytest.fixture(scope="module")
def download(tmp_path_factory, right, wrong):
    """What Canvas hands out: one right, one wrong, one without anything that can be run."""
    path = tmp_path_factory.mktemp("download") / "submissions.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("righterann_101_9001_residual_add.py", right)
        archive.writestr("wrongbob_LATE_102_9002_residual_add.py", wrong)
        archive.writestr("oddcarl_103_9003_notes.pdf", "%PDF-1.7")
    return path


@pytest.fixture(scope="module")
def graded(tmp_path_factory, download, solutions):
    out = tmp_path_factory.mktemp("graded")
    done = grade("batch", download, "--out", out, "--course", solutions, "--no-pages")
    assert done.returncode == 0, done.stderr
    return out / "gradebook.db"


@pytest.fixture
def book(graded, tmp_path):
    """A copy that a test may change."""
    return shutil.copy(graded, tmp_path / "gradebook.db")


def points(path):
    with open_gradebook(path) as opened:
        return {one.student: one.points for one in opened.grades()}


@pytest.fixture
def changed(solutions, tmp_path):
    """The course after one of its checks was made worth less."""
    course = shutil.copytree(solutions, tmp_path / "solutions")
    checks = course / "residual_add" / "checks.py"
    source = checks.read_text(encoding="utf-8")
    assert "points=3" in source
    checks.write_text(source.replace("points=3", "points=2", 1), encoding="utf-8")
    return course


def test_an_override_counts_and_is_shown_with_its_reason(book, solutions):
    before = points(book)[RIGHT]
    done = grade("override", RIGHT, CHECK, "--points", "0.5", "--reason", "asked in person", "--gradebook", book)
    shown = grade("show", RIGHT, "--gradebook", book, "--course", solutions)

    assert done.returncode == 0, done.stderr
    assert points(book)[RIGHT] == before - 0.5
    assert "asked in person" in shown.stdout


def test_an_override_can_be_taken_back(book):
    before = points(book)
    grade("override", RIGHT, CHECK, "--points", "0", "--reason", "a slip", "--gradebook", book)
    done = grade("override", RIGHT, CHECK, "--undo", "--reason", "it was none", "--gradebook", book)

    assert done.returncode == 0, done.stderr
    assert points(book) == before


@pytest.mark.parametrize(
    "call",
    [
        ("override", "999", CHECK, "--points", "1", "--reason", "x"),
        ("override", RIGHT, "residual_add.no_such_check", "--points", "1", "--reason", "x"),
        ("override", RIGHT, "keeps_the_shape", "--points", "1", "--reason", "x"),
        ("override", RIGHT, CHECK, "--reason", "x"),
        ("override", RIGHT, CHECK, "--points", "nan", "--reason", "x"),
        ("override", RIGHT, CHECK, "--points", "1", "--reason", " "),
        ("override", RIGHT, CHECK, "--points", "1"),
        ("override", RIGHT, CHECK, "--points", "99", "--reason", "x"),
        ("override", RIGHT, "--reason", "x"),
        ("override", RIGHT, "--from", "nowhere.csv"),
        ("override", "--from", "nowhere.csv"),
        ("show", "999"),
    ],
)
def test_a_wrong_call_is_told_and_changes_nothing(call, book):
    before = points(book)
    done = grade(*call, "--gradebook", book)

    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert points(book) == before


def test_a_file_of_overrides_is_stored_row_by_row_and_once(book, tmp_path):
    before = points(book)
    file = tmp_path / "overrides.csv"
    row = CHECK.replace(".", ",")
    file.write_text(
        f"student,exercise,check,points,reason,by\n{RIGHT},{row},0.5,asked in person,MK\nwrongbob,{row},0,a slip,\n"
        f"nobody,{row},1,x,MK\n",
        encoding="utf-8",
    )
    done, again = (grade("override", "--from", file, "--gradebook", book) for _ in range(2))

    assert (done.returncode, done.stdout) == (1, "2 stored, 0 known already, 1 left out.\n")
    assert done.stderr == "left out: row 4: no record is of a student “nobody”\n"
    assert again.stdout == "0 stored, 2 known already, 1 left out.\n"
    assert points(book) == before | {RIGHT: before[RIGHT] - 0.5, WRONG: before[WRONG] - 1}


def test_changed_checks_are_not_stored_unasked(download, graded, changed, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    shutil.copy(graded, out / "gradebook.db")
    done = grade("batch", download, "--out", out, "--course", changed, "--no-pages")

    assert done.returncode == 2
    assert "grade regrade" in done.stderr
    assert points(out / "gradebook.db") == points(graded)


def test_a_regrade_shows_first_and_lowers_nothing_unasked(download, book, changed):
    before = points(book)
    call = ("regrade", download, "--gradebook", book, "--course", changed)
    shown = grade(*call)
    assert points(book) == before

    applied = grade(*call, "--apply")
    kept = points(book)
    lowered = grade(*call, "--apply", "--allow-lower")

    assert "-1  101" in shown.stdout
    assert "Nothing was stored" in shown.stdout
    assert applied.returncode == lowered.returncode == 0
    assert kept[RIGHT] == before[RIGHT]
    assert points(book)[RIGHT] == before[RIGHT] - 1


def test_a_regrade_keeps_what_was_changed_by_hand(download, book, changed):
    grade("override", WRONG, CHECK, "--points", "0.25", "--reason", "by hand", "--gradebook", book)
    grade("regrade", download, "--gradebook", book, "--course", changed, "--apply", "--allow-lower")

    with open_gradebook(book) as opened:
        grades = {one.student: one for one in opened.grades()}
    assert [one.after for one in grades[WRONG].overrides] == [0.25]


def test_a_canvas_file_is_filled(book, solutions, tmp_path):
    mine = tmp_path / "canvas.csv"
    mine.write_text(
        "Student,ID,SIS User ID,SIS Login ID,Section,Lab 2 (7)\n    Points Possible,,,,,22\n"
        'Righter Ann,101,,,A,\nWrong Bob,102,,,A,\n"Nobody, Dan",104,,,A,\n',
        encoding="utf-8",
    )
    out = tmp_path / "filled.csv"
    done = grade("export", "--gradebook", book, "--course", solutions, "--to", "canvas", "--into", mine, "--out", out)

    filled = {row[1]: row[5] for row in csv.reader(io.StringIO(out.read_text(encoding="utf-8"))) if len(row) > 5}
    assert done.returncode in (0, 1), done.stderr
    assert float(filled[RIGHT]) == points(book)[RIGHT]
    assert filled["104"] == ""


@pytest.mark.parametrize("kind", ["csv", "long-csv", "jsonl", "canvas-feedback"])
def test_each_kind_of_file_can_be_written(kind, book, solutions, tmp_path):
    out = tmp_path / "written"
    done = grade("export", "--gradebook", book, "--course", solutions, "--to", kind, "--out", out)

    assert done.returncode in (0, 1), done.stderr
    assert out.stat().st_size > 100


@pytest.mark.parametrize("options", [("--to", "moodle"), ("--to", "canvas"), ("--to", "canvas", "--into", "nowhere")])
def test_an_export_that_lacks_something_is_a_wrong_call(options, book, solutions, tmp_path):
    done = grade("export", "--gradebook", book, "--course", solutions, *options, "--out", tmp_path / "x")

    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "x").exists()


def test_the_class_page_is_made_from_the_gradebook(book, solutions, tmp_path):
    grade("override", RIGHT, CHECK, "--points", "0", "--reason", "agreed with Ann", "--gradebook", book)
    done = grade("report", book, "--out", tmp_path / "pages", "--course", solutions)

    page = (tmp_path / "pages" / "class.html").read_text(encoding="utf-8")
    assert done.returncode == 0, done.stderr
    assert "righterann" in page
    assert "agreed with Ann" in page


def test_a_file_of_overrides_beside_a_gradebook_is_a_wrong_call(book, solutions, tmp_path):
    done = grade("report", book, "--out", tmp_path / "pages", "--course", solutions, "--overrides", "o.csv")

    assert done.returncode == 2
    assert "grade override --from o.csv" in done.stderr


def test_pages_and_feedback_say_what_lateness_costs(book, solutions, tmp_path):
    course = shutil.copytree(solutions, tmp_path / "solutions")
    with (course / "course.toml").open("a", encoding="utf-8") as file:
        file.write('\n[deadline]\nat = 2026-10-04T23:59:00\ntime_zone = "Europe/Berlin"\npercent_per_day = 10\n')
    pages, feedback = tmp_path / "pages", tmp_path / "feedback.zip"
    call = ("--gradebook", book, "--course", course, "--to", "canvas-feedback", "--out", feedback)
    made, exported = grade("report", book, "--out", pages, "--course", course), grade("export", *call)

    assert (made.returncode, exported.returncode) == (0, 0), made.stderr + exported.stderr
    with zipfile.ZipFile(feedback) as archive:
        handed_back = {name: archive.read(name).decode() for name in archive.namelist()}
    (late,) = (text for name, text in handed_back.items() if "_102_" in name)
    (in_time,) = (text for name, text in handed_back.items() if "_101_" in name)
    assert "10 % of what was earned" in late
    assert "10 % of what was earned" not in in_time
    assert late in [path.read_text(encoding="utf-8") for path in (pages / "students").iterdir()]
    assert "1 late" in (pages / "class.html").read_text(encoding="utf-8")


def test_alike_submissions_get_a_page(solutions, tmp_path):
    unusual = (SOLUTIONS / "transformer_block" / "rewrites" / "einsum.py").read_text(encoding="utf-8")
    download = tmp_path / "submissions.zip"
    with zipfile.ZipFile(download, "w") as archive:
        archive.writestr("first_1_11_residual_add.py", unusual)
        archive.writestr("second_2_12_residual_add.py", unusual.replace("self.", "self.my_"))
        archive.writestr("third_3_13_residual_add.py", "print(1)\n" * 50)
    done = grade("alike", download, "--out", tmp_path, "--course", solutions)

    page = (tmp_path / "alike.html").read_text(encoding="utf-8")
    assert done.returncode == 0, done.stderr
    assert "first" in page
    assert "second" in page
    assert "third" not in page


def test_two_assignments_are_not_two_attempts(right, wrong, solutions, tmp_path):
    for assignment, source in (("lab1", wrong), ("lab2", right)):
        folder = tmp_path / "submitted" / "ann" / assignment
        folder.mkdir(parents=True)
        (folder / "residual_add.py").write_text(source, encoding="utf-8")
    call = ("batch", tmp_path / "submitted", "--out", tmp_path / "out", "--course", solutions, "--no-pages")

    unsaid, unknown, done = grade(*call), grade(*call, "--assignment", "lab3"), grade(*call, "--assignment", "lab2")

    assert (unsaid.returncode, unknown.returncode, done.returncode) == (2, 2, 0), done.stderr
    assert "lab1, lab2" in unsaid.stderr
    with open_gradebook(tmp_path / "out" / "gradebook.db") as book:
        assert [one.points == one.max_points for one in book.grades()] == [True]
