"""Canvas, *Download submissions*. Its own words: `lib/content_zipper.rb` and `app/models/attachment.rb`."""

from __future__ import annotations

import re

from grader.intake import names
from grader.intake.classes.layout import Listing, Place, joined, starts
from grader.model.class_handed_in import Person

# A name keeps letters of every script with their marks, digits and `_`; of ASCII nothing else is left.
_WHO = (
    r"(?:(?P<name>(?!LATE_)[^\x00-\x20!-/:-@\[-^`{-\x7f]*?)_)?"
    r"(?:(?P<late>LATE)_)?(?:(?P<user>\d+)|(?P<anonymous>anon_[A-Za-z0-9]+))_"
)
_UPLOAD = re.compile(_WHO + r"(?P<attachment>\d+)_(?P<file>.+)", re.DOTALL)
_TYPED = re.compile(_WHO + r"(?P<file>(?:text|link)\.html)")
_TAKEN = re.compile(r"-(?:\d{1,2}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?=(?:\.[A-Za-z]\w*)*\.\w+$)", re.ASCII)


class Canvas:
    """Members `<name>[_LATE]_<user id>_<attachment id>_<file>`; the latest attempt only."""

    name = "canvas"
    flat = True
    notes: tuple[str, ...] = ()

    def place(self, path: str) -> Place | None:
        """See `Layout`."""
        for part, rest in starts(path):
            if match := _TYPED.fullmatch(part) or _UPLOAD.fullmatch(part):
                anonymous = match["anonymous"]
                who = anonymous or match["user"]
                name = match["name"] or ""
                return Place(
                    key=who,
                    people=(Person(id=who, name=name),),
                    file=joined(match["file"], rest, path),
                    late=bool(match["late"]),
                    anonymous=bool(anonymous),
                    note=_note(match["file"]),
                )
        return None

    def ignores(self, path: str) -> bool:
        """See `Layout`."""
        return False


def canvas(listing: Listing) -> Canvas:
    """The layout; nothing need be read for it."""
    return Canvas()


def _note(file: str) -> str:
    if not (match := _TAKEN.search(file)):
        return ""
    return f"{names.quoted(file)}: Canvas adds {names.quoted(match[0])} where a file of that name was handed in before."
