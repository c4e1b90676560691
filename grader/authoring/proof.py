"""What `grade verify` finds, as data: the verdict of each known file, what is not as declared or not covered."""

from __future__ import annotations

from typing import Literal

import msgspec

from grader.authoring.headers import Header
from grader.authoring.texts import Reading
from grader.model.limits import Limits

Kind = Literal["solution", "stub", "mistake", "rewrite"]


class Fault(msgspec.Struct, frozen=True):
    """One thing that is not as declared, in parts of a sentence: `file`: wanted `wanted`; got `got`."""

    file: str
    wanted: str
    got: str
    line: int | None = None


class Lost(msgspec.Struct, frozen=True):
    """A check that was not passed."""

    check: str
    verdict: str
    tag: str | None
    note: str = ""


class Seen(msgspec.Struct, frozen=True):
    """What the grader found in a file on one course seed; `tag` and `formula` are those of the first diagnosis.

    `reading` is how much of it there is to read, `steps_note` why the steps for the page could not be had.
    """

    points: float
    max_points: float
    tag: str | None
    formula: str | None
    checks: tuple[str, ...]
    lost: tuple[Lost, ...]
    needs_review: tuple[str, ...]
    reading: Reading | None = None
    steps_note: str = ""

    @property
    def failed(self) -> tuple[str, ...]:
        """The names of the checks that were not passed."""
        return tuple(one.check for one in self.lost)

    @property
    def broken(self) -> tuple[Lost, ...]:
        """Checks that could not be carried out, which is never the fault of the file."""
        return tuple(one for one in self.lost if one.verdict == "grader_error")


class Spent(msgspec.Struct, frozen=True):
    """What a file took: seconds to be loaded, and in its slowest check, where the check's own work counts too.

    `memory_mib` is the most memory of its worker beyond what that was started with; None where nobody tells.
    """

    load_seconds: float
    check_seconds: float
    slowest: str
    memory_mib: int | None = None


class Proposal(msgspec.Struct, frozen=True):
    """`[limits]` that follow from what the solution took (`spent`: the fastest on any seed, the most memory on any).

    `memory_mib` is None where nobody tells what a worker took.
    """

    spent: Spent
    load_seconds: float
    check_seconds: float
    memory_mib: int | None = None


class Judged(msgspec.Struct, frozen=True):
    """A known file, what was found in it and spent on each course seed, and what is not as declared."""

    file: str
    kind: Kind
    header: Header | None
    seen: tuple[Seen, ...]
    faults: tuple[Fault, ...]
    spent: tuple[Spent, ...] = ()


class Coverage(msgspec.Struct, frozen=True):
    """A check and the mistakes that fail it."""

    check: str
    mistakes: tuple[str, ...]


class ExerciseProof(msgspec.Struct, frozen=True):
    """All known files of an exercise.

    `unread` are faults of files that could not be judged at all; `limits` is None where the solution is one of them.
    """

    name: str
    files: tuple[Judged, ...]
    checks: tuple[Coverage, ...]
    unread: tuple[Fault, ...]
    warnings: tuple[str, ...]
    limits: Proposal | None = None

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Everything that is not as declared."""
        return (*self.unread, *(fault for judged in self.files for fault in judged.faults))


class Proof(msgspec.Struct, frozen=True):
    """What is proven of a course, or of some of its exercises. `limits` are those in force."""

    course: str
    seeds: int
    exercises: tuple[ExerciseProof, ...]
    limits: Limits = Limits()

    @property
    def proven(self) -> bool:
        """Whether everything is as declared."""
        return not self.faults

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Everything that is not as declared."""
        return tuple(fault for exercise in self.exercises for fault in exercise.faults)

    @property
    def broken(self) -> bool:
        """Whether a check could not be carried out."""
        return any(seen.broken for exercise in self.exercises for judged in exercise.files for seen in judged.seen)
