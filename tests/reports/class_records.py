"""A small class made of the sample records, each under a name of its own."""

import copy
import hashlib
import json
from pathlib import Path
from typing import Any

from grader.cli.by_hand import put_in, read
from reports.classroom.roster import Student, roster

RECORDS = Path(__file__).parents[1] / "samples" / "records"
NAMES = ("Ada L.", "Ben", "Chloé", "Dai", "Eve", "Femi", "Grace", "Hana", "Ivan", "Jaya", "Kofi", "Lena")
KINDS = ("missing_skip", "full_marks", "missing_skip", "stub", "full_marks", "missing_skip")

Record = dict[str, Any]


def sample(name: str) -> Record:
    return json.loads((RECORDS / f"{name}.json").read_text(encoding="utf-8"))


def record(kind: str, student: str, attempt: int = 1, file: str = "") -> Record:
    """A sample record of `student`; its files are their own, unless `file` is a digest for them."""
    made = sample(kind)
    made["submission"] |= {"student": student, "attempt": attempt, "digest": digest(student, attempt)}
    for one in made["submission"]["files"]:
        one["digest"] = file or digest(student, attempt, one["path"])
    return made


def digest(*parts: object) -> str:
    """A digest that nothing else has."""
    return "sha256:" + hashlib.sha256(repr(parts).encode()).hexdigest()


def with_points(made: Record, *points: float) -> Record:
    """The same record with these points for the checks of its first exercise."""
    made = copy.deepcopy(made)
    exercise = made["exercises"][0]
    for check, value in zip(exercise["checks"], points, strict=True):
        verdict = "passed" if value == check["max_points"] else "partial" if value else "failed"
        check |= {"points": value, "verdict": verdict}
    exercise["points"] = made["points"] = sum(points)
    return made


def with_verdict(made: Record, verdict: str) -> Record:
    """The same record whose last check ended in another way."""
    made = copy.deepcopy(made)
    made["exercises"][0]["checks"][-1]["verdict"] = verdict
    return made


def class_of_twelve() -> list[tuple[str, Record]]:
    """Twelve students; the second handed in three times, the fourth waits for a teacher, the last two are alike."""
    made = [record(KINDS[at % len(KINDS)], name) for at, name in enumerate(NAMES)]
    made[1] = record("missing_skip", "Ben", 3)
    made[3] = with_verdict(made[4], "needs_review") | {"submission": made[3]["submission"]}
    made[10], made[11] = (record("missing_skip", name, file=digest("same")) for name in NAMES[10:])
    made += [record("missing_skip", "Ben", 1), record("missing_skip", "Ben", 2)]
    return [(f"{at:02}.json", one) for at, one in enumerate(made)]


def changed(stored: list[tuple[str, Record]], overrides: str) -> tuple[tuple[Student, ...], tuple[str, ...]]:
    """The students with points changed by hand, and the rows of the file that were left out."""
    students = roster(stored)
    taken = read(overrides, students)
    return put_in(taken, students), taken.problems
