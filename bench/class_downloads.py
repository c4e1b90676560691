"""The made-up class as each platform hands it out. Every id ends in the four digits of the student's number."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from bench.class_members import Member, zipped

Files = Iterator[tuple[str, bytes]]
_TIME = "2026-09-14-23-51-00"


def number_of(key: str) -> int:
    """The number of the student with this id; -1 for an id that none of them has."""
    return int("".join(one for one in key if one.isdigit())[-4:] or -1)


def write_class(path: Path, everybody: Sequence[Member], layout: str) -> None:
    """The download."""
    path.write_bytes(zipped(LAYOUTS[layout](everybody)))


def _named(pattern: str) -> Callable[[Sequence[Member]], Files]:
    """A layout in which the path of each file says whose it is: `{n}` four digits, `{at}` the number of the file."""

    def files(everybody: Sequence[Member]) -> Files:
        for one in everybody:
            for at, (name, data) in enumerate(one.files.items()):
                yield pattern.format(n=f"{one.number:04d}", at=at, file=name), data

    return files


def _blackboard(everybody: Sequence[Member]) -> Files:
    """With a receipt for each attempt."""
    for one in everybody:
        user = f"student{one.number:04d}"
        stem = f"Lab 2_{user}_attempt_{_TIME}"
        lines = [f"Name: Student {one.number:04d} ({user})", "Assignment: Lab 2"]
        for name, data in one.files.items():
            lines += [f"\tOriginal filename: {name}", f"\tFilename: {stem}_{name}"]
            yield f"{stem}_{name}", data
        yield f"{stem}.txt", "\n".join(lines).encode()


def _gradescope(everybody: Sequence[Member]) -> Files:
    """With the table that says whose they are."""
    lines = ["---"]
    for one in everybody:
        n = f"{one.number:04d}"
        lines += [f"submission_8{n}:", "  :submitters:", f"  - :name: Student {n}", f"    :sid: '26{n}'"]
        lines += [f"    :email: student{n}@example.edu", "  :created_at: 2026-09-14 22:10:05.000000000 Z"]
    yield "assignment_512_export/submission_metadata.yml", "\n".join(lines).encode()
    yield from _named("assignment_512_export/submission_8{n}/{file}")(everybody)


def _nbgrader(everybody: Sequence[Member]) -> Files:
    """With the times that it writes down."""
    for one in everybody:
        yield f"submitted/student{one.number:04d}/lab2/timestamp.txt", b"2026-09-14 22:10:05.120000 UTC\n"
    yield from _named("submitted/student{n}/lab2/{file}")(everybody)


def _classroom50(everybody: Sequence[Member]) -> Files:
    """With the marker of each repository."""
    for one in everybody:
        marker = b'classroom: "cs7"\nassignment: "lab2"\n'
        yield f"cs7-lab2-student{one.number:04d}/.classroom50.yaml", marker
    yield from _named("cs7-lab2-student{n}/exercises/{file}")(everybody)


LAYOUTS: dict[str, Callable[[Sequence[Member]], Files]] = {
    "canvas": _named("student{n}_1{n}_9{n}{at}_{file}"),
    "moodle-folders": _named("Student {n}_77{n}_assignsubmission_file/{file}"),
    "moodle-flat": _named("Student {n}_77{n}_assignsubmission_file_{file}"),
    "blackboard": _blackboard,
    "brightspace": _named("Lab 2/3{n}-64{n} - Student {n} - Sep 14, 2026 1022 PM/{file}"),
    "gradescope": _gradescope,
    "nbgrader": _nbgrader,
    "github-classroom": _named("lab2-submissions/lab2-student{n}/exercises/{file}"),
    "classroom50": _classroom50,
    "plain": _named("student{n}/{file}"),
}
