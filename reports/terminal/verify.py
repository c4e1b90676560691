"""A proof of a course's checks (`grade verify`) in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reports.text import line
from reports.words import count, say

if TYPE_CHECKING:
    from rich.console import Console

LONGEST = 1000
# Times what the solution took: students' code may well need more than that.
TIGHT = {"load_seconds": 5, "check_seconds": 5, "memory_mib": 2}


def show(proof: dict[str, Any], console: Console) -> None:
    """Print each exercise's checks with the mistakes that fail them, then what is not as declared, and the result."""
    from rich.text import Text

    for exercise in proof["exercises"]:
        _show_exercise(exercise, proof["seeds"], console)
        if exercise["limits"]:
            _show_limits(exercise["limits"], proof["limits"], console)
    for warning in (warning for exercise in proof["exercises"] for warning in exercise["warnings"]):
        console.print(Text(say("verify.warning", warning=line(warning, LONGEST)), style="yellow"), soft_wrap=True)
    faults: dict[tuple[str, str], list[str]] = {}
    for fault in (fault for exercise in proof["exercises"] for fault in _faults(exercise)):
        place = say("verify.line", **fault) if fault["line"] else fault["file"]
        faults.setdefault((fault["wanted"], fault["got"]), []).append(place)
    for (wanted, got), places in faults.items():
        more = say("verify.more", count=count("more", len(places) - 1)) if places[1:] else ""
        told = say("verify.fault", place=places[0] + more, wanted=wanted, got=got)
        console.print(Text(line(told, LONGEST), style="red"), soft_wrap=True)
    number = sum(map(len, faults.values()))
    result = say("verify.proven") if proof["proven"] else say("verify.unproven", count=count("things", number))
    console.print(Text(result, style="bold"))


def _faults(exercise: dict[str, Any]) -> list[dict[str, Any]]:
    return [*exercise["unread"], *(fault for judged in exercise["files"] for fault in judged["faults"])]


def _show_exercise(exercise: dict[str, Any], seeds: int, console: Console) -> None:
    from rich.table import Table
    from rich.text import Text

    kinds = [judged["kind"] for judged in exercise["files"]]
    numbers = {f"{kind}s": count(f"{kind}s", kinds.count(kind)) for kind in ("mistake", "rewrite")}
    name, is_quiz = line(exercise["name"]), not kinds and exercise["checks"]
    title = say("verify.exercise", name=name, seeds=count("seeds", seeds), **numbers)
    if is_quiz:
        title = say("verify.quiz", name=name, questions=count("questions", len(exercise["checks"])))
    console.print(Text(title, style="bold"))
    table = Table(box=None, padding=(0, 1), header_style="dim")
    table.add_column(say("verify.check"))
    table.add_column(say("verify.mistakes"), justify="right")
    table.add_column(say("verify.only"), overflow="fold")
    for covered in exercise["checks"]:
        mistakes = covered["mistakes"]
        only = line(mistakes[0].rpartition("/")[2]) if len(mistakes) == 1 and not is_quiz else ""
        table.add_row(Text(line(covered["check"])), str(len(mistakes)), Text(only))
    console.print(table)


def _show_limits(proposal: dict[str, Any], in_force: dict[str, Any], console: Console) -> None:
    """What the solution took and what to allow; in colour where hardly more is allowed now."""
    from rich.text import Text

    spent = proposal["spent"]
    told = spent["memory_mib"] is not None
    memory = say("verify.memory", mib=spent["memory_mib"]) if told else say("verify.no_memory")
    took = {"load": f"{spent['load_seconds']:.2f}", "check": f"{spent['check_seconds']:.2f}", "memory": memory}
    console.print(Text(say("verify.limits", slowest=line(spent["slowest"]), **took), style="dim"), soft_wrap=True)
    for key in ("load_seconds", "check_seconds", *(["memory_mib"] if told else [])):
        tight = in_force[key] < TIGHT[key] * spent[key]
        values = {"now": f"{in_force[key]:g}", "proposed": f"{proposal[key]:g}"}
        advice = say("verify.tight" if tight else "verify.ample", setting=key, **values)
        console.print(Text(advice, style="yellow" if tight else "dim"), soft_wrap=True)
