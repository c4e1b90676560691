"""Clones of students' repositories, as GitHub Classroom and Classroom 50 name them."""

from __future__ import annotations

import re

from grader.intake.classes.layout import Listing, Place, starts
from grader.model.class_handed_in import Person

MARKER = ".classroom50.yaml"
_ENDING = "-submissions"
_SAID = re.compile(r"^(classroom|assignment):[ \t]*[\"']?([^\"'#\s]+)", re.MULTILINE)
_GROUP = re.compile(r"group-\d+")


class Repositories:
    """Folders `<beginning>-<user>/`, a beginning for each exercise; GitHub tells no upper from lower case."""

    flat = False
    notes: tuple[str, ...] = ()

    def __init__(self, name: str, beginnings: dict[str, str], ignored: str = "") -> None:
        self.name = name
        self._exercises = dict(sorted(beginnings.items(), key=lambda pair: -len(pair[0])))
        self._ignored = ignored

    def place(self, path: str) -> Place | None:
        """See `Layout`."""
        for part, rest in starts(path):
            if not (rest or path.endswith("/")):
                break
            for beginning, exercise in self._exercises.items():
                user = part[len(beginning) :]
                if part.lower().startswith(beginning) and user and f"-{user.lower()}" != _ENDING:
                    group = self.name == "classroom50" and bool(_GROUP.fullmatch(user.lower()))
                    who = Person(id=user, login="" if group else user, repository=part)
                    several = len(self._exercises) > 1
                    return Place(user.lower(), (who,), rest, assignment=exercise if several else "")
        return None

    def ignores(self, path: str) -> bool:
        """A table of grades that lies beside the clones."""
        return bool(self._ignored) and path.endswith(self._ignored) and path.count("/") < 2


def github_classroom(listing: Listing) -> Repositories | None:
    """`gh classroom clone student-repos` makes `<exercise>-submissions/<exercise>-<user>/`; None without the first."""
    folders = {listing.root, *(part for path in listing.paths for part in path.split("/")[:2])}
    exercises = {one[: -len(_ENDING)] for one in folders if one.lower().endswith(_ENDING) and len(one) > len(_ENDING)}
    if not exercises:
        return None
    return Repositories("github-classroom", {f"{exercise.lower()}-": exercise for exercise in exercises}, ".csv")


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
    return Repositories("classroom50", beginnings) if beginnings else None
