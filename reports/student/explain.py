"""Why a check did not pass, and what to do next: from the record's words to cards."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from reports.page import Card, Explanation, Fact, PlaceView
from reports.student.formula import compare
from reports.student.frame import frame
from reports.student.headline import amount_of
from reports.student.priority import could_not_run, held_back
from reports.text import block, line
from reports.words import say

NOTHING = Explanation((), (), (), ())
_CODE_CHARACTERS = 160


def explanation(told: dict[str, Any], hints: list[str]) -> Explanation:
    """From a check or a diagnosis of the record: both have happened, expected, formula and where."""
    facts = [
        Fact(say(f"page.{part}"), block(told[part].strip()))
        for part in ("happened", "expected", "why_it_matters")
        if told.get(part, "").strip()
    ]
    return Explanation(
        facts=tuple(facts),
        formulas=(compare(told["formula"]),) if told.get("formula") else (),
        places=(place(told["where"]),) if told.get("where") else (),
        hints=tuple(Fact(say("page.hint", n=n), block(hint)) for n, hint in enumerate(hints, 1)),
    )


def place(where: dict[str, Any]) -> PlaceView:
    """The place in words: a line of a file, or of a code cell of a notebook; a line of 0 is not known."""
    known = "file_only" if not where["line"] else "cell" if where.get("cell") is not None else "file"
    name = say(f"place.{known}", file=line(where["file"]), cell=where.get("cell"), line=where["line"])
    code = line(str(where.get("code") or "").strip(), _CODE_CHARACTERS)
    return PlaceView(name, (code,) if code else (), frame(where))


def told_by(diagnosis: dict[str, Any] | None, check: dict[str, Any]) -> bool:
    """Whether the diagnosis says all that this check says, so that the page need not say it twice."""
    return (
        diagnosis is not None
        and diagnosis["check"] == check["name"]
        and all(diagnosis[part] == check[part] for part in ("happened", "expected"))
    )


def cards(exercise: dict[str, Any], card: Card) -> tuple[Card, ...]:
    """`card` with the diagnosis of `exercise` in it, or none for an exercise without one."""
    diagnosis = exercise["diagnosis"]
    if diagnosis is None:
        return ()
    next_step = diagnosis["next_step"].strip()
    hints = [
        hint
        for check in exercise["checks"]
        if check["name"] == diagnosis["check"]
        for hint in check["hints"]
        if hint.strip() != next_step
    ]
    told = explanation({**diagnosis, "why_it_matters": diagnosis.get("why", "")}, hints)
    steps = (block(next_step),) if next_step else ()
    return (replace(card, explanation=told, next_steps=steps, reasons=_reasons(exercise)),)


def _reasons(exercise: dict[str, Any]) -> tuple[str, ...]:
    """Why to start here, where points depend on it."""
    held = held_back(exercise)
    if held <= 0:
        return ()
    return (say("page.reason_run" if could_not_run(exercise["checks"]) else "page.reason", amount=amount_of(held)),)
