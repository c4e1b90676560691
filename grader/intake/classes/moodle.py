"""Moodle, *Download all submissions*. Its own words: `mod/assign/classes/downloader.php` and `importziplib.php`."""

from __future__ import annotations

import re

from grader.intake.classes.layout import Listing, Place, joined, starts
from grader.model.class_handed_in import Person

# Moodle writes a space for each `_` of a name. Groups have no login, and the default group has no number.
_WHO = (
    r"(?:(?:(?P<login>[^_]+)_)?(?P<name>[^_]+)_(?P<id>\d+)|(?P<group>[^_]+))"
    r"_assignsubmission_(?P<plugin>[a-z]+)"
)
_FOLDER = re.compile(_WHO + "_?")
_FLAT = re.compile(_WHO + "_(?P<file>.+)", re.DOTALL)
_BLIND = "participant"


class Moodle:
    """Folders `<Full name>_<id>_assignsubmission_file/`, with a `_` at the end before 4.1, or files named so."""

    notes: tuple[str, ...] = ()

    def __init__(self, *, flat: bool) -> None:
        self.flat = flat
        self.name = "moodle-flat" if flat else "moodle-folders"

    def place(self, path: str) -> Place | None:
        """See `Layout`."""
        for part, rest in starts(path):
            match = (_FLAT if self.flat else _FOLDER).fullmatch(part)
            if match and (self.flat or rest or path.endswith("/")):
                return _placed(match, joined(match["file"], rest, path) if self.flat else rest)
        return None

    def ignores(self, path: str) -> bool:
        """See `Layout`."""
        return False


def _placed(match: re.Match[str], file: str) -> Place:
    name = match["name"] or match["group"]
    who = Person(id=match["id"] or name, name=name, login=match["login"] or "")
    return Place(key=who.id, people=(who,), file=file, anonymous=name.casefold() == _BLIND)


def moodle_folders(listing: Listing) -> Moodle:
    """One folder for each student and each way of handing in."""
    return Moodle(flat=False)


def moodle_flat(listing: Listing) -> Moodle:
    """All files side by side."""
    return Moodle(flat=True)
