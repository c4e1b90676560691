"""One folder, archive or file for each student, named for the student."""

from __future__ import annotations

from grader.intake import names
from grader.intake.classes.layout import Listing, Place
from grader.model.class_handed_in import Person

_SOURCES = (".py", ".ipynb")


class Plain:
    """`<student>/…`, `<student>.zip`, `<student>.py`, below the wrapper folder `above` if there is one."""

    name = "plain"
    flat = False

    def __init__(self, above: str, notes: tuple[str, ...]) -> None:
        self._above = above
        self.notes = notes

    def place(self, path: str) -> Place | None:
        """See `Layout`."""
        if not path.startswith(self._above):
            return None
        top, is_folder, rest = path[len(self._above) :].partition("/")
        if is_folder:
            return Place(top, (Person(id=top),), rest) if top else None
        if not _is_work(top) or top.casefold() == "previous_chapters.py":
            return None
        student = _without_ending(top)
        return Place(student, (Person(id=student),), top) if student else None

    def ignores(self, path: str) -> bool:
        """See `Layout`."""
        return False


def plain(listing: Listing) -> Plain:
    """Looks for a folder around all students."""
    above, notes = "", []
    while (top := _only_folder(listing.paths, above)) is not None:
        inside = f"{above}{top}/"
        inner = {path[len(inside) :].partition("/")[:2] for path in listing.paths if path.startswith(inside)}
        if not _holds_students(inner) and top != listing.root:
            notes.append(f"Everything lies in the folder {names.quoted(top)}: it was taken as the work of one student.")
            break
        above = inside
        notes.append(f"{names.quoted(top)} was taken as a folder around all students.")
    return Plain(above, tuple(notes))


def _holds_students(inner: set[tuple[str, str]]) -> bool:
    """Whether a folder is one around students: several folders, archives or files, each of which may be a student.

    Files beside folders, and no archive, are what one student's work looks like.
    """
    folders = {name for name, is_folder in inner if is_folder}
    files = {name for name, is_folder in inner if not is_folder and _is_work(name)}
    archives = {name for name in files if names.suffix(name) in names.ARCHIVES}
    return len(folders | files) > 1 and (not folders or bool(archives) or not files)


def _only_folder(paths: tuple[str, ...], above: str) -> str | None:
    tops = {path[len(above) :].partition("/")[:2] for path in paths if path.startswith(above)}
    tops = {(name, is_folder) for name, is_folder in tops if is_folder or _is_work(name)}
    if len(tops) != 1:
        return None
    name, is_folder = tops.pop()
    return name if name and is_folder else None


def _is_work(name: str) -> bool:
    return names.suffix(name) in (*_SOURCES, *names.ARCHIVES)


def _without_ending(name: str) -> str:
    while names.suffix(name) in (*_SOURCES, *names.ARCHIVES):
        name = names.stem(name)
    return name
