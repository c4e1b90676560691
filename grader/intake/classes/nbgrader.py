"""nbgrader's `submitted/<student>/<exercise>/…`. Its own words: `coursedir.py` and `apps/collectapp.py`."""

from __future__ import annotations

from datetime import UTC

from grader.intake.classes.layout import Listing, Place
from grader.intake.classes.times import from_stamp
from grader.model.class_handed_in import Person

_SUBMITTED, _TIME = "submitted", "timestamp.txt"
_OTHERS = {
    "source", "release", "autograded", "feedback", "solution", "downloaded", "exchange",
    "gradebook.db", "nbgrader_config.py", "header.ipynb",
}  # fmt: skip


class Nbgrader:
    """`above` are the folders down to `submitted`, empty where the path begins with the students."""

    name = "nbgrader"
    flat = False
    notes: tuple[str, ...] = ()

    def __init__(self, above: tuple[str, ...], listing: Listing) -> None:
        self._above = above
        found = [(path, self._parts(path)) for path in listing.paths]
        exercises = {parts[1] for _, parts in found if parts and len(parts) > 2 and parts[1]}
        self._several = len(exercises) > 1
        self._times = {
            (parts[0], parts[1]): from_stamp(listing.read(path), UTC)
            for path, parts in found
            if parts and len(parts) == 3 and parts[2] == _TIME
        }

    def place(self, path: str) -> Place | None:
        """See `Layout`."""
        parts = self._parts(path)
        if not parts or len(parts) < 3 or not parts[0] or not parts[1]:
            return None
        student, exercise, *rest = parts
        return Place(
            key=student,
            people=(Person(id=student),),
            file="" if rest == [_TIME] else "/".join(rest),
            submitted=self._times.get((student, exercise)),
            assignment=exercise if self._several else "",
        )

    def ignores(self, path: str) -> bool:
        """The other folders of a course, and what lies between its folders."""
        parts = path.split("/")
        own = self._parts(path)
        if own is not None:
            return len(own) < 3
        return len(parts) > len(self._above) - 1 >= 0 and parts[len(self._above) - 1] in _OTHERS

    def _parts(self, path: str) -> list[str] | None:
        parts = path.split("/")
        if tuple(parts[: len(self._above)]) != self._above:
            return None
        return parts[len(self._above) :]


def nbgrader(listing: Listing) -> Nbgrader | None:
    """None without a folder `submitted` and without its time stamps where they belong."""
    for path in listing.paths:
        parts = path.split("/")
        for at, part in enumerate(parts[:2]):
            if part == _SUBMITTED and len(parts) > at + 3:
                return Nbgrader(tuple(parts[: at + 1]), listing)
    stamped = any(path.count("/") == 2 and path.endswith(f"/{_TIME}") for path in listing.paths)
    return Nbgrader((), listing) if stamped or listing.root == _SUBMITTED else None
