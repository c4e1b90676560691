"""Reads a folder: no link is followed, nothing but plain files is opened, and no more of them than fits."""

from __future__ import annotations

import itertools
import os
import stat
from pathlib import Path

from grader.errors import IntakeError
from grader.intake import names
from grader.intake.contents import MOST_FILES, Contents, byte_limit

_ALWAYS = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_CAREFULLY = _ALWAYS | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
_NOT_PLAIN = "not a plain file"


def read_folder(root: Path) -> Contents:
    """Every `.py` and `.ipynb` below `root`.

    Raises:
        IntakeError: the folder cannot be opened, or holds too much.
    """
    contents = Contents()
    try:
        _walk(root, "", contents)
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
        contents.take(name, _bytes_of(path.resolve(), byte_limit(name)))
    except OSError as error:
        raise IntakeError(f"{names.quoted(name)} cannot be read ({error.strerror or _NOT_PLAIN}).") from None
    return contents


def _walk(folder: Path, prefix: str, contents: Contents) -> None:
    with os.scandir(folder) as entries:
        some = list(itertools.islice(entries, MOST_FILES + 1))
    for entry in sorted(some, key=lambda one: os.fsencode(one.name)):
        path = prefix + names.local_name(entry.name)
        contents.visit(path)
        if entry.is_symlink():
            contents.skip(path, "a link; links are not followed")
        elif entry.is_dir(follow_symlinks=False):
            _enter(entry, path, contents)
        else:
            _take(entry, path, contents)


def _enter(entry: os.DirEntry[str], path: str, contents: Contents) -> None:
    reason = names.why_skip_folder(names.local_name(entry.name))
    if reason is None and os.path.lexists(Path(entry.path) / "pyvenv.cfg"):
        reason = names.VIRTUAL_ENVIRONMENT
    if reason:
        contents.skip(path, reason)
        return
    try:
        _walk(Path(entry.path), f"{path}/", contents)
    except OSError:
        contents.skip(path, "the folder cannot be opened")


def _take(entry: os.DirEntry[str], path: str, contents: Contents) -> None:
    if reason := names.why_skip_file(path, "folder"):
        contents.skip(path, reason)
        return
    try:
        plain = stat.S_ISREG(entry.stat(follow_symlinks=False).st_mode)
        data = _bytes_of(Path(entry.path), byte_limit(path)) if plain else None
    except OSError as error:
        contents.skip(path, f"cannot be read ({error.strerror or _NOT_PLAIN})")
        return
    if data is None:
        contents.skip(path, _NOT_PLAIN)
    else:
        contents.take(path, data)


def _bytes_of(path: Path, limit: int) -> bytes:
    """At most `limit` + 1 bytes. Opening never waits (a pipe would), and what was opened is looked at again."""
    descriptor = os.open(path, _CAREFULLY)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(_NOT_PLAIN)
        return file.read(limit + 1)
