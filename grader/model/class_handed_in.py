"""A class as it was handed in: who handed in what and when, read from names alone; the bytes stay where they lie."""

from __future__ import annotations

import msgspec

from grader.model.submission import Skipped


class Person(msgspec.Struct, frozen=True):
    """Who handed in, in the words of the place it came from; what is not known is empty.

    `id` is what the platform tells people apart by, `number` the university's number, `repository` that of a clone.
    A name is for reading: two people may share it, so nobody is ever found by it.
    """

    id: str
    name: str = ""
    login: str = ""
    email: str = ""
    number: str = ""
    repository: str = ""

    @property
    def known_as(self) -> tuple[str, ...]:
        """All that tells this person from others, which a name does not."""
        every = (self.id, self.login, self.email, self.number, self.repository)
        return tuple(dict.fromkeys(one for one in every if one))


class Introduced(msgspec.Struct, frozen=True):
    """Who a student is, or all members of a group, where that is known from, and the names their files came under."""

    people: tuple[Person, ...]
    platform: str = ""
    sources: tuple[str, ...] = ()


class Member(msgspec.Struct, frozen=True):
    """A file of a hand-in: its path as the student named it, and where it lies (the name and the place in order)."""

    path: str
    source: str
    number: int


class HandIn(msgspec.Struct, frozen=True):
    """One attempt of one student, or of a group.

    `key` is the same for all attempts of one student and differs between students; `student` is the same for reading.
    `submitted` is ISO 8601, without an offset where the platform tells none. `late` is what the platform said, None
    where it says nothing. `skipped`, `notes` and `attention` (somebody should look) tell what was noticed so far:
    archives inside have not been opened.
    """

    key: str
    student: str
    people: tuple[Person, ...]
    attempt: int = 1
    submitted: str | None = None
    late: bool | None = None
    members: tuple[Member, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    notes: tuple[str, ...] = ()
    attention: tuple[str, ...] = ()
    anonymous: bool = False
    assignment: str = ""

    @property
    def files(self) -> tuple[str, ...]:
        """The paths of all files, as the student named them."""
        return tuple(member.path for member in self.members)


class ClassHandedIn(msgspec.Struct, frozen=True):
    """What a download, a folder of clones or a folder of folders was understood as.

    `layout` is a name of `grader.intake.classes.LAYOUTS`, or "pattern". `skipped` belongs to nobody; `junk` counts what
    systems leave behind, by reason, everywhere.
    """

    path: str
    layout: str
    hand_ins: tuple[HandIn, ...]
    skipped: tuple[Skipped, ...] = ()
    junk: dict[str, int] = {}
    notes: tuple[str, ...] = ()


class Enrolled(msgspec.Struct, frozen=True):
    """A line of a roster. `ids` are its values that tell a person from others, as written, by column."""

    ids: dict[str, str]
    name: str = ""
    email: str = ""
    section: str = ""


class Row(msgspec.Struct, frozen=True):
    """A student with all attempts, oldest first; none of them: nothing was handed in.

    `enrolled` is None for somebody whom the roster does not name (or without a roster). `hand_ins` of a group stand
    in the row of each of its members.
    """

    student: str
    enrolled: Enrolled | None
    hand_ins: tuple[HandIn, ...] = ()


class Attempts(msgspec.Struct, frozen=True):
    """All attempts of one student, oldest first, and those that are to be graded; `reason` says why these."""

    key: str
    every: tuple[HandIn, ...]
    chosen: tuple[HandIn, ...]
    reason: str
