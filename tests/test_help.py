"""Words about mistakes, and help with typing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from grader.model.stored import lessons

COMMAND = Path(sys.executable).with_name("grade")


def grade(*call):
    line = [sys.executable, "-m", "grader", *call]
    return subprocess.run(line, capture_output=True, text=True, check=False, encoding="utf-8")


def test_a_lesson_says_what_and_why():
    lesson = lessons()["missing-skip"]

    told = " ".join(grade("explain", "missing-skip").stdout.split())

    assert " ".join(lesson["title"].split()) in told
    assert " ".join(lesson["why"].split()) in told


def test_all_lessons_are_listed():
    listed = grade("explain").stdout

    assert [name for name in lessons() if name not in listed] == []


def test_a_slip_is_told_the_nearest_name():
    done = grade("explain", "mising-skip")

    assert done.returncode == 2
    assert "missing-skip" in done.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_gets_its_completion(shell):
    done = grade("completion", shell)

    assert done.returncode == 0, done.stderr
    assert "_GRADE_COMPLETE" in done.stdout


def test_the_completion_completes():
    asked = {**os.environ, "_GRADE_COMPLETE": "bash_complete", "COMP_WORDS": "grade sub", "COMP_CWORD": "1"}

    done = subprocess.run([COMMAND], capture_output=True, text=True, check=False, env=asked)

    assert "submit" in done.stdout
