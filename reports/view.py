"""From a record to the page of one student. Secrets end here: what is not named below does not reach a page.

`staff` is never read, and the evidence of hidden checks is dropped even where a record holds some.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from reports.evidence import bounded, evidence, gradients, printed
from reports.explain import NOTHING, cards, explanation, told_by
from reports.page import (
    Card,
    CheckTable,
    CheckView,
    ExerciseView,
    Fact,
    Link,
    NotRunGroup,
    StudentPage,
    VerdictView,
)
from reports.text import block, line, points, short_digest, short_points
from reports.words import count, say, words

SKIPPED_FILES = 40
REMARKS = 20
_RAN = frozenset({"passed", "partial", "failed"})


def student_view(record: dict[str, Any]) -> StudentPage:
    """The page of one student, from a record as `grade/record/v1` has it."""
    exercises = tuple(_exercise(exercise, at) for at, exercise in enumerate(record["exercises"], 1))
    skipped = [
        say("page.skipped_file", path=line(file["path"]), reason=line(file["reason"]))
        for file in record["submission"]["skipped"]
    ]
    return StudentPage(
        language="en",
        title=line(record["course"]["name"]),
        points=points(record["points"]),
        max_points=short_points(record["max_points"]),
        summary=_summary(record),
        links=tuple(Link(exercise.anchor, exercise.title) for exercise in exercises),
        exercises=exercises,
        skipped=(bounded(skipped, SKIPPED_FILES),) if skipped else (),
        about=_about(record),
    )


def _summary(record: dict[str, Any]) -> tuple[str, ...]:
    verdicts = [check["verdict"] for exercise in record["exercises"] for check in exercise["checks"]]
    return (
        say("page.points", points=short_points(record["points"]), max=short_points(record["max_points"])),
        say("page.passed", passed=verdicts.count("passed"), all=len(verdicts)),
        say("page.attempt", attempt=record["submission"].get("attempt", 1)),
        say("page.digest", digest=short_digest(record["submission"]["digest"])),
    )


def _exercise(exercise: dict[str, Any], at: int) -> ExerciseView:
    title, checks = line(exercise["title"]), exercise["checks"]
    score = say("page.points", points=short_points(exercise["points"]), max=short_points(exercise["max_points"]))
    card = Card(f"next-{at}", title, score, _verdict(exercise["verdict"]), NOTHING, ())
    groups = _not_run_groups(exercise)
    rows = tuple(_check(check, exercise["diagnosis"], at, n) for n, check in enumerate(checks, 1))
    rows = tuple(
        replace(row, grouped=True, why=()) if _reason(check) in groups else row
        for row, check in zip(rows, checks, strict=True)
    )
    stopped = _could_not_run(checks)
    caption = say("page.checks_caption", title=title)
    shown = tuple(part for check in checks for part in evidence(check))
    return ExerciseView(
        anchor=f"exercise-{at}",
        name=line(exercise["name"]),
        title=title,
        verdict=card.verdict,
        points=points(exercise["points"]),
        max_points=short_points(exercise["max_points"]),
        score=score,
        remarks=bounded([block(remark) for remark in exercise["remarks"]], REMARKS),
        cards=cards(exercise, card),
        notes=_notes(exercise, title),
        checks=rows,
        groups=tuple(groups.values()),
        stopped=(say("page.could_not_run", count=count("checks", len(checks))),) if stopped else (),
        tables=() if stopped else (CheckTable(caption, rows, tuple(group.note for group in groups.values())),),
        evidence=(shown,) if shown else (),
        gradients=() if stopped else gradients(exercise.get("gradients") or {}),
        printed=printed(exercise["printed"]),
    )


def _verdict(kind: str) -> VerdictView:
    return VerdictView(kind, words()["sign"][kind], words()["verdict"][kind])


def _check(check: dict[str, Any], diagnosis: dict[str, Any] | None, at: int, n: int) -> CheckView:
    told = told_by(diagnosis, check)
    passed = check["verdict"] == "passed"
    return CheckView(
        anchor=f"check-{at}-{n}",
        title=line(check["title"]),
        concept=line(check["concept"]),
        visibility=words()["visibility"][check["visibility"]],
        verdict=_verdict(check["verdict"]),
        score=_score(check["points"], check["max_points"]),
        why=() if passed or told else (explanation(check, check["hints"]),),
        see=(Link(f"next-{at}", say("page.explained")),) if told else (),
        remarks=bounded([block(remark) for remark in check["remarks"]], REMARKS),
        grouped=False,
    )


def _score(earned: float, most: float) -> str:
    """Points of the most there are; a check that only reports is worth none."""
    return say("page.score", points=points(earned), max=short_points(most)) if most else say("page.no_points")


def _reason(check: dict[str, Any]) -> str | None:
    return str(check["happened"]) if check["verdict"] == "not_run" else None


def _not_run_groups(exercise: dict[str, Any]) -> dict[str | None, NotRunGroup]:
    """The reasons that keep two or more checks from running, each with its group."""
    reasons = Counter(reason for check in exercise["checks"] if (reason := _reason(check)) is not None)
    diagnosis = exercise["diagnosis"]
    groups: dict[str | None, NotRunGroup] = {}
    for reason, number in reasons.items():
        if number < 2:
            continue
        checks = [check for check in exercise["checks"] if _reason(check) == reason]
        known = not reason.strip() or (diagnosis is not None and diagnosis["happened"] == reason)
        sentence, how_many = block(reason.strip()), count("checks", number)
        groups[reason] = NotRunGroup(
            reasons=() if known else (sentence,),
            checks=how_many,
            note=say("page.not_run_group" if sentence else "page.not_run_group_plain", count=how_many, reason=sentence),
            verdict=_verdict("not_run"),
            score=_score(0.0, sum(check["max_points"] for check in checks)),
        )
    return groups


def _could_not_run(checks: list[dict[str, Any]]) -> bool:
    """Whether the exercise stopped before its checks: some were not run, at most one says why, none has a result."""
    verdicts = [check["verdict"] for check in checks]
    others = [verdict for verdict in verdicts if verdict != "not_run"]
    return len(others) < len(verdicts) and len(others) <= 1 and not _RAN.intersection(others)


def _notes(exercise: dict[str, Any], title: str) -> tuple[str, ...]:
    """What stands in the place of a card, or beside it when a part of the trouble is ours."""
    if any(check["verdict"] == "grader_error" for check in exercise["checks"]):
        return (say("page.our_fault", title=title),)
    if exercise["diagnosis"] is not None:
        return ()
    undecided = sum(check["verdict"] == "needs_review" for check in exercise["checks"])
    if undecided:
        return (say("page.needs_review", title=title, count=count("checks", undecided)),)
    full = exercise["points"] >= exercise["max_points"]
    return (say("page.full_marks" if full else "page.see_checks", title=title),)


def _about(record: dict[str, Any]) -> tuple[Fact, ...]:
    """What the numbers depend on; of the timing only the date, so that two runs of a day give the same page."""
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
    confinement = ", ".join(line(layer) for layer in environment["confinement"])
    facts = {
        "student": line(submission["student"]),
        "date": line(record["timing"]["started"][:10]),
        "course": named,
        "files": ", ".join(bounded(files, SKIPPED_FILES)),
        **{part: line(environment.get(part, "")) for part in ("grader", "python", "torch", "system")},
        "confinement": say(f"about.confinement_{confinement_level(environment)}", layers=confinement),
        "unconfined": ", ".join(
            say("about.without", layer=line(layer), reason=line(reason))
            for layer, reason in environment.get("unconfined", {}).items()
        ),
        "limits": ", ".join(limits),
    }
    return tuple(Fact(say(f"about.{name}"), value) for name, value in facts.items() if value)


def confinement_level(environment: dict[str, Any]) -> str:
    """How far grades made there count; records from before it was noted were made without the layers for it."""
    level: str = environment.get("confinement_level", "practice")
    return level
