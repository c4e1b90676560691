"""Which of several mistakes to mend first."""

from __future__ import annotations

from typing import Any

NOT_WRITTEN = "not-written"
_RAN = frozenset({"passed", "partial", "failed"})


def first_to_mend(exercises: list[dict[str, Any]]) -> int | None:
    """The exercise whose diagnosis is the open card: the failure whose repair unlocks most. None when there is none.

    1. An exercise that is written and could not run at all comes first: until it runs, no check can say anything.
    2. Else the diagnosis that holds back most points: those lost in its own check, and in all checks of the exercise
       that report the same kind of mistake.
    3. An exercise that is not written yet comes last: what is begun is finished first.

    Where two are equal, the more points first, then the order of the course.
    """
    told = [at for at, exercise in enumerate(exercises) if exercise["diagnosis"] is not None]
    return max(told, key=lambda at: (_rank(exercises[at]), held_back(exercises[at]), -at), default=None)


def held_back(exercise: dict[str, Any]) -> float:
    """The points that the diagnosis of an exercise holds back: all of them where nothing could run."""
    diagnosis = exercise["diagnosis"]
    lost = {check["name"]: check["max_points"] - check["points"] for check in exercise["checks"]}
    if could_not_run(exercise["checks"]):
        return float(sum(lost.values()))
    return float(
        sum(
            lost[check["name"]]
            for check in exercise["checks"]
            if check["name"] == diagnosis["check"] or (diagnosis["tag"] and check["tag"] == diagnosis["tag"])
        )
    )


def could_not_run(checks: list[dict[str, Any]]) -> bool:
    """Whether the exercise stopped before its checks: all of them say the same, or none but one has a result."""
    verdicts = [check["verdict"] for check in checks]
    others = [verdict for verdict in verdicts if verdict != "not_run"]
    alike = len({(check["verdict"], check["happened"]) for check in checks}) == 1 and len(checks) > 1
    if alike and verdicts[0] not in ("passed", "needs_review", "grader_error"):
        return True
    return len(others) < len(verdicts) and len(others) <= 1 and not _RAN.intersection(others)


def _rank(exercise: dict[str, Any]) -> int:
    if exercise["diagnosis"]["tag"] == NOT_WRITTEN or exercise["file"] is None:
        return 0
    return 2 if could_not_run(exercise["checks"]) else 1
