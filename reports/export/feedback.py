"""Zips of pages to hand back: named so that Canvas and Moodle know from the name alone whose page it is."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Iterable
from typing import BinaryIO

from reports.export.outcome import Written, told
from reports.export.rows import Row

# As Canvas named what it handed out; on the way back it takes the first two parts that are numbers (student, file).
_CANVAS = re.compile(r"((?:[^/]*?_)?(?:\d+|anon_[A-Za-z0-9]+)_\d+_)[^/]+")
# A login may stand in front of the name. The name has no `_`: Moodle writes a space for it, and splits at `_`.
_MOODLE = re.compile(r"(?:[^_/]*_)?(?P<name>[^_/]+)_(?P<id>\d+)_assignsubmission_[a-z]+(?:_.*)?")
_PAGE = "feedback.html"  # must not begin with `link`: Canvas takes that for a submitted address
_NO_NAME = "Participant"
_NOT_IN_A_NAME = re.compile(r'[\x00-\x1f\x7f\\/:*?"<>|_]+')
_TIME = (1980, 1, 1, 0, 0, 0)  # the same pages give the same bytes


def canvas_zip(rows: Iterable[Row], out: BinaryIO) -> Written:
    """For *Upload submissions*. Canvas hangs a page beside a file that was handed in, so `sources` have to be known."""
    return _zip(rows, out, canvas_name, "no_upload")


def moodle_zip(rows: Iterable[Row], out: BinaryIO) -> Written:
    """For *Upload multiple feedback files in a zip*; the form without folders, which every version of Moodle reads."""
    return _zip(rows, out, moodle_name, "no_participant")


def canvas_name(row: Row) -> str | None:
    """The name in the zip; None if no uploaded file of the student is known."""
    for part in (part for source in row.sources for part in source.split("/")):
        if match := _CANVAS.fullmatch(part):
            return match[1] + _PAGE
    return None


def moodle_name(row: Row) -> str | None:
    """The name in the zip; None if Moodle's number of the participant is not known."""
    for part in (part for source in row.sources for part in source.split("/")):
        if match := _MOODLE.fullmatch(part):
            return f"{match['name']}_{match['id']}_assignsubmission_file_{_PAGE}"
    number = row.who.id_of("moodle")
    if not (number.isascii() and number.isdigit()):
        return None
    name = _NOT_IN_A_NAME.sub(" ", row.who.name).lstrip(".~ ").rstrip() or _NO_NAME
    return f"{name}_{number}_assignsubmission_file_{_PAGE}"


def _zip(rows: Iterable[Row], out: BinaryIO, name_of: Callable[[Row], str | None], without: str) -> Written:
    """One page is in memory at a time."""
    written: dict[str, str] = {}
    notes = []
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for row in rows:
            if row.state == "missing":
                continue
            name = name_of(row)
            if row.page is None or name is None:
                notes.append(told(row, "no_page" if row.page is None else without))
            elif name in written:
                notes.append(told(row, "same_name", other=written[name]))
            else:
                member = zipfile.ZipInfo(name, _TIME)
                member.compress_type = zipfile.ZIP_DEFLATED
                member.external_attr = 0o644 << 16
                archive.writestr(member, row.page())
                written[name] = row.who.shown
    return Written(len(written), tuple(notes))
