"""A folder on this system as a tree: no link is followed, and folders that hold no code are not entered."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from grader.errors import IntakeError
from grader.intake import names
from grader.intake.classes.tree import CHUNK, Entry, Unreadable
from grader.intake.contents import MOST_FOLDERS_DEEP
from grader.intake.folder import Folder, open_below

_DEEPEST = MOST_FOLDERS_DEEP + 6  # the folders of the class stand above those of a student


class FolderTree:
    """What lies below `root`."""

    def __init__(self, root: Path, most: int) -> None:
        self._root, self._most = root, most
        self._found: list[Entry] = []

    def entries(self) -> list[Entry]:
        """See `Tree`."""
        self._found = []
        try:
            self._walk(Folder.opened(self._root), "", "")
        except OSError as error:
            shown = names.quoted(str(self._root))
            raise IntakeError(f"The folder {shown} cannot be read ({error.strerror}).") from None
        return self._found

    def chunks(self, entry: Entry) -> Iterator[bytes]:
        """See `Tree`."""
        try:
            with open_below(self._root, entry.place) as file:
                while chunk := file.read(CHUNK):
                    yield chunk
        except OSError as error:
            raise Unreadable(f"cannot be read ({error.strerror or 'not a plain file'})") from None

    def close(self) -> None:
        """See `Tree`."""

    def _walk(self, folder: Folder, path: str, place: str) -> None:
        """List an open folder, and close it."""
        try:
            entries = folder.entries(self._most)
            if path and any(entry.name == "pyvenv.cfg" for entry in entries):
                self._add(f"{path}pyvenv.cfg", f"{place}pyvenv.cfg")
                return
            for entry in entries:
                self._visit(folder, entry, path + names.local_name(entry.name), place + entry.name)
        finally:
            folder.close()

    def _visit(self, folder: Folder, entry: os.DirEntry[str], path: str, place: str) -> None:
        try:
            if entry.is_symlink():
                self._add(path, place, "a link; links are not followed")
            elif not entry.is_dir(follow_symlinks=False):
                plain = stat.S_ISREG(entry.stat(follow_symlinks=False).st_mode)
                self._add(path, place, "" if plain else "not a plain file")
            else:
                self._add(f"{path}/", place)
                if names.why_skip_folder(names.local_name(entry.name)):
                    return
                if names.depth(path) >= _DEEPEST:
                    self._add(f"{path}/…", place, "folders nested too deep")
                else:
                    self._walk(folder.entered(entry.name), f"{path}/", f"{place}/")
        except OSError as error:
            self._add(path, place, f"cannot be read ({error.strerror})")

    def _add(self, path: str, place: str, problem: str = "") -> None:
        if len(self._found) >= self._most:
            raise IntakeError(
                f"{names.quoted(str(self._root))} holds more than {self._most:,} files. Give the folder of one class."
            )
        self._found.append(Entry(path, len(self._found), problem, place))
