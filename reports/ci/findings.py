"""What a CI system is told of each check: safe text, and a place that it can find in the repository."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from reports.text import block, line, short_points
from reports.words import count, say, words

Kind = Literal["passed", "partial", "lost", "stopped", "undecided", "not_run", "ungraded"]

_KINDS: dict[str, Kind] = {
    "passed": "passed",
    "partial": "partial",
    "failed": "lost",
    "needs_review": "undecided",
    "not_run": "not_run",
    "grader_error": "ungraded",
}
_PATH_CHARACTERS = 400
_MESSAGE_CHARACTERS, _MESSAGE_LINES = 3500, 60


@dataclass(frozen=True)
class Base:
    """Where the submission lies in the repository: `exercises`, "" at its root; None outside it or in an archive."""

    folder: str | None = ""

    def path(self, name: str) -> str:
        """The path of a file of the submission from the repository's root; by its name alone where it is outside."""
        return line(f"{self.folder}/{name}" if self.folder else name, _PATH_CHARACTERS)


@dataclass(frozen=True)
class Finding:
    """A check. `message` is "" for a passed one; `line` is 0 where there is none, as in a notebook."""

    exercise: str
    check: str
    title: str
    verdict: str
    sign: str
    kind: Kind
    points: float
    max_points: float
    message: str
    path: str
    line: int
    first: bool
    tag: str
    seconds: float | None

    @property
    def amount(self) -> str:
        """`2.5/5`."""
        return f"{short_points(self.points)}/{short_points(self.max_points)}"

    @property
    def key(self) -> str:
        """What stays the same from run to run, whatever the line."""
        return f"{self.exercise}.{self.check}"


def findings(record: dict[str, Any], base: Base) -> Iterator[Finding]:
    """All checks in the order of the record; evidence and staff parts are not read."""
    seconds = record["timing"].get("seconds") or {}
    for exercise in record["exercises"]:
        diagnosis = exercise["diagnosis"] or {}
        for check in exercise["checks"]:
            where = check["where"] or {}
            first = bool(diagnosis) and check["name"] == diagnosis["check"]
            yield Finding(
                exercise=line(exercise["name"]),
                check=line(check["name"]),
                title=line(check["title"]),
                verdict=words()["verdict"].get(check["verdict"], line(check["verdict"])),
                sign=words()["sign"].get(check["verdict"], ""),
                kind=_KINDS.get(check["verdict"], "stopped"),
                points=float(check["points"]),
                max_points=float(check["max_points"]),
                message="" if check["verdict"] == "passed" else _message(check, diagnosis if first else {}),
                path=base.path(where.get("file") or exercise["file"] or f"{exercise['name']}.py"),
                line=0 if where.get("cell") else int(where.get("line") or 0),
                first=first,
                tag=line(check["tag"] or "", 60),
                seconds=seconds.get(f"{exercise['name']}.{check['name']}"),
            )


def more(number: int) -> str:
    """`and 3 more`."""
    return count("more", number)


def _message(check: dict[str, Any], diagnosis: dict[str, Any]) -> str:
    """Never empty: what happened, what was expected, and for the first thing to mend the next step."""
    said = []
    formula, where = check["formula"], check["where"]
    wrong = formula and formula["found"] != formula["expected"]
    if wrong:
        key = "ci.computes" if formula["found"] else "ci.computes_unknown"
        said.append(say(key, found=line(formula["found"]), expected=line(formula["expected"])))
    if check["happened"]:
        said.append(say("ci.happened", text=block(check["happened"])))
    if check["expected"] and not wrong:
        said.append(say("ci.expected", text=block(check["expected"])))
    if where and where["cell"]:
        place = say("place.cell", file=line(where["file"]), cell=where["cell"], line=where["line"])
        said.append(say("ci.in_cell", place=place))
    step = diagnosis.get("next_step") or next(iter(check["hints"]), "")
    if step:
        said.append(say("ci.next", text=block(step)))
    verdict = words()["verdict"].get(check["verdict"], line(check["verdict"]))
    return block("\n".join(said) or say("ci.no_text", verdict=verdict), _MESSAGE_CHARACTERS, _MESSAGE_LINES)
