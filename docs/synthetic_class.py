"""Makes a class of invented students from real records: `python docs/synthetic_class.py FOLDER [N] [SEED]`.

Every stub, solution, rewrite and known mistake of the course is graded once, as `grade submit` would. N students (200
unless told) are then put together from these results: each has a skill, known mistakes differ in how often they are
made, some students hand in again, some leave an exercise out. Files of two students differ, but for a few pairs; in one
record a check is said to have met an error of ours. FOLDER gets one record for each submission and an overrides.csv.
"""

from __future__ import annotations

import csv
import hashlib
import random
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

from grader.intake import accept
from grader.judges import judge_all
from grader.model import record as r
from grader.model.course import Course, load_course
from grader.model.job import Job
from grader.model.submission import Submission
from grader.pipeline import timing, to_record
from grader.sandbox.launch import launcher

ROOT = Path(__file__).resolve().parents[1]
KINDS = ("solution", "rewrites", "mistakes", "stub", "missing")
RIGHT = ("solution", "rewrites")
FIRST = "Ada Ben Chloé Dai Elif Femi Grace Hana Ivan Jaya Kofi Lena Mats Noor Olga Pía Quinn Ravi Sena Tomás"
LAST = "Abe Baker Çelik Diaz Eze Fuchs Gupta Haddad Ito Jung Khan Lopez Meyer Novák Okafor"
BEGIN = datetime(2026, 9, 7, 8, tzinfo=UTC)

Pool = dict[str, dict[str, list[r.Record]]]  # by exercise and kind: records of one exercise each


@dataclass
class Student:
    """Who hands in: `skill` is the chance to get an exercise right."""

    name: str
    skill: float
    attempts: list[dict[str, r.Record]] = field(default_factory=list)


def graded(course: Course, folder: Path) -> Pool:
    """What each file gets, from the same pipeline as any submission."""
    handed_in = [(exercise, kind, one) for exercise, kind, one in _submissions(course, folder)]
    pool: Pool = {exercise.name: {kind: [] for kind in KINDS} for exercise in course.exercises}
    with launcher() as started:
        finished = judge_all((Job(course, submission) for _, _, submission in handed_in), started)
        for (exercise, kind, submission), one in zip(handed_in, finished, strict=True):
            seconds = {"checks": sum(check.seconds for result in one.results for check in result.checks)}
            record = to_record(course, submission, one, timing(one, BEGIN, seconds))
            pool[exercise][kind].append(r.for_student(record))
    return pool


def _submissions(course: Course, folder: Path) -> Iterator[tuple[str, str, Submission]]:
    for exercise in course.exercises:
        there = Path(exercise.folder)
        files = [("solution", there / "solution.py"), ("stub", ROOT / "exercises" / f"{exercise.name}.py")]
        files += [(kind, path) for kind in ("rewrites", "mistakes") for path in sorted((there / kind).glob("*.py"))]
        for kind, path in files:
            copy = folder / exercise.name / kind / path.stem / f"{exercise.name}.py"
            copy.parent.mkdir(parents=True)
            shutil.copy(path, copy)
            yield exercise.name, kind, accept(copy, course, only=(exercise.name,))
        notes = folder / exercise.name / "missing" / "notes.py"
        notes.parent.mkdir(parents=True)
        notes.write_text("# I have not begun yet.\n", encoding="utf-8")
        yield exercise.name, "missing", accept(notes.parent, course, only=(exercise.name,))


def students(pool: Pool, number: int, chance: random.Random) -> list[Student]:
    """The class, each with all that was handed in. The last few copy the work of those before them."""
    names = [f"{first} {last}" for last in LAST.split() for first in FIRST.split()]
    chance.shuffle(names)
    liked = {name: _popular(kinds["mistakes"], chance) for name, kinds in pool.items()}
    listed = []
    for at in range(number):
        suffix = f" {at // len(names) + 1}" if at >= len(names) else ""
        student = Student(names[at % len(names)] + suffix, min(0.97, chance.betavariate(2, 2.2)))
        for attempt in range(chance.choices((1, 2, 3, 4), (55, 25, 13, 7))[0]):
            before = student.attempts[-1] if student.attempts else {}
            student.attempts.append(
                {
                    name: _next(kinds, liked[name], before.get(name), student.skill + 0.05 * attempt, chance)
                    for name, kinds in pool.items()
                }
            )
        listed.append(student)
    return listed


def _popular(mistakes: list[r.Record], chance: random.Random) -> list[r.Record]:
    """Mistakes in an order of their own: the first ones are made most often."""
    return chance.sample(mistakes, len(mistakes))


def _next(
    kinds: dict[str, list[r.Record]],
    liked: list[r.Record],
    before: r.Record | None,
    skill: float,
    chance: random.Random,
) -> r.Record:
    if before is not None and (before.points == before.max_points or chance.random() < 0.35):
        return before
    drawn = chance.random()
    if drawn < skill:
        return chance.choice([one for kind in RIGHT for one in kinds[kind]])
    if drawn > 0.93:
        return chance.choice(kinds["missing"] + kinds["stub"])
    return chance.choices(liked, [1 / (rank + 1) ** 1.3 for rank in range(len(liked))])[0]


def record_of(student: Student, attempt: int, started: datetime, alike: Student | None) -> r.Record:
    """One submission as a whole; its files have digests of their own, unless they are those of another student."""
    parts = list(student.attempts[attempt].values())
    owner = (alike or student).name
    files = tuple(
        r.FileRecord(file.path, _digest(owner, file.digest)) for part in parts for file in part.submission.files
    )
    seconds = {name: value for part in parts for name, value in part.timing.seconds.items() if name != "checks"}
    return msgspec.structs.replace(
        parts[0],
        submission=r.SubmissionRecord(
            student.name, _digest(*(file.digest for file in files)), tuple(dict.fromkeys(files)), (), attempt + 1
        ),
        exercises=tuple(exercise for part in parts for exercise in part.exercises),
        points=round(sum(part.points for part in parts), 2),
        max_points=round(sum(part.max_points for part in parts), 2),
        timing=r.Timing(started.isoformat(timespec="seconds"), {"checks": round(sum(seconds.values()), 3), **seconds}),
    )


def _digest(*parts: str) -> str:
    return "sha256:" + hashlib.sha256("\0".join(parts).encode()).hexdigest()


def with_an_error_of_ours(record: r.Record) -> r.Record:
    """The same record, in which one check could not be carried out."""
    first, *others = record.exercises
    check = msgspec.structs.replace(
        first.checks[-1], verdict="grader_error", points=0.0, happened="The check stopped with an error.", expected=""
    )
    checks = (*first.checks[:-1], check)
    first = msgspec.structs.replace(first, checks=checks, points=round(sum(one.points for one in checks), 2))
    exercises = (first, *others)
    return msgspec.structs.replace(record, exercises=exercises, points=round(sum(one.points for one in exercises), 2))


def write(out: Path, listed: list[Student], chance: random.Random) -> int:
    """All records, each in a file of its own; returns how many."""
    out.mkdir(parents=True, exist_ok=True)
    copied = _copied(listed)
    written = 0
    for at, student in enumerate(listed):
        started = BEGIN + timedelta(minutes=chance.randrange(6 * 24 * 60))
        for attempt in range(len(student.attempts)):
            record = record_of(student, attempt, started, copied.get(at))
            record = with_an_error_of_ours(record) if at == 2 else record
            (out / f"{at + 1:04d}-{attempt + 1}.json").write_bytes(r.to_json(record))
            started += timedelta(minutes=chance.randrange(5, 600))
            written += 1
    return written


def _copied(listed: list[Student]) -> dict[int, Student]:
    """The last two students hand in what the first two who lost points handed in, by number of the copy."""
    lost = [one for one in listed if any(part.points < part.max_points for part in one.attempts[-1].values())]
    copied = {}
    for at, source in zip((len(listed) - 1, len(listed) - 2), lost, strict=False):
        if listed[at] is not source:
            listed[at].attempts = source.attempts[-1:]
            copied[at] = source
    return copied


def write_overrides(path: Path, listed: list[Student]) -> None:
    """Two decisions of a teacher, as `grade report --overrides` reads them."""
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(("student", "exercise", "check", "points", "reason", "by"))
        for student in listed[3:5]:
            name, record = next(iter(student.attempts[-1].items()))
            check = record.exercises[0].checks[-1]
            rows.writerow((student.name, name, check.name, check.max_points, "Looked at by hand: it is right.", "MK"))


def main() -> None:
    """Grade, compose, write."""
    if not sys.argv[1:]:
        raise SystemExit(__doc__)
    out = Path(sys.argv[1])
    number, seed = (int(text) for text in (*sys.argv[2:4], *("200", "5")[len(sys.argv[2:4]) :]))
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        pool = graded(load_course(ROOT / "solutions"), Path(folder))
    listed = students(pool, number, chance)
    written = write(out, listed, chance)
    write_overrides(out / "overrides.csv", listed)
    files = sum(len(found) for kinds in pool.values() for found in kinds.values())
    print(f"{files} files graded; {written} records of {number} students in {out}")


if __name__ == "__main__":
    main()
