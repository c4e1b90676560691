"""What stands above and below a student's results: the sums, and what they depend on."""

from __future__ import annotations

import re
from typing import Any

from reports.lateness import Kept, before_it, points_of
from reports.page import Fact
from reports.student.evidence import bounded
from reports.text import line, short_digest, short_points
from reports.words import count, say

FILES = 40
_STARTED = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(?:Z|\+00:00)", re.ASCII)


def summary(record: dict[str, Any], kept: Kept | None = None) -> tuple[str, ...]:
    """The points that count, checks, attempt with the change since the one before, time."""
    verdicts = [check["verdict"] for exercise in record["exercises"] for check in exercise["checks"]]
    return (
        say("page.points", points=short_points(points_of(record, kept)), max=short_points(record["max_points"])),
        *before_it(record, kept),
        say("page.passed", passed=verdicts.count("passed"), all=len(verdicts)),
        _attempt(record),
        _time(record),
    )


def _attempt(record: dict[str, Any]) -> str:
    attempt, before = record["submission"].get("attempt", 1), record["submission"].get("previous")
    if not before:
        return say("page.attempt", attempt=attempt)
    if before["max_points"] != record["max_points"]:
        was = say("page.points", points=short_points(before["points"]), max=short_points(before["max_points"]))
        return say("page.attempt_other", attempt=attempt, before=before["attempt"], was=was)
    change = round(record["points"] - before["points"], 6)
    kind = "more" if change > 0 else "fewer" if change < 0 else "same"
    return say(f"page.attempt_{kind}", attempt=attempt, before=before["attempt"], change=amount_of(abs(change)))


def _time(record: dict[str, Any]) -> str:
    started = line(record["timing"]["started"], 40)
    known = _STARTED.fullmatch(started)
    return say("page.time", date=known[1], time=known[2]) if known else started


def about(record: dict[str, Any], kept: Kept | None = None) -> tuple[Fact, ...]:
    """What the numbers depend on; of the timing only the start. Lateness has a place of its own."""
    submission, course, environment = record["submission"], record["course"], record["environment"]
    files = [
        say("about.digest_of", name=line(file["path"]), digest=short_digest(file["digest"]))
        for file in submission["files"]
    ]
    limits = [
        say("about.limit", name=line(name).replace("_", " "), value=line(value))
        for name, value in environment["limits"].items()
    ]
    named = say("about.digest_of", name=line(course["name"]), digest=short_digest(course["digest"]))
    confinement = ", ".join(line(layer).replace("_", " ") for layer in environment["confinement"])
    facts = {
        "student": line(submission["student"]),
        "date": _time(record),
        "deadline": line(kept.sentence) if kept and not kept.is_late else "",
        "attempt": line(submission.get("attempt", 1)),
        "course": named,
        **{kind: _left_out(kind, course) for kind in ("held_back", "at_deadline")},
        "digest": short_digest(submission["digest"]),
        "files": ", ".join(bounded(files, FILES)),
        **{part: line(environment.get(part, "")) for part in ("grader", "python", "torch", "system")},
        "confinement": say(f"about.confinement_{confinement_level(environment)}", layers=confinement),
        "unconfined": ", ".join(
            say("about.without", layer=line(layer), reason=line(reason))
            for layer, reason in environment.get("unconfined", {}).items()
        ),
        "limits": ", ".join(limits),
    }
    return tuple(Fact(say(f"about.{name}"), value) for name, value in facts.items() if value)


def _left_out(kind: str, course: dict[str, Any]) -> str:
    checks = course.get(kind, 0)
    return say(f"about.{kind}_checks", checks=count("checks", checks)) if checks else ""


def confinement_level(environment: dict[str, Any]) -> str:
    """How far grades made there count; records from before it was noted were made without the layers for it."""
    level: str = environment.get("confinement_level", "practice")
    return level


def amount_of(value: float) -> str:
    """Points with their noun: `1 point`, `2.5 points`."""
    return say("count.points_one" if value == 1 else "count.points_other", n=short_points(value))
