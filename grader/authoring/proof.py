"""What `grade verify` finds, as data: the verdict of each known file, what is not as declared or not covered."""

from __future__ import annotations

from typing import Literal

import msgspec

from grader.authoring.headers import Header

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
    """What the grader found in a file on one course seed; `tag` and `formula` are those of the first diagnosis."""

    points: float
    max_points: float
    tag: str | None
    formula: str | None
    checks: tuple[str, ...]
    lost: tuple[Lost, ...]
    needs_review: tuple[str, ...]

    @property
    def failed(self) -> tuple[str, ...]:
        """The names of the checks that were not passed."""
        return tuple(one.check for one in self.lost)

    @property
    def broken(self) -> tuple[Lost, ...]:
        """Checks that could not be carried out, which is never the fault of the file."""
        return tuple(one for one in self.lost if one.verdict == "grader_error")


class Judged(msgspec.Struct, frozen=True):
    """A known file, what was found in it on each course seed, and what is not as declared."""

    file: str
    kind: Kind
    header: Header | None
    seen: tuple[Seen, ...]
    faults: tuple[Fault, ...]


class Coverage(msgspec.Struct, frozen=True):
    """A check and the mistakes that fail it."""

    check: str
    mistakes: tuple[str, ...]


class ExerciseProof(msgspec.Struct, frozen=True):
    """All known files of an exercise. `unread` are faults of files that could not be judged at all."""

    name: str
    files: tuple[Judged, ...]
    checks: tuple[Coverage, ...]
    unread: tuple[Fault, ...]
    warnings: tuple[str, ...]

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Everything that is not as declared."""
        return (*self.unread, *(fault for judged in self.files for fault in judged.faults))


class Proof(msgspec.Struct, frozen=True):
    """What is proven of a course, or of some of its exercises."""

    course: str
    seeds: int
    exercises: tuple[ExerciseProof, ...]

    @property
    def proven(self) -> bool:
        """Whether everything is as declared."""
        return not any(exercise.faults for exercise in self.exercises)

    @property
    def broken(self) -> bool:
        """Whether a check could not be carried out."""
        return any(seen.broken for exercise in self.exercises for judged in exercise.files for seen in judged.seen)
