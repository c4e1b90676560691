"""The checks as ordinary pytest tests, one test for each check and submission: what a teacher would write.

A plugin: `python -m pytest -p bench.floors.with_pytest …`, where SUBMISSIONS in the environment is a JSON list of
paths. The student's code runs in the process of the tests. `command` is the whole command line.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest
import torch

from bench import measure
from bench.floors.direct import NoWorkers, without_isolation
from bench.measure import SOLUTIONS
from bench.submissions import EXERCISES
from grader.checks.bench import Bench, prepare
from grader.checks.declare import ATTRIBUTE
from grader.checks.draw import Draw, seed_for
from grader.checks.reference import reference_module
from grader.checks.student import Student
from grader.intake import accept
from grader.model.course import Course, Exercise, load_course
from grader.model.submission import Submission

SUBMISSIONS = "BENCH_SUBMISSIONS"
OPTIONS = (
    "-q", "--import-mode=importlib", "--noconftest", "-c", os.devnull, f"--rootdir={SOLUTIONS}",
    "-p", "no:cacheprovider", "-p", "bench.floors.with_pytest",
    "-o", "python_files=checks.py", "-o", "python_functions=check_*",
)  # fmt: skip
CODES = (0, 1)  # all passed, or some failed


def command(paths: Sequence[Path], *options: str, exercises: Sequence[str] = EXERCISES) -> list[str]:
    """One run of pytest over these submissions."""
    checks = (str(SOLUTIONS / name / "checks.py") for name in exercises)
    listed = json.dumps([str(path) for path in paths])
    surroundings = ("env", f"{SUBMISSIONS}={listed}", "OMP_NUM_THREADS=1", "TORCH_COMPILE_DISABLE=1")
    return [*surroundings, *measure.python("-m", "pytest", *OPTIONS, *options, *checks)]


class Desk:
    """What is open: one exercise of one submission at a time."""

    def __init__(self, course: Course, paths: Sequence[str]) -> None:
        self.course, self.paths = course, paths
        self._submissions: dict[str, Submission] = {}
        self._references: dict[str, ModuleType] = {}
        self._open: tuple[str, str] | None = None
        self._bench: Bench | None = None

    def submission(self, path: str) -> Submission:
        """Read once."""
        if path not in self._submissions:
            self._submissions[path] = accept(Path(path), self.course)
        return self._submissions[path]

    def bench(self, path: str, exercise: Exercise) -> Bench:
        """The one asked for; the one before is closed."""
        if self._open != (path, exercise.name) or self._bench is None:
            self.close()
            submission = self.submission(path)
            work = next(work for work in submission.works if work.exercise == exercise.name)
            self._open, self._bench = (path, exercise.name), prepare(self.course, submission, work, NoWorkers())
        return self._bench

    def reference(self, exercise: Exercise) -> ModuleType:
        """The solution, imported once."""
        if exercise.name not in self._references:
            self._references[exercise.name] = reference_module(self.course, exercise)
        return self._references[exercise.name]

    def close(self) -> None:
        """Close what is open."""
        if self._bench is not None:
            self._bench.close()


class Asked(NamedTuple):
    """What one test is about."""

    path: str
    exercise: Exercise
    check: str


DESK = pytest.StashKey[Desk]()
OPEN = pytest.StashKey[ExitStack]()


def pytest_configure(config: pytest.Config) -> None:
    """Read the course; from here on nothing is isolated."""
    stack = ExitStack()
    stack.enter_context(without_isolation())
    torch.set_default_dtype(torch.float64)
    desk = Desk(load_course(SOLUTIONS), json.loads(os.environ[SUBMISSIONS]))
    stack.callback(desk.close)
    config.stash[DESK], config.stash[OPEN] = desk, stack


def pytest_unconfigure(config: pytest.Config) -> None:
    """As before."""
    config.stash[OPEN].close()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Each check for each submission."""
    if "student" in metafunc.fixturenames:
        paths = metafunc.config.stash[DESK].paths
        metafunc.parametrize("student", paths, indirect=True, ids=[Path(path).name for path in paths])


def pytest_collection_modifyitems(items: list[pytest.Function]) -> None:
    """One submission after the other, so that each file is loaded once."""
    items.sort(key=lambda item: str(item.callspec.params["student"]))


def _asked(request: pytest.FixtureRequest) -> Asked:
    exercise = request.config.stash[DESK].course.exercise(request.path.parent.name)
    assert exercise is not None
    return Asked(request.node.callspec.params["student"], exercise, request.node.originalname.removeprefix("check_"))


def _seed(request: pytest.FixtureRequest, side: str) -> int:
    desk, asked = request.config.stash[DESK], _asked(request)
    return seed_for(desk.course.seed, desk.submission(asked.path).digest, asked.exercise.name, asked.check, side)


@pytest.fixture
def student(request: pytest.FixtureRequest) -> Student:
    """The submission under check; a test fails where its file cannot be loaded."""
    asked = _asked(request)
    bench = request.config.stash[DESK].bench(asked.path, asked.exercise)
    part = getattr(request.function, ATTRIBUTE).part
    if part is not None and part not in bench.begun:
        pytest.skip(f"{part} is optional")
    if bench.blocked is not None:
        pytest.fail(bench.blocked.explained.happened)
    loaded = bench.student()
    loaded.begin(_seed(request, "worker"))
    return loaded


@pytest.fixture
def draw(request: pytest.FixtureRequest) -> Draw:
    """Random tensors."""
    return Draw(_seed(request, "judge"))


@pytest.fixture
def reference(request: pytest.FixtureRequest) -> ModuleType:
    """The solution."""
    return request.config.stash[DESK].reference(_asked(request).exercise)
