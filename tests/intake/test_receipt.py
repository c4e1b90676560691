"""The archive that a student hands in: the files that were graded, and a receipt that tells when they are others."""

import json
import subprocess
import sys
import zipfile

import pytest

from grader.gradebook import open_gradebook
from grader.intake import accept
from grader.intake.contents import Contents
from grader.intake.receipt import says_otherwise
from grader.intake.submission import contents_of


def run(*call):
    return subprocess.run(
        [sys.executable, "-m", "grader", *map(str, call)], capture_output=True, text=True, check=False, encoding="utf-8"
    )


@pytest.fixture(scope="module")
def packed(tmp_path_factory, write, right, solutions):
    """A submission of two files, packed by the command."""
    folder, out = write({"residual_add.py": right, "extra.py": "x = 1\n"}), tmp_path_factory.mktemp("packed")
    done = run("submit", folder, "--course", solutions, "--out", out / "grade-out", "--pack", out / "lab2.zip", "-q")
    assert done.returncode == 0, done.stderr
    return folder, out / "lab2.zip"


def test_what_is_packed_is_what_was_graded(packed, residual_course):
    folder, archive = packed

    assert accept(archive, residual_course).digest == accept(folder, residual_course).digest
    assert not says_otherwise(contents_of(archive))


def test_the_receipt_tells_the_points_of_visible_checks_only(packed):
    with zipfile.ZipFile(packed[1]) as archive:
        receipt = json.loads(archive.read("grade-receipt.json"))

    (part,) = receipt["exercises"]
    assert (part["name"], part["file"]) == ("residual_add", "residual_add.py")
    assert 0 < part["points"] == part["max_points"] < 22
    assert {file["path"] for file in receipt["files"]} == {"residual_add.py", "extra.py"}


def test_the_same_files_give_the_same_archive(packed, solutions, tmp_path):
    run("submit", packed[0], "--course", solutions, "--out", tmp_path / "out", "--pack", tmp_path / "again.zip", "-q")

    assert (tmp_path / "again.zip").read_bytes() == packed[1].read_bytes()


@pytest.mark.parametrize("receipt", [b"", b"{}", b"[1]", b"\xff", b'{"digest": 1}'])
def test_a_receipt_that_cannot_be_read_counts_as_another(receipt):
    assert says_otherwise(Contents(files={"a.py": b""}, receipt=receipt))


def test_without_a_receipt_nothing_is_said():
    assert not says_otherwise(Contents(files={"a.py": b""}))


@pytest.mark.parametrize(("changed", "told"), [(False, 0), (True, 1)])
def test_a_class_is_told_when_the_files_were_changed(packed, solutions, tmp_path, changed, told):
    inner = tmp_path / "lab2.zip"
    with zipfile.ZipFile(packed[1]) as old, zipfile.ZipFile(inner, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name) + (b"# later\n" if changed and name == "extra.py" else b""))
    download = tmp_path / "submissions.zip"
    with zipfile.ZipFile(download, "w") as archive:
        archive.write(inner, "annlee_101_9001_lab2.zip")

    done = run("batch", download, "--course", solutions, "--out", tmp_path / "out", "--no-pages")

    assert done.returncode == 0, done.stderr
    assert done.stderr.count("changed after packing") == told
    with open_gradebook(tmp_path / "out" / "gradebook.db") as book:
        assert [one.points == one.max_points for one in book.grades()] == [True]
