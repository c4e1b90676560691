"""From a record to the page of one student. Secrets end here: what is not named below does not reach a page.

`staff` is never read, and the evidence of hidden checks is dropped even where a record holds some.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from reports.by_hand import by_hand
from reports.figures import Flow
from reports.lateness import Kept, late, points_of
from reports.page import Card, CheckTable, CheckView, ExerciseView, Link, NotRunGroup, StudentPage, VerdictView
from reports.student.evidence import bounded, evidence, printed
from reports.student.explain import NOTHING, cards, explanation, told_by
from reports.student.flow.drawing import flow
from reports.student.gradients import gradients
from reports.student.headline import about, amount_of, confinement_level, summary
from reports.student.priority import could_not_run, first_to_mend
from reports.student.replay import replay
from reports.text import block, line, points, short_points
from reports.words import count, say, words

__all__ = ["confinement_level", "student_view"]

SKIPPED_FILES = 40
REMARKS = 20


def student_view(record: dict[str, Any], kept: Kept | None = None) -> StudentPage:
    """The page of one student, from a record as `grade/record/v1` has it, and what lateness leaves of its points."""
    first = first_to_mend(record["exercises"])
    exercises = tuple(_exercise(exercise, at + 1, above=at == first) for at, exercise in enumerate(record["exercises"]))
    skipped = [
        say("page.skipped_file", path=line(file["path"]), reason=line(file["reason"]))
        for file in record["submission"]["skipped"]
    ]
    return StudentPage(
        language="en",
        title=line(record["course"]["name"]),
        points=points(points_of(record, kept)),
        max_points=short_points(record["max_points"]),
        summary=summary(record, kept),
        late=(late(record, kept),) if kept and kept.is_late else (),
        first=() if first is None else exercises[first].cards,
        first_notes=_first_notes(record, first),
        links=tuple(Link(exercise.anchor, exercise.title) for exercise in exercises),
        exercises=exercises,
        skipped=(bounded(skipped, SKIPPED_FILES),) if skipped else (),
        about=about(record, kept),
    )


def _first_notes(record: dict[str, Any], first: int | None) -> tuple[str, ...]:
    """What is said below the first card, or in its place."""
    others = sum(exercise["diagnosis"] is not None for exercise in record["exercises"]) - 1
    if first is not None:
        return (say("page.others", count=count("exercises", others)),) if others > 0 else ()
    full = record["points"] >= record["max_points"]
    undecided = any(check["verdict"] != "passed" for one in record["exercises"] for check in one["checks"])
    return (say("page.see_below" if undecided or not full else "page.all_done"),)


def _exercise(exercise: dict[str, Any], at: int, *, above: bool) -> ExerciseView:
    title, checks = line(exercise["title"]), exercise["checks"]
    score = say("page.points", points=short_points(exercise["points"]), max=short_points(exercise["max_points"]))
    card = Card(f"next-{at}", title, score, _verdict(exercise["verdict"]), NOTHING, ())
    told = cards(exercise, card)
    groups = _not_run_groups(exercise)
    explained = say("page.explained_above" if above else "page.explained_here")
    rows = tuple(_check(check, exercise["diagnosis"], Link(card.anchor, explained)) for check in checks)
    rows = tuple(
        replace(row, grouped=True, why=()) if _reason(check) in groups else row
        for row, check in zip(rows, checks, strict=True)
    )
    stopped, measured = could_not_run(checks) and not exercise.get("quiz"), exercise.get("gradients") or {}
    shown = tuple(part for check in checks for part in evidence(check, measured.get("caption", "")))
    notes = tuple(group.note for group in groups.values())
    return ExerciseView(
        anchor=f"exercise-{at}",
        name=line(exercise["name"]),
        title=title,
        optional=(say("page.optional"),) if exercise.get("optional") else (),
        quiz=bool(exercise.get("quiz")),
        verdict=card.verdict,
        points=points(exercise["points"]),
        max_points=short_points(exercise["max_points"]),
        score=score,
        remarks=bounded([block(remark) for remark in exercise["remarks"]], REMARKS),
        cards=told,
        later=() if above else told,
        notes=_notes(exercise, title),
        checks=rows,
        groups=tuple(groups.values()),
        stopped=(_stopped(len(checks), above=above),) if stopped else (),
        tables=() if stopped else (CheckTable(_caption(title, checks), _works(checks), rows, notes),),
        evidence=(shown,) if shown and not stopped else (),
        flows=() if stopped else _flows(exercise),
        replays=() if stopped else replay(exercise.get("trace") or []),
        gradients=() if stopped else gradients(measured),
        printed=printed(exercise["printed"]),
    )


def _verdict(kind: str) -> VerdictView:
    return VerdictView(kind, words()["sign"][kind], words()["verdict"][kind])


def _check(check: dict[str, Any], diagnosis: dict[str, Any] | None, card: Link) -> CheckView:
    told = told_by(diagnosis, check)
    passed = check["verdict"] == "passed"
    return CheckView(
        order=-1 if passed else list(words()["sign"]).index(check["verdict"]),
        title=line(check["title"]),
        concept=line(check["concept"]),
        visibility=words()["visibility"][check["visibility"]],
        verdict=_verdict(check["verdict"]),
        score=_score(check["points"], check["max_points"]),
        why=() if passed or told else (explanation(check, check["hints"]),),
        see=(card,) if told else (),
        remarks=bounded([*by_hand(check), *(block(remark) for remark in check["remarks"])], REMARKS),
        grouped=False,
    )


def _caption(title: str, checks: list[dict[str, Any]]) -> str:
    hidden = sum(check["visibility"] != "visible" for check in checks)
    told = say("page.checks_caption", title=title, shown=count("checks", len(checks) - hidden), hidden=hidden)
    return told if hidden else say("page.checks_caption_all", title=title, shown=count("checks", len(checks)))


def _works(checks: list[dict[str, Any]]) -> str:
    passed = [check for check in checks if check["verdict"] == "passed"]
    if not passed:
        return say("page.works_not_yet")
    earned = amount_of(sum(check["points"] for check in passed))
    kind = "all" if len(passed) == len(checks) else "one" if len(passed) == 1 else "some"
    return say(f"page.works_{kind}", passed=len(passed), all=count("checks", len(checks)), amount=earned)


def _flows(exercise: dict[str, Any]) -> tuple[Flow, ...]:
    """The formula of the diagnosis, else the first that a check has, as a drawing."""
    told = [exercise["diagnosis"] or {}, *exercise["checks"]]
    formula = next((one["formula"] for one in told if one.get("formula")), None)
    return flow(formula) if formula else ()


def _stopped(number: int, *, above: bool) -> str:
    return say("page.stopped_above" if above else "page.stopped_here", count=count("checks", number))


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
