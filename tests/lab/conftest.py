"""The experiments on files of a test, at real judges with real workers, and a record that was really made."""

import json
from pathlib import Path

import msgspec
import pytest

from grader.lab import experiments
from grader.model.course import load_course
from grader.model.limits import Limits

ROOT = Path(__file__).parents[2]
SOLUTIONS = ROOT / "solutions"
SAMPLE = ROOT / "tests" / "samples" / "lab.json"


@pytest.fixture(scope="session")
def course():
    return load_course(SOLUTIONS)


@pytest.fixture
def lab(course, launch, write):
    """Opens the lab for a file of the course, or for a source; `limits` as in Limits."""

    def lab(what=None, exercise="transformer_block", **limits):
        path = what if what is None or isinstance(what, Path) else write({f"{exercise}.py": what}) / f"{exercise}.py"
        used = msgspec.structs.replace(course, limits=Limits(**limits)) if limits else course
        return experiments.open_lab(path, used, exercise, launch, lambda _: None)

    return lab


@pytest.fixture
def sample():
    """A record of all three experiments; a copy that may be changed."""
    return json.loads(SAMPLE.read_text(encoding="utf-8"))
