"""The files of one hand-in as Contents: archives inside are opened, and everything is counted while it comes."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import IO

from grader.errors import IntakeError
from grader.intake import archive, names
from grader.intake.classes.tar_tree import PACKED_MARKS, TarTree
from grader.intake.classes.tree import Entry, Tree, Unreadable, copy, read
from grader.intake.classes.unpacking import FORMATS, INSTALL, unpacked_tree
from grader.intake.classes.zip_tree import ZipTree
from grader.intake.contents import Contents, byte_limit

MOST_ARCHIVES_DEEP = 2
MOST_ARCHIVE_BYTES = 200 << 20
MOST_MEMBERS = 50_000
_CODE = (".py", ".ipynb")
_TWICE = "this name is there twice; the first one was read"


@dataclass
class Filling:
    """One hand-in being read. `archive_bytes` counts what archives inside take, all together."""

    contents: Contents = field(default_factory=Contents)
    archive_bytes: int = 0
    _folded: set[tuple[int, str]] = field(default_factory=set)

    def add(self, tree: Tree, found: Iterable[tuple[str, Entry]], prefix: str = "", deep: int = 0) -> None:
        """Read these entries of a tree under the paths that they have in the hand-in.

        Raises:
            IntakeError: they are more, larger or deeper than one hand-in may be.
        """
        members = list(found)
        archives = [path for path, _ in members if names.suffix(path) in names.ARCHIVES]
        alone = len(archives) == 1 and not any(names.suffix(path) in _CODE for path, _ in members)
        for path, entry in members:
            shown = prefix + path
            self.contents.visit(shown)
            if reason := self._why_not(shown, entry, deep):
                self.contents.skip(shown, reason)
            elif names.suffix(path) in names.ARCHIVES:
                self._open(tree, shown, entry, prefix if alone else f"{shown}/", deep)
            else:
                self._take(tree, shown, entry)

    def _why_not(self, path: str, entry: Entry, deep: int) -> str | None:
        if entry.problem:
            return entry.problem
        is_archive = names.suffix(path) in names.ARCHIVES
        place = (deep if is_archive else 0, path.casefold())  # an archive may hold one of its own name
        if place in self._folded:
            return _TWICE
        self._folded.add(place)
        if is_archive and len(path) <= names.MOST_PATH_CHARACTERS:
            return None
        return names.why_skip_file(path, "archive")

    def _take(self, tree: Tree, path: str, entry: Entry) -> None:
        try:
            self.contents.take(path, read(tree, entry, byte_limit(path)))
        except Unreadable as reason:
            self.contents.skip(path, str(reason))

    def _open(self, tree: Tree, path: str, entry: Entry, prefix: str, deep: int) -> None:
        if deep >= MOST_ARCHIVES_DEEP:
            self.contents.skip(path, f"archives inside archives are opened {MOST_ARCHIVES_DEEP} deep")
            return
        try:
            with self._copied(tree, entry) as file, closing(_tree(file, path)) as inner:
                self.add(inner, self._inside(inner.entries(), path), prefix, deep + 1)
        except Unreadable as reason:
            self.contents.skip(path, str(reason))

    @contextmanager
    def _copied(self, tree: Tree, entry: Entry) -> Iterator[IO[bytes]]:
        """The archive in a nameless file."""
        with tempfile.TemporaryFile(buffering=0) as file:  # its descriptor is shared, and so is its position
            self.archive_bytes += copy(tree, entry, file, MOST_ARCHIVE_BYTES - self.archive_bytes)
            yield file

    def _inside(self, entries: list[Entry], path: str) -> Iterator[tuple[str, Entry]]:
        """What is worth reading; junk is told once, for the folder that it lies in."""
        environments = archive.virtual_environments(entry.path for entry in entries)
        told: set[str] = set()
        for entry in sorted(entries, key=lambda one: (one.path, one.number)):
            junk = None if entry.problem else archive.junk_folder(entry.path, environments)
            if junk and junk[0] not in told:
                told.add(junk[0])
                self.contents.skip(f"{path}/{junk[0]}", junk[1])
            if not junk and not entry.path.endswith("/"):
                yield entry.path, entry


def _tree(file: IO[bytes], path: str) -> Tree:
    """The archive by what it is, whatever its name says.

    Raises:
        Unreadable: it is none, is damaged, or of a kind that is not opened.
    """
    mark = file.read(8)
    file.seek(0)
    kind = next((one for one in FORMATS if mark.startswith(one.mark)), None)
    if kind and not kind.is_installed():
        raise Unreadable(
            f"a {kind.name} archive, which is not opened; ask for a .zip, or install what reads it: {INSTALL}"
        )
    is_tar = any(mark.startswith(start) for start in PACKED_MARKS) or _says_tar(file)
    try:
        if kind:
            return unpacked_tree(file, kind, path, MOST_MEMBERS)
        if is_tar:
            return TarTree(file, path, MOST_MEMBERS)
        if mark.startswith(b"PK"):
            return ZipTree(os.dup(file.fileno()), path, MOST_MEMBERS)
    except IntakeError as error:
        raise Unreadable(str(error)) from None
    raise Unreadable("damaged, or an archive of a kind that is not opened; ask for a .zip")


def _says_tar(file: IO[bytes]) -> bool:
    file.seek(257)
    mark = file.read(5)
    file.seek(0)
    return mark == b"ustar"
