"""Checks for after the deadline: before it they do not run for a student, who is told how many there are."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from click.testing import CliRunner

from grader.cli import cli

CHECKS = '''\
from grader.checks import check


@check(points=1, concept="c", visible=True)
def check_now(student):
    """Runs whenever it is asked for."""


@check(points=2, concept="c", after_deadline=True)
def check_later(student):
    """Runs after the deadline."""
'''


@pytest.fixture
def submit(tmp_path):
    """Grades one file of a course that is due so many hours from now (None: never); returns record and output."""

    def run(hours, *options):
        folder = tmp_path / "solutions" / "one"
        folder.mkdir(parents=True, exist_ok=True)
        due = (datetime.now(UTC) + timedelta(hours=hours or 0)).strftime("%Y-%m-%dT%H:%M:%S")
        deadline = f'[deadline]\nat = {due}\ntime_zone = "UTC"\n' if hours is not None else ""
        (folder.parent / "course.toml").write_text(f'name = "One"\nexercises = ["one"]\nseed = "s"\n{deadline}')
        (folder / "exercise.toml").write_text('title = "One"\ndefines = ["One"]\nformula = "x"\n')
        (folder / "solution.py").write_text("class One:\n    pass\n")
        (folder / "checks.py").write_text(CHECKS)
        (tmp_path / "one.py").write_text("from torch import nn\n\n\nclass One(nn.Module):\n    pass\n")
        arguments = ["submit", str(tmp_path / "one.py"), "--course", str(folder.parent), "--out", str(tmp_path / "out")]
        done = CliRunner().invoke(cli, [*arguments, *options])
        assert done.exit_code in (0, 1), done.output
        return json.loads((tmp_path / "out" / "grade.json").read_text()), done.output

    return run


def names(record):
    return [check["name"] for check in record["exercises"][0]["checks"]]


def test_before_the_deadline_it_is_announced_and_does_not_run(submit):
    record, output = submit(1)

    assert (names(record), record["max_points"], record["course"]["at_deadline"]) == (["now"], 1.0, 1)
    assert "1 check shown; 1 run at the deadline" in output


@pytest.mark.parametrize("hours", [-1, None], ids=["after", "no deadline"])
def test_it_runs_after_the_deadline_and_where_there_is_none(submit, hours):
    record, output = submit(hours)

    assert (names(record), record["max_points"], record["course"]["at_deadline"]) == (["now", "later"], 3.0, 0)
    assert "at the deadline" not in output


def test_gradescope_runs_it_and_holds_it_back(submit, tmp_path):
    record, _ = submit(1, "--format", "gradescope")

    told = json.loads((tmp_path / "out" / "results.json").read_text())
    assert names(record) == ["now", "later"]
    assert [test["visibility"] for test in told["tests"]] == ["visible", "after_due_date"]


def test_page_says_how_many_run_later(submit, tmp_path):
    submit(1)

    assert "1 check that did not run yet" in (tmp_path / "out" / "report.html").read_text()
