"""Small submissions: right and wrong files of the repository, one for each of three exercises, put together.

There are DIFFERENT of them, which come again and again (a comment makes each file another one): a class of any size
asks for the same work per submission, and a floor measured on one turn compares with any class.
"""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path

from bench.measure import ROOT, SOLUTIONS, grade
from grader.authoring.headers import read_header

EXERCISES = ("residual_add", "deep_network", "transformer_block")
DIFFERENT = 15
RIGHT_SHARE = 0.6
SEED = 20261130

Files = dict[str, str]


def submissions(count: int, first: int = 0) -> list[Files]:
    """`count` of them from number `first` on, files by name; the same ones each time."""
    different = _different()
    return [
        {name: f"{source}\n# {number}\n" for name, source in different[number % DIFFERENT].items()}
        for number in range(first, first + count)
    ]


def of_one_exercise(handed_in: list[Files]) -> list[Files]:
    """One file of each: the first one's first, the second one's second, and so on."""
    return [dict([list(files.items())[number % len(files)]]) for number, files in enumerate(handed_in)]


@cache
def _different() -> list[Files]:
    draw = random.Random(SEED)
    right, wrong = ({name: known(name, are_right=are_right) for name in EXERCISES} for are_right in (True, False))
    return [
        {
            f"{name}.py": draw.choice(right[name] if draw.random() < RIGHT_SHARE else wrong[name]).read_text("utf-8")
            for name in EXERCISES
        }
        for _ in range(DIFFERENT)
    ]


def known(exercise: str, *, are_right: bool) -> list[Path]:
    """Files of the repository that are right, or wrong."""
    verdict, kind = ("pass", "rewrites") if are_right else ("fail", "mistakes")
    cases = [
        path
        for path, one in _cases().items()
        if one["exercise"] == exercise and one["verdict"] == verdict and path.suffix == ".py"
    ]
    return sorted([*cases, *(SOLUTIONS / exercise / kind).glob("*.py")])


def tag_of(wrong: Path) -> str:
    """What has to be read first of such a wrong file: as the manifest says, or its own first line."""
    case = _cases().get(wrong)
    return case["diagnosis"] if case else read_header(wrong.read_text("utf-8"), wrong.name).tag


@cache
def _cases() -> dict[Path, dict[str, str]]:
    folder = ROOT / "tests/cases"
    return {folder / one["file"]: one for one in json.loads((folder / "manifest.json").read_bytes())}


def write(folder: Path, handed_in: list[Files]) -> list[Path]:
    """A folder for each student, as `grade batch` takes them."""
    paths = [folder / f"student{number:04}" for number in range(len(handed_in))]
    for path, files in zip(paths, handed_in, strict=True):
        path.mkdir(parents=True)
        for name, source in files.items():
            (path / name).write_text(source, encoding="utf-8")
    return paths


def batch_command(handed_in: Path, out: Path) -> list[str]:
    """`grade batch` on such a folder; pages are measured apart."""
    return grade("batch", str(handed_in), "--out", str(out), "--course", str(SOLUTIONS), "--no-pages")
