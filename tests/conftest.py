"""A course of one exercise, and submissions graded by a real judge with real workers."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

from grader.intake import accept
from grader.model.course import Course, load_course
from grader.model.job import Job
from grader.model.limits import Limits
from grader.model.record import Record, json_schema, to_json
from grader.pipeline import JUDGE, judge, to_record
from grader.sandbox.launch import ForkLauncher, Launcher, Line

ROOT = Path(__file__).parents[1]
SOLUTIONS = ROOT / "solutions"
BLOCK = """\
import torch
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.sublayer = sublayer
        self.drop = nn.Dropout(dropout)

    def forward(self, x, **kwargs):
"""
VALIDATOR = jsonschema.Draft202012Validator(json_schema())

Files = dict[str, str | bytes]


@pytest.fixture(scope="session")
def solutions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course folder with residual_add only, which nobody else writes to."""
    root = tmp_path_factory.mktemp("course") / "solutions"
    root.mkdir()
    shutil.copytree(SOLUTIONS / "residual_add", root / "residual_add")
    shutil.copy(SOLUTIONS / "previous_chapters.py", root)
    (root / "course.toml").write_text('name = "One"\nexercises = ["residual_add"]\nseed = "a-private-seed"\n')
    return root


@pytest.fixture(scope="session")
def residual_course(solutions: Path) -> Course:
    return load_course(solutions)


@pytest.fixture(scope="session")
def launch() -> Iterator[Launcher]:
    """One fork server for all tests: torch is imported once."""
    with ForkLauncher() as started:
        yield started


@pytest.fixture(scope="module")
def line(launch: Launcher) -> Iterator[Line]:
    """One judge for all tests of a module."""
    with launch.judge(JUDGE) as opened:
        yield opened


@pytest.fixture(scope="session")
def write(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Files], Path]:
    """Writes files into a new folder and returns it."""

    def files(files: Files) -> Path:
        folder = tmp_path_factory.mktemp("submission")
        for name, content in files.items():
            (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return folder

    return files


Grade = Callable[..., Record]


@pytest.fixture(scope="session")
def grade_on(residual_course: Course, write: Callable[[Files], Path]) -> Callable[[Line], Grade]:
    """Makes a function that grades at a given judge; every record it returns fits the published schema."""

    def at(line: Line) -> Grade:
        def grade(
            files: Files | str, *, course: Course = residual_course, only: tuple[str, ...] = (), **limits: Any
        ) -> Record:
            """Grade files by name, or the source of one residual_add.py; `limits` as in Limits."""
            course = msgspec.structs.replace(course, limits=Limits(**limits)) if limits else course
            folder = write({"residual_add.py": files} if isinstance(files, str) else files)
            submission = accept(folder, course, only=only)
            finished = judge(line, Job(course, submission), lambda _: None)
            record = to_record(course, submission, finished)
            VALIDATOR.validate(json.loads(to_json(record)))
            return record

        return grade

    return at


@pytest.fixture(scope="module")
def grade(line: Line, grade_on: Callable[[Line], Grade]) -> Grade:
    return grade_on(line)


@pytest.fixture(scope="session")
def forward() -> Callable[..., str]:
    """Makes a block that is right as far as its constructor; the given lines are its forward."""
    return lambda *lines: BLOCK + "".join(f"        {line}\n" for line in lines)


@pytest.fixture(scope="session")
def right(forward: Callable[..., str]) -> str:
    """A block that gets full marks."""
    return forward("return x + self.drop(self.sublayer(self.norm(x), **kwargs))")


@pytest.fixture(scope="session")
def wrong(forward: Callable[..., str]) -> str:
    """A block without its shortcut."""
    return forward("return self.drop(self.sublayer(self.norm(x), **kwargs))")
