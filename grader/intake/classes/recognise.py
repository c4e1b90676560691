"""Which layout a download has: the one that the most paths speak for."""

from __future__ import annotations

import difflib
from collections.abc import Callable

from grader.errors import UsageError
from grader.intake import names
from grader.intake.classes.blackboard import blackboard
from grader.intake.classes.brightspace import brightspace
from grader.intake.classes.canvas import canvas
from grader.intake.classes.gradescope import gradescope
from grader.intake.classes.layout import Layout, Listing
from grader.intake.classes.moodle import moodle_flat, moodle_folders
from grader.intake.classes.nbgrader import nbgrader
from grader.intake.classes.pattern import Pattern
from grader.intake.classes.plain import plain
from grader.intake.classes.repositories import classroom50, github_classroom

# In this order where as many paths speak for two of them; what any path may look like stands last.
LAYOUTS: dict[str, Callable[[Listing], Layout | None]] = {
    "gradescope": gradescope,
    "classroom50": classroom50,
    "github-classroom": github_classroom,
    "nbgrader": nbgrader,
    "moodle-folders": moodle_folders,
    "moodle-flat": moodle_flat,
    "blackboard": blackboard,
    "brightspace": brightspace,
    "canvas": canvas,
    "plain": plain,
}
_ENOUGH = 0.5


def recognised(listing: Listing, layout: str | None, pattern: str | None) -> Layout:
    """The layout that was asked for, or the one that explains the most of the files.

    Raises:
        UsageError: there is no layout of that name, what it needs is not there, or the pattern cannot be used.
    """
    if pattern is not None:
        return Pattern(pattern)
    if layout is not None:
        return _asked_for(layout, listing)
    files = [path for path in listing.paths if not path.endswith("/")] or list(listing.paths)
    best, most = plain(listing), 0
    found: Layout = best
    for build in LAYOUTS.values():
        candidate = build(listing)
        if candidate is None or candidate.name == best.name:
            continue
        placed = sum(candidate.place(path) is not None for path in files)
        counted = sum(not candidate.ignores(path) for path in files)
        if placed > most and placed >= _ENOUGH * counted:
            found, most = candidate, placed
    return found


def _asked_for(layout: str, listing: Listing) -> Layout:
    if layout not in LAYOUTS:
        nearest = difflib.get_close_matches(layout, LAYOUTS, n=1, cutoff=0.0)[0]
        every = names.listed(list(LAYOUTS), most=len(LAYOUTS))
        raise UsageError(
            f"There is no layout {names.quoted(layout)}; did you mean {names.quoted(nearest)}? There are {every}."
        )
    found = LAYOUTS[layout](listing)
    if found is None:
        raise UsageError(
            f"{names.quoted(listing.root)} lacks what the layout {names.quoted(layout)} is read by. "
            "Leave the layout out, or say with a pattern whose each file is."
        )
    return found
