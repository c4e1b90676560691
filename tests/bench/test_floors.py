"""A floor is a floor only if it finds the same: checks without isolation beside those with a confined worker."""

import re
import subprocess

import pytest

from bench.floors import with_pytest
from bench.floors.seat import FORKS, floor
from bench.submissions import DIFFERENT, submissions, write
from grader.intake import accept
from grader.judges import judge_all
from grader.model.course import load_course
from grader.model.job import Job
from tests.conftest import ROOT, SOLUTIONS

# With a right and a wrong file of each exercise among them.
COUNT = 3


@pytest.fixture(scope="module")
def jobs(tmp_path_factory):
    course = load_course(SOLUTIONS)
    paths = write(tmp_path_factory.mktemp("class") / "all", submissions(COUNT))
    return [Job(course, accept(path, course)) for path in paths]


@pytest.fixture(scope="module")
def confined(jobs, launch):
    return [found(one.results) for one in judge_all(jobs, launch)]


def found(results):
    """All that a student may read of it."""
    kept = ("name", "verdict", "points", "tag", "happened", "expected", "formula", "where", "hints", "remarks")
    return [
        (
            one.name,
            one.remarks,
            one.printed,
            one.trace,
            [tuple(getattr(check, name) for name in kept) for check in one.checks],
        )
        for one in results
    ]


@pytest.mark.parametrize("name", FORKS)
def test_a_floor_finds_what_a_confined_worker_finds(name, jobs, confined, launch):
    with floor(launch, name) as one:
        told = one.run(jobs)

    assert [found(results) for results in told.results] == confined
    assert told.cpu > 0


def test_pytest_fails_the_tests_whose_checks_are_lost(confined, tmp_path):
    (path,) = write(tmp_path, submissions(1))
    command = with_pytest.command([path], "--tb=no", "-rfE")

    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    lines = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    failed = {re.search(r"solutions/(\w+)/checks.py::check_(\w+)\[", line).groups() for line in lines}
    lost = {(exercise[0], check[0]) for exercise in confined[0] for check in exercise[4] if check[1] != "passed"}
    assert done.returncode in with_pytest.CODES, done.stdout + done.stderr
    assert failed == lost


def test_what_is_compared_has_right_and_wrong_files(confined):
    lost = {
        exercise[0]
        for results in confined
        for exercise in results
        if any(check[1] != "passed" for check in exercise[4])
    }
    kept = {
        exercise[0]
        for results in confined
        for exercise in results
        if all(check[1] == "passed" for check in exercise[4])
    }

    assert COUNT <= DIFFERENT
    assert lost
    assert kept
