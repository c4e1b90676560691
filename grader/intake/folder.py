"""Reads a folder: no link is followed, nothing but plain files is opened, and no more of them than fits.

Where the system can, each folder is opened once and what it holds is opened by way of it: a folder that is swapped for
a link while it is being read leads nowhere.
"""

from __future__ import annotations

import itertools
import os
import stat
from pathlib import Path
from typing import BinaryIO, NamedTuple

from grader.errors import IntakeError
from grader.intake import names
from grader.intake.contents import MOST_FILES, Contents, byte_limit

_ALWAYS = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_CAREFULLY = _ALWAYS | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
_FOLDER = getattr(os, "O_DIRECTORY", 0)
_BY_DESCRIPTOR = os.scandir in os.supports_fd and os.open in os.supports_dir_fd
_NOT_PLAIN = "not a plain file"


class Folder(NamedTuple):
    """An open folder: its descriptor, or None where the system goes by paths only (Windows)."""

    path: Path
    descriptor: int | None

    @classmethod
    def opened(cls, path: Path) -> Folder:
        """The folder that was handed in; a link is followed here, because the caller named it."""
        return cls(path, os.open(path, _ALWAYS | _FOLDER) if _BY_DESCRIPTOR else None)

    def entered(self, name: str) -> Folder:
        """The folder of that name in it, opened; OSError if it is a link."""
        descriptor = None if self.descriptor is None else self.open(name, _CAREFULLY | _FOLDER)
        return Folder(self.path / name, descriptor)

    def open(self, name: str, flags: int) -> int:
        """A descriptor for what has that name in it."""
        if self.descriptor is None:
            return os.open(self.path / name, flags)
        return os.open(name, flags, dir_fd=self.descriptor)

    def entries(self, most: int = MOST_FILES) -> list[os.DirEntry[str]]:
        """In the order of their names; no more than may be read, and one."""
        with os.scandir(self.path if self.descriptor is None else self.descriptor) as entries:
            some = list(itertools.islice(entries, most + 1))
        return sorted(some, key=lambda one: os.fsencode(one.name))

    def close(self) -> None:
        """Let go of the descriptor."""
        if self.descriptor is not None:
            os.close(self.descriptor)


def read_folder(root: Path) -> Contents:
    """Every `.py` and `.ipynb` below `root`.

    Raises:
        IntakeError: the folder cannot be opened, or holds too much.
    """
    contents = Contents()
    try:
        _walk(Folder.opened(root), "", contents)
    except OSError as error:
        raise IntakeError(f"The folder {names.quoted(str(root))} cannot be read ({error.strerror}).") from None
    return contents


def read_file(path: Path) -> Contents:
    """The one file that was handed in; a link is followed here, because the caller named it.

    Raises:
        IntakeError: it cannot be opened.
    """
    contents = Contents()
    name = names.local_name(path.name)
    if reason := names.why_skip_file(name, "folder"):
        contents.skip(name, reason)
        return contents
    try:
        contents.take(name, _bytes_of(os.open(path.resolve(), _CAREFULLY), byte_limit(name)))
    except OSError as error:
        raise IntakeError(f"{names.quoted(name)} cannot be read ({error.strerror or _NOT_PLAIN}).") from None
    return contents


def open_below(root: Path, path: str) -> BinaryIO:
    """The plain file at `path`, with `/`, below `root`; no link is followed on the way.

    Raises:
        OSError: it is not there any more, is no plain file, or lies behind a link.
    """
    *parts, name = path.split("/")
    folder = Folder.opened(root)
    try:
        for part in parts:
            inner = folder.entered(part)
            folder.close()
            folder = inner
        return _plain_file(folder.open(name, _CAREFULLY))
    finally:
        folder.close()


def _walk(folder: Folder, prefix: str, contents: Contents) -> None:
    """Read an open folder, and close it."""
    try:
        entries = folder.entries()
        if prefix and any(entry.name == "pyvenv.cfg" for entry in entries):
            contents.skip(prefix.rstrip("/"), names.VIRTUAL_ENVIRONMENT)
            return
        for entry in entries:
            path = prefix + names.local_name(entry.name)
            contents.visit(path)
            try:
                _take(folder, entry, path, contents)
            except OSError as error:
                contents.skip(path, f"cannot be read ({error.strerror or _NOT_PLAIN})")
    finally:
        folder.close()


def _take(folder: Folder, entry: os.DirEntry[str], path: str, contents: Contents) -> None:
    if entry.is_symlink():
        contents.skip(path, "a link; links are not followed")
    elif entry.is_dir(follow_symlinks=False):
        if reason := names.why_skip_folder(names.local_name(entry.name)):
            contents.skip(path, reason)
        else:
            _walk(folder.entered(entry.name), f"{path}/", contents)
    elif reason := names.why_skip_file(path, "folder"):
        contents.skip(path, reason)
    elif not stat.S_ISREG(entry.stat(follow_symlinks=False).st_mode):
        contents.skip(path, _NOT_PLAIN)
    else:
        contents.take(path, _bytes_of(folder.open(entry.name, _CAREFULLY), byte_limit(path)))


def _bytes_of(descriptor: int, limit: int) -> bytes:
    """At most `limit` + 1 bytes."""
    with _plain_file(descriptor) as file:
        return file.read(limit + 1)


def _plain_file(descriptor: int) -> BinaryIO:
    """Opening did not wait (a pipe would), and what was opened is looked at again."""
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(_NOT_PLAIN)
    return os.fdopen(descriptor, "rb")
