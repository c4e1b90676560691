"""`grade lab` as a person calls it."""

import hashlib
import json
import sys
from contextlib import nullcontext

import pytest

from grader import cli
from grader.lab.record import LabRecord
from grader.lab.stored import kept, read_record


@pytest.fixture
def call(launch, monkeypatch, capfd, tmp_path):
    """Runs the command in this process, with the fork server of all tests, in an empty folder."""
    monkeypatch.setattr("grader.sandbox.launch.launcher", lambda: nullcontext(launch))
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["grade", *map(str, arguments)])
        capfd.readouterr()
        with pytest.raises(SystemExit) as caught:
            cli.main()
        return caught.value.code, *capfd.readouterr()

    return run


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["gradients", "--depth", "1"], "from 2 to 100"),
        (["gradients", "--depth", "5;20"], "such as 5,20,50"),
        (["gradients", "--depth", ",".join(map(str, range(2, 20)))], "At most 8 depths"),
        (["gradients", "nothing.py"], "does not exist"),
        (["copy-task", "--blocks", "0"], "--blocks"),
        (["nonsense"], "No such command"),
    ],
)
def test_a_wrong_call_exits_with_2_and_says_why(call, arguments, words):
    code, out, err = call("lab", *arguments)

    assert (code, out) == (2, "")
    assert words in err


def test_record_and_page_are_written_and_experiments_stand_beside_each_other(call, tmp_path):
    assert call("lab", "gradients", "--depth", "5")[0] == 0
    code, out, _ = call("lab", "copy-task", "--blocks", "1", "--seeds", "1", "--steps", "1")

    record = json.loads((tmp_path / "grade-out" / "lab.json").read_text())
    page = (tmp_path / "grade-out" / "lab.html").read_text()
    assert code == 0
    assert "not in 1 steps" in out
    assert record["schema"] == "grade/lab/v1"
    assert record["gradients"]["networks"][0]["depth"] == 5
    assert record["copy_task"]["steps"] == 1
    assert page.count("<section ") == 2


def test_what_was_found_of_another_course_is_not_kept(tmp_path, sample):
    (tmp_path / "lab.json").write_text(json.dumps(sample))
    before = read_record(tmp_path / "lab.json")

    assert kept(tmp_path, before.course, before.gpt2).copy_task == before.copy_task
    assert kept(tmp_path, "another", before.gpt2) == LabRecord(course="another", gpt2=before.gpt2)


@pytest.mark.parametrize("content", ["", "[]", "{", '{"schema": "grade/record/v1"}', '{"copy_task": 1}', "\udcff"])
def test_a_file_of_somebody_else_is_no_record(tmp_path, content):
    (tmp_path / "lab.json").write_bytes(content.encode("utf-8", "surrogateescape"))

    assert read_record(tmp_path / "lab.json") is None


def test_a_record_is_not_read_through_a_link(tmp_path, sample):
    (tmp_path / "real.json").write_text(json.dumps(sample))
    (tmp_path / "lab.json").symlink_to(tmp_path / "real.json")

    assert read_record(tmp_path / "lab.json") is None


@pytest.fixture
def tried(tmp_path, sample, write, right):
    """A file with which the copy task was tried, and its record in the usual folder."""
    file = write({"residual_add.py": right}) / "residual_add.py"
    sample["copy_task"]["tried"]["digest"] = "sha256:" + hashlib.sha256(file.read_bytes()).hexdigest()
    (tmp_path / "grade-out").mkdir()
    (tmp_path / "grade-out" / "lab.json").write_text(json.dumps(sample))
    return file


def test_the_page_of_a_submission_shows_the_lab_that_lies_beside_it(call, tmp_path, solutions, tried):
    assert call("submit", "--course", solutions, tried)[0] == 0

    page = (tmp_path / "grade-out" / "report.html").read_text()
    assert '<section id="copy-task"' in page
    assert '<section id="gpt2"' not in page
