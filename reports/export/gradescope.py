"""Gradescope: `/autograder/results/results.json` of one submission, by its autograder specification."""

from __future__ import annotations

import json
from typing import Any

from reports.export.rows import CheckRow, ExerciseRow, Row, figure, rounded
from reports.text import block, json_text, line
from reports.words import say, words

_TAG_CHARACTERS = 60


def results(row: Row, seconds: float | None = None) -> bytes:
    """What Gradescope shows of a student's work; `seconds` is how long the grading took.

    The total is that after lateness, of the points for what all have to do. A check that could not be graded has no
    score, and then there is no total either: Gradescope adds up what was graded, and where nothing was, it says
    that grading did not succeed. Checks are visible, because a single hidden one hides the total from students, and
    the text of hidden checks tells nothing that students may not read; only a check for after the deadline, with
    the total, is held back until then.
    """
    made: dict[str, Any] = {} if row.grade is None else {"score": rounded(row.grade)}
    if seconds is not None:
        made["execution_time"] = round(seconds, 2)
    made |= {
        "output": _output(row),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "extra_data": {"state": row.state, "attempt": row.attempt},
        "tests": [
            _test(exercise, check, f"{at}.{nth}")
            for at, exercise in enumerate(row.exercises, 1)
            for nth, check in enumerate(exercise.checks, 1)
        ],
    }
    return json_text((json.dumps(made, indent=2, ensure_ascii=False) + "\n").encode("utf-8", "replace"))


def _output(row: Row) -> str:
    told = {"points": figure(row.points), "max": figure(row.max_points)}
    first = "comment_points" if row.points is not None else "nothing_yet" if row.state == "missing" else "our_fault"
    said = [say(f"export.{first}", **told)]
    if row.late and row.late.sentence:
        said.append(block(row.late.sentence))
    said += [
        say("export.comment_step", exercise=line(one.title), step=block(one.next_step))
        for one in row.exercises
        if one.next_step
    ]
    return "\n".join(said)


def _test(exercise: ExerciseRow, check: CheckRow, number: str) -> dict[str, Any]:
    graded = check.points is not None
    full = check.points is not None and check.points >= check.max_points
    score = {"score": rounded(check.points)} if check.points is not None else {}
    return {
        "number": number,
        "name": f"{line(exercise.title)}: {line(check.title)}",
        **score,
        "max_score": check.max_points,
        **({"status": "passed" if full else "failed"} if graded else {}),
        "output": _explained(check, full=full),
        "output_format": "text",
        "tags": [line(check.tag, _TAG_CHARACTERS)] if check.tag else [],
        "visibility": "after_due_date" if check.visibility == "after_deadline" else "visible",
        "extra_data": {"exercise": exercise.name, "check": check.name, "verdict": check.verdict},
    }


def _explained(check: CheckRow, *, full: bool) -> str:
    """The verdict unless it is plain, what happened, and what was expected."""
    verdict = words()["verdict"].get(check.verdict, line(check.verdict))
    said = [] if full and check.verdict == "passed" else [verdict]
    for key, text in (("happened", check.happened), ("expected", check.expected)):
        if text:
            said.append(f"{say(f'page.{key}')}: {block(text)}")
    return "\n".join(said)
