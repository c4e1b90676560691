"""The made-up class: who hands in what, and what becomes of each exercise. The same each time.

Right and wrong are files of the repository (wrong ones each with the tag that is named for it), odd what is lost or
found by the way it was handed in, hostile what must cost nobody else anything.
"""

from __future__ import annotations

import io
import json
import random
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from bench.submissions import known, tag_of
from grader.errors import IntakeError
from grader.intake import accept
from grader.intake.parsing import Parsers
from grader.model.course import Course, load_course
from grader.model.record import ExerciseRecord

ROOT = Path(__file__).resolve().parents[1]
SOLUTIONS = ROOT / "solutions"
FULL, NOTHING = "full marks", "no points"
SEED = 20261130

Files = dict[str, bytes]
Odd = Callable[[Files], tuple[Files, dict[str, str]]]

# Each is one file, in place of an exercise's own; none defines what is asked for.
HOSTILE = {
    "loops": """
while True:
    pass
""",
    "exits": """
import os
os._exit(0)
""",
    "forks": """
import os
while True:
    os.fork()
""",
    "fills the memory": """
x = bytearray(1 << 40)
""",
    "grows": """
x = []
while True:
    x.append(bytes(1 << 20))
""",
    "floods": """
while True:
    print("x" * 4096)
""",
    "kills": """
import os, signal
for process in (os.getppid(), *range(2, 400)):
    try:
        os.kill(process, signal.SIGKILL)
    except OSError:
        pass
""",
    "steers the terminal": """
print("\\x1b[2J\\x1b]0;gone\\x07" * 99)
raise ValueError("\\u202e\\x1b[31m</script>")
""",
    "forges a result": """
for descriptor in range(3, 64):
    try:
        open(descriptor, "wb", closefd=False).write(b'{"points": 99}')
    except OSError:
        pass
""",
    "nests": f"x = {'-' * 90_000}1",
}


class Member(NamedTuple):
    """One submission: its files, and by exercise `FULL`, `NOTHING`, or the tag of the mistake that costs points."""

    number: int
    kind: str
    files: Files
    planned: dict[str, str]

    def differs(self, exercises: Iterable[ExerciseRecord]) -> Iterator[str]:
        """What is not as planned, a sentence for each exercise."""
        found = {one.name: one for one in exercises}
        for name, planned in self.planned.items():
            if (one := found.get(name)) is None:
                yield f"{self.number} ({self.kind}): no {name}"
                continue
            tag = one.diagnosis.tag if one.diagnosis else None
            lost = one.points < one.max_points
            right = {FULL: not lost, NOTHING: not one.points}.get(planned, lost and tag == planned)
            if not right:
                told = f"{one.points:g} of {one.max_points:g}, {tag}"
                yield f"{self.number} ({self.kind}): {name}: {told}; planned was {planned}"


def members(count: int) -> Iterator[Member]:
    """Of ten about five are right, three wrong, two odd; of fifty one is hostile."""
    draw = random.Random(SEED)
    right, wrong = drawn_from(are_right=True), drawn_from(are_right=False)
    names = list(right)
    kinds = {name: iter(()) for name in ("odd", "hostile")}
    for number in range(count):
        files = {f"{name}.py": draw.choice(right[name]).read_bytes() + _mark(number) for name in names}
        planned = dict.fromkeys(names, FULL)
        kind = "hostile" if number % 50 == 7 else draw.choices(("right", "wrong", "odd"), (5, 3, 2))[0]
        name = draw.choice(names)
        if kind == "wrong":
            source = draw.choice(wrong[name])
            files[f"{name}.py"], planned[name] = source.read_bytes() + _mark(number), tag_of(source)
        elif kind == "hostile":
            which, code = _next(kinds, kind, HOSTILE)
            files[f"{name}.py"], planned[name], kind = code.encode() + _mark(number), NOTHING, f"hostile: {which}"
        elif kind == "odd":
            which, change = _next(kinds, kind, ODD)
            files, lost = change(files)
            planned, kind = planned | lost, f"odd: {which}"
        yield Member(number, kind, files, planned)


@cache
def drawn_from(*, are_right: bool) -> dict[str, list[Path]]:
    """By the name of each required exercise, the known files that answer it alone.

    One that answers another exercise, too, counts for that wherever the file of that exercise is lost, empty or a stub.
    """
    course = load_course(SOLUTIONS)
    with Parsers() as parsers:
        return {
            name: [path for path in known(name, are_right=are_right) if answered(path, course, parsers) == (name,)]
            for name in (one.name for one in course.exercises if not one.optional)
        }


def answered(path: Path, course: Course, parsers: Parsers) -> tuple[str, ...]:
    """The exercises that intake finds in a file, whatever it is called."""
    try:
        return tuple(work.exercise for work in accept(path, course, parsers=parsers).works)
    except IntakeError:
        return ()


def _next(kinds: dict[str, Iterator[Any]], kind: str, every: Mapping[str, Any]) -> tuple[str, Any]:
    """One after the other, and from the beginning again: each is there as often as the others."""
    found = next(kinds[kind], None)
    if found is None:
        kinds[kind] = iter(every.items())
        found = next(kinds[kind])
    return str(found[0]), found[1]


def _mark(number: int) -> bytes:
    return f"\n# {number}\n".encode()


def zipped(pairs: Iterable[tuple[str, bytes]]) -> bytes:
    """A zip; of the same files always the same bytes."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in pairs:
            archive.writestr(zipfile.ZipInfo(name, (2026, 9, 14, 23, 59, 0)), content, zipfile.ZIP_DEFLATED)
    return data.getvalue()


def _first(files: Files) -> str:
    return next(iter(files))


def _no_code(files: Files) -> tuple[Files, dict[str, str]]:
    return {"essay.pdf": b"%PDF-1.7"}, {name.removesuffix(".py"): NOTHING for name in files}


def _broken(files: Files) -> tuple[Files, dict[str, str]]:
    return _with_first(files, b"class ResidualAdd(:\n"), {_first(files).removesuffix(".py"): NOTHING}


def _empty(files: Files) -> tuple[Files, dict[str, str]]:
    return _with_first(files, b""), {_first(files).removesuffix(".py"): NOTHING}


def _stub(files: Files) -> tuple[Files, dict[str, str]]:
    name = _first(files)
    return _with_first(files, (ROOT / "exercises" / name).read_bytes()), {name.removesuffix(".py"): NOTHING}


def _other_encoding(files: Files) -> tuple[Files, dict[str, str]]:
    name = _first(files)
    return _with_first(files, files[name] + "# é\n".encode("latin-1")), {name.removesuffix(".py"): NOTHING}


def _with_first(files: Files, data: bytes) -> Files:
    return {**files, _first(files): data}


def _in_an_archive(files: Files) -> tuple[Files, dict[str, str]]:
    return {"work.zip": zipped((f"my work/{name}", data) for name, data in files.items())}, {}


def _in_two_archives(files: Files) -> tuple[Files, dict[str, str]]:
    return {"work.zip": zipped([("inner.zip", zipped(files.items())), ("__MACOSX/._inner.zip", b"\0")])}, {}


def _as_notebooks(files: Files) -> tuple[Files, dict[str, str]]:
    made = {}
    for name, data in files.items():
        cells = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": data.decode()}]
        made[name.replace(".py", ".ipynb")] = json.dumps({"cells": cells, "nbformat": 4, "nbformat_minor": 5}).encode()
    return made, {}


def _renamed(files: Files) -> tuple[Files, dict[str, str]]:
    return {f"final version {at}.py": data for at, data in enumerate(files.values())}, {}


def _as_windows_saves(files: Files) -> tuple[Files, dict[str, str]]:
    return {name: b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n") for name, data in files.items()}, {}


def _among_junk(files: Files) -> tuple[Files, dict[str, str]]:
    return {**files, "notes.md": b"# x", "Thumbs.db": b"\0" * 512, "data.csv": b"1,2\n" * 99}, {}


ODD: dict[str, Odd] = {
    "no code": _no_code,
    "a broken file": _broken,
    "an empty file": _empty,
    "a stub": _stub,
    "not UTF-8": _other_encoding,
    "in an archive": _in_an_archive,
    "in two archives": _in_two_archives,
    "as notebooks": _as_notebooks,
    "renamed": _renamed,
    "saved by Windows": _as_windows_saves,
    "among junk": _among_junk,
}
