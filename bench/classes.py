"""A made-up class, zipped as each platform does it, through `grade batch`: every verdict as planned, and at what cost.

`python -m bench.classes [N] [--layout LAYOUT] [--json]` makes N submissions (500): right, wrong, odd (no code in it, a
broken file, an archive inside), hostile (loops, exits). It ends with 1 when a row is missing or a verdict is another.
Told are seconds per submission, and the peak memory of the command beside that for a class of a quarter the size.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from grader.gradebook import open_gradebook

ROOT = Path(__file__).resolve().parents[1]
SOLUTIONS = ROOT / "solutions"
EXERCISES = ("residual_add", "deep_network", "transformer_block")
LOOPS = "while True:\n    pass\n"
EXITS = "import os\nos._exit(0)\n"
BROKEN = "class ResidualAdd(:\n"
SEED = 20261130


class Member(NamedTuple):
    """One submission: its files, and whether it earns all, some or no points."""

    number: int
    kind: str
    files: dict[str, bytes]
    earns: str


def members(count: int) -> Iterator[Member]:
    """The class, the same each time: of ten about five are right, three wrong, one odd; of fifty one is hostile."""
    draw = random.Random(SEED)
    right = {name: sorted((SOLUTIONS / name / "rewrites").glob("*.py")) for name in EXERCISES}
    wrong = {name: sorted((SOLUTIONS / name / "mistakes").glob("*.py")) for name in EXERCISES}
    for number in range(count):
        files = {f"{name}.py": draw.choice(right[name]).read_bytes() + _mark(number) for name in EXERCISES}
        kind = "hostile" if number % 50 == 7 else draw.choices(("right", "wrong", "odd"), (5, 3, 1))[0]
        if kind == "wrong":
            name = draw.choice(EXERCISES)
            files[f"{name}.py"] = draw.choice(wrong[name]).read_bytes() + _mark(number)
        elif kind == "odd":
            files = draw.choice(_odd(files))
        elif kind == "hostile":
            files[f"{draw.choice(EXERCISES)}.py"] = draw.choice((LOOPS, EXITS)).encode() + _mark(number)
        code = [name for name in files if name.endswith((".py", ".zip"))]
        earns = "all" if kind == "right" or (kind == "odd" and code == ["work.zip"]) else "some" if code else "none"
        yield Member(number, kind, files, earns)


def _mark(number: int) -> bytes:
    return f"\n# {number}\n".encode()


def _odd(files: dict[str, bytes]) -> Sequence[dict[str, bytes]]:
    """No code at all; one file that cannot be read; everything in an archive."""
    return (
        {"essay.pdf": b"%PDF-1.7"},
        {**files, "residual_add.py": BROKEN.encode()},
        {"work.zip": _zipped(files.items())},
    )


def _zipped(pairs: Any) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in pairs:
            archive.writestr(zipfile.ZipInfo(name, (2026, 9, 14, 23, 59, 0)), content)
    return data.getvalue()


def canvas(one: Member, file: str) -> str:
    """`namewithoutspaces_ID_ATTACHMENT_file`."""
    return f"student{one.number:04d}_{1000 + one.number}_{900000 + one.number}_{file}"


def moodle(one: Member, file: str) -> str:
    """A folder for each student."""
    return f"Student {one.number:04d}_{770000 + one.number}_assignsubmission_file/{file}"


def brightspace(one: Member, file: str) -> str:
    """A folder for each submission, with its time."""
    return f"Lab 2/{39000 + one.number}-640693 - Student {one.number:04d} - Sep 14, 2026 1022 PM/{file}"


def nbgrader(one: Member, file: str) -> str:
    """`submitted/STUDENT/ASSIGNMENT/file`."""
    return f"submitted/student{one.number:04d}/lab2/{file}"


def plain(one: Member, file: str) -> str:
    """A folder for each student."""
    return f"student{one.number:04d}/{file}"


LAYOUTS: dict[str, Callable[[Member, str], str]] = {
    named.__name__: named for named in (canvas, moodle, brightspace, nbgrader, plain)
}


def write_class(path: Path, everybody: Sequence[Member], layout: str) -> None:
    """The download."""
    named = LAYOUTS[layout]
    path.write_bytes(_zipped((named(one, name), data) for one in everybody for name, data in one.files.items()))


class Run(NamedTuple):
    """A class that was graded: seconds, peak memory of the command, and what is not as planned."""

    submissions: int
    seconds: float
    peak_mib: float
    differs: tuple[str, ...]


def run(count: int, layout: str) -> Run:
    """Make a class, grade it in a process of its own, compare."""
    everybody = list(members(count))
    with tempfile.TemporaryDirectory() as folder:
        download, out = Path(folder) / "submissions.zip", Path(folder) / "out"
        write_class(download, everybody, layout)
        begun = time.monotonic()
        call = [sys.executable, "-m", "bench.classes", "--child", str(download), str(out)]
        child = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=False)
        seconds = time.monotonic() - begun
        if child.returncode:
            return Run(count, seconds, 0.0, (child.stderr[-2000:],))
        with open_gradebook(out / "gradebook.db", create=False) as book:
            grades = {one.student: (one.points, one.max_points) for one in book.grades()}
    return Run(count, seconds, float(child.stdout.splitlines()[-1]), tuple(_differs(everybody, grades)))


def _differs(everybody: Sequence[Member], grades: dict[str, tuple[float, float]]) -> Iterator[str]:
    if len(grades) != len(everybody):
        yield f"{len(everybody)} submissions, {len(grades)} rows"
    for one in everybody:
        found = next((grade for key, grade in grades.items() if str(one.number) in _numbers(key)), None)
        if found is None:
            yield f"{one.number} ({one.kind}): no row"
            continue
        points, most = found
        earned = "all" if points == most else "some" if points else "none"
        if earned != one.earns:
            yield f"{one.number} ({one.kind}): {points:g} of {most:g}, planned was {one.earns}"


def _numbers(key: str) -> set[str]:
    """The student's number, however the platform writes it into an id."""
    digits = "".join(one for one in key if one.isdigit())
    return {str(int(digits) - base) for base in (0, 1000, 770000, 39000)} if digits else set()


def child(download: str, out: str) -> None:
    """Grade, then say how much memory this process took (MiB)."""
    from grader.cli import cli

    cli.main(["batch", download, "--out", out, "--course", str(SOLUTIONS), "--no-pages"], standalone_mode=False)


def main() -> int:
    """Grade a class and one of a quarter the size; 1 when something is not as planned."""
    if sys.argv[1:2] == ["--child"]:
        try:
            child(*sys.argv[2:4])
        except SystemExit as end:
            print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
            return int(end.code or 0)
        return 0
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", nargs="?", type=int, default=500)
    parser.add_argument("--layout", choices=LAYOUTS, default="canvas")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    runs = [run(count, options.layout) for count in (max(options.count // 4, 1), options.count)]
    if options.json:
        print(json.dumps([one._asdict() for one in runs], indent=2))
    else:
        for one in runs:
            each = one.seconds / one.submissions
            print(f"{one.submissions:5} submissions  {each:6.2f} s each  {one.peak_mib:6.0f} MiB at most")
            print(*one.differs, sep="\n")
    return int(any(one.differs for one in runs))


if __name__ == "__main__":
    sys.exit(main())
