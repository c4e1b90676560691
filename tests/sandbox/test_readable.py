"""What a worker may read is enough for Python, and leads nowhere else."""

import json
import os
import sysconfig
import tempfile
from pathlib import Path

import pytest
import torch

from grader.sandbox.confine import readable

ROOT = Path(__file__).parents[2]


def covered(path: str | Path) -> bool:
    """Whether a path lies in or below one that may be read, as the names stand or as links lead."""
    kept = {Path(name) for name in readable.paths()} | {Path(name).resolve() for name in readable.paths()}
    ways = {Path(path), Path(path).resolve()}
    return any(way.is_relative_to(above) for way in ways for above in kept)


@pytest.mark.parametrize("module", [json, sysconfig, torch, pytest])
def test_standard_library_and_packages_may_be_read(module):
    assert covered(module.__file__)


@pytest.mark.parametrize("name", ["stdlib", "platstdlib", "purelib", "platlib"])
def test_folders_of_python_may_be_read(name):
    assert covered(sysconfig.get_path(name))


ELSEWHERE = {
    "checkout": ROOT, "solutions": ROOT / "solutions", "grader": ROOT / "grader", "tests": ROOT / "tests",
    "home": os.path.expanduser("~"), "temporary": tempfile.gettempdir(), "everything": "/", "settings": "/etc",
    "users": "/etc/passwd", "processes": "/proc", "devices": "/dev", "homes": "/home", "state": "/var",
}  # fmt: skip


@pytest.mark.parametrize("name", ELSEWHERE)
def test_course_home_and_system_may_not_be_read(name):
    assert not covered(ELSEWHERE[name])


def test_every_path_is_there():
    assert [path for path in readable.paths() if not os.path.exists(path)] == []


def test_folder_below_another_one_is_left_out():
    assert readable.outermost(["/usr/lib/python3", "/usr/lib"]) == ["/usr/lib"]


def test_name_that_only_begins_like_another_one_is_kept():
    assert readable.outermost(["/usr/lib64", "/usr/lib"]) == ["/usr/lib", "/usr/lib64"]
