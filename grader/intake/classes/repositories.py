"""Clones of students' repositories, as GitHub Classroom and Classroom 50 name them."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from datetime import UTC

from grader.intake import names
from grader.intake.classes.layout import Listing, Place, starts
from grader.intake.classes.times import from_stamp
from grader.model.class_handed_in import Person

MARKER = ".classroom50.yaml"
_ENDING = "-submissions"
_SAID = re.compile(r"^(classroom|assignment):[ \t]*[\"']?([^\"'#\s]+)", re.MULTILINE)
_GROUP = re.compile(r"group-\d+")
_WHOSE = ("student_repository_name", "repository", "github_username", "username")
_WHEN = ("submission_timestamp", "submitted_at", "datetime", "timestamp")
_BY_COMMIT = (
    "The time of {who} is that of the last commit, which whoever commits can set. A table of GitHub's times beside the "
    "clones (`gh classroom assignment-grades`) counts instead."
)


class Repositories:
    """Folders `<beginning>-<user>/`, a beginning for each exercise; GitHub tells no upper from lower case."""

    flat = False

    def __init__(self, name: str, beginnings: dict[str, str], listing: Listing) -> None:
        self.name = name
        self.notes: tuple[str, ...] = ()
        self._exercises = dict(sorted(beginnings.items(), key=lambda pair: -len(pair[0])))
        self._listing = listing
        beside = [path for path in listing.paths if self.ignores(path) and self._clone(path) is None]
        self._tables = [(path, dict(_times(listing.read(path)))) for path in beside]
        self._times: dict[str, str | None] = {}
        self._told: dict[str, list[str]] = {}

    def place(self, path: str) -> Place | None:
        """See `Layout`."""
        if (found := self._clone(path)) is None:
            return None
        clone, user, exercise = found
        group = self.name == "classroom50" and bool(_GROUP.fullmatch(user.lower()))
        who = Person(id=user, login="" if group else user, repository=clone.rpartition("/")[2])
        return Place(
            user.lower(),
            (who,),
            path.removeprefix(clone).lstrip("/"),
            submitted=self._time(clone, user),
            assignment=exercise if len(self._exercises) > 1 else "",
        )

    def _clone(self, path: str) -> tuple[str, str, str] | None:
        """The clone that the path leads to, its user and its exercise."""
        for part, rest in starts(path):
            if not (rest or path.endswith("/")):
                break
            for beginning, exercise in self._exercises.items():
                user = part[len(beginning) :]
                if part.lower().startswith(beginning) and user and f"-{user.lower()}" != _ENDING:
                    return path[: len(path) - len(rest)].rstrip("/"), user, exercise
        return None

    def ignores(self, path: str) -> bool:
        """A table of grades, or of times, that lies beside the clones."""
        return path.endswith(".csv") and path.count("/") < 2

    def _time(self, clone: str, user: str) -> str | None:
        """Of a table, else that of the last commit; `notes` tells which."""
        if clone not in self._times:
            known = (clone.rpartition("/")[2].lower(), user.lower())
            for path, times in self._tables:
                if time := next((times[one] for one in known if one in times), None):
                    self._tell(time, clone, f"The time of {{who}} is that in {names.quoted(path)}.")
                    break
            else:
                self._tell(self._listing.committed(clone), clone, _BY_COMMIT)
        return self._times[clone]

    def _tell(self, time: str | None, clone: str, source: str) -> None:
        self._times[clone] = time
        if time is not None:
            self._told.setdefault(source, []).append(clone.rpartition("/")[2])
            self.notes = tuple(
                note.replace("{who}", names.listed(sorted(those), most=5)) for note, those in self._told.items()
            )


def _times(table: str) -> Iterator[tuple[str, str]]:
    """Repositories and users, in lower case, with the time beside them; none where it is another table."""
    try:
        for row in csv.DictReader(table.splitlines()):
            cells = {str(name).strip().lower(): str(value or "").strip() for name, value in row.items()}
            time = next((found for name in _WHEN if (found := from_stamp(cells.get(name, ""), UTC))), None)
            if time:
                yield from ((cells[name].lower(), time) for name in _WHOSE if cells.get(name))
    except csv.Error:
        return


def github_classroom(listing: Listing) -> Repositories | None:
    """`gh classroom clone student-repos` makes `<exercise>-submissions/<exercise>-<user>/`; None without the first."""
    folders = {listing.root, *(part for path in listing.paths for part in path.split("/")[:2])}
    exercises = {one[: -len(_ENDING)] for one in folders if one.lower().endswith(_ENDING) and len(one) > len(_ENDING)}
    if not exercises:
        return None
    return Repositories("github-classroom", {f"{exercise.lower()}-": exercise for exercise in exercises}, listing)


def classroom50(listing: Listing) -> Repositories | None:
    """Reads the marker that lies in repositories of Classroom 50; None if it lies in none."""
    beginnings = {}
    for path in listing.paths:
        parts = path.split("/")
        if parts[-1] == MARKER and 2 <= len(parts) <= 4:
            said = dict(_SAID.findall(listing.read(path)))
            beginning = f"{said.get('classroom', '')}-{said.get('assignment', '')}-".lower()
            if "classroom" in said and "assignment" in said and parts[-2].lower().startswith(beginning):
                beginnings[beginning] = said["assignment"]
    return Repositories("classroom50", beginnings, listing) if beginnings else None
