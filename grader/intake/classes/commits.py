"""When the last commit of a clone was made, read from its files.

git itself is never run there: a repository can tell it to run programs. What it logs (`.git/logs`) is no help, since a
clone begins its log with the moment of cloning. So the commit is looked up: a file of its own, or one in a pack.
Everything is bounded, no link is followed, and whatever is not as expected ends in "not known".
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import BinaryIO

from grader.intake.folder import Folder, open_below

_MOST_BYTES = 64 << 10  # of a commit
_MOST_BYTES_OF_REFERENCES = 4 << 20
_MOST_PACKS = 200
_MOST_DELTAS = 60  # git makes chains of 50
_NAME = re.compile(r"[0-9a-f]{40}")
_REFERENCE = re.compile(r"refs/[\w./+-]+")
_COMMITTER = re.compile(rb"^committer [^\n]*> (\d{1,12}) ([+-])(\d\d)(\d\d)$", re.MULTILINE)
_COMMIT, _BY_OFFSET, _BY_NAME = 1, 6, 7
_BROKEN = (OSError, ValueError, zlib.error, struct.error, IndexError, OverflowError)


def last_commit(root: Path, repository: str) -> str | None:
    """ISO 8601 by the clock of whoever made the commit that is checked out in `repository`, a path below `root`."""
    git = _Git(root, f"{repository}/.git")
    try:
        commit = git.commit(git.head())
        told = _COMMITTER.search(commit.partition(b"\n\n")[0])
        if told is None:
            return None
        offset = timedelta(hours=int(told[3]), minutes=int(told[4]))
        zone = timezone(-offset if told[2] == b"-" else offset)
        return datetime.fromtimestamp(int(told[1]), UTC).astimezone(zone).isoformat()
    except _BROKEN:
        return None


class _Git:
    """The files of git in a clone. Every method raises one of `_BROKEN` for what is not as it should be."""

    def __init__(self, root: Path, place: str) -> None:
        self._root, self._place = root, place

    def head(self) -> str:
        """The name of the commit that is checked out."""
        text = self._read("HEAD", 1 << 10).decode()
        said = text.removeprefix("ref: ").strip()
        if said == text.strip():
            return _name(said)
        if not _REFERENCE.fullmatch(said) or ".." in said:
            raise ValueError("no reference")
        try:
            return _name(self._read(said, 1 << 10).decode().strip())
        except OSError:
            lines = self._read("packed-refs", _MOST_BYTES_OF_REFERENCES).decode().splitlines()
            return _name(next((line[:40] for line in lines if line[40:] == f" {said}"), ""))

    def commit(self, name: str) -> bytes:
        """What the commit says."""
        try:
            kind, _, data = _inflated(self._read(f"objects/{name[:2]}/{name[2:]}", _MOST_BYTES)).partition(b"\0")
        except FileNotFoundError:
            return self._packed(name)
        if not kind.startswith(b"commit "):
            raise ValueError("no commit")
        return data

    def _packed(self, name: str) -> bytes:
        for pack in self._packs():
            with self._open(f"objects/pack/{pack}.idx") as index:
                at = _offset(index, bytes.fromhex(name))
            if at is not None:
                with self._open(f"objects/pack/{pack}.pack") as file, self._open(f"objects/pack/{pack}.idx") as index:
                    return _in_pack(file, index, at)
        raise ValueError("no such commit")

    def _packs(self) -> Iterator[str]:
        folder = Folder.opened(self._root)
        try:
            for part in f"{self._place}/objects/pack".split("/"):
                inner = folder.entered(part)
                folder.close()
                folder = inner
            found = [entry.name for entry in folder.entries(4 * _MOST_PACKS)]
        finally:
            folder.close()
        yield from [one.removesuffix(".idx") for one in found if one.endswith(".idx")][:_MOST_PACKS]

    def _open(self, path: str) -> BinaryIO:
        return open_below(self._root, f"{self._place}/{path}")

    def _read(self, path: str, most: int) -> bytes:
        with self._open(path) as file:
            data = file.read(most + 1)
        if len(data) > most:
            raise ValueError("too long")
        return data


def _name(text: str) -> str:
    if not _NAME.fullmatch(text):
        raise ValueError("no name of a commit")
    return text


def _inflated(data: bytes) -> bytes:
    unpacked = zlib.decompressobj().decompress(data, _MOST_BYTES + 1)
    if len(unpacked) > _MOST_BYTES:
        raise ValueError("too long")
    return unpacked


def _offset(index: BinaryIO, name: bytes) -> int | None:
    """Where the object lies in the pack of this index (of version 2); None if it is in another one."""
    if _part(index, 0, 8) != b"\xfftOc\0\0\0\2":
        raise ValueError("an index of another kind")
    (count,) = struct.unpack(">I", _part(index, 8 + 4 * 255, 4))
    (low,) = struct.unpack(">I", _part(index, 8 + 4 * (name[0] - 1), 4)) if name[0] else (0,)
    (high,) = struct.unpack(">I", _part(index, 8 + 4 * name[0], 4))
    names = 8 + 4 * 256
    while low < high:
        middle = (low + high) // 2
        found = _part(index, names + 20 * middle, 20)
        if found == name:
            (at,) = struct.unpack(">I", _part(index, names + 24 * count + 4 * middle, 4))
            if at & 0x80000000:
                (at,) = struct.unpack(">Q", _part(index, names + 28 * count + 8 * (at & 0x7FFFFFFF), 8))
            return int(at)
        low, high = (middle + 1, high) if found < name else (low, middle)
    return None


def _in_pack(file: BinaryIO, index: BinaryIO, at: int) -> bytes:
    """The commit at this place, put together from the one that it differs from, where it is kept as a difference."""
    differences: list[bytes] = []
    while len(differences) <= _MOST_DELTAS:
        file.seek(at)
        data = file.read(2 * _MOST_BYTES)
        kind, read = (data[0] >> 4) & 7, 1
        while data[read - 1] & 0x80:  # the size, which is known from the data
            read += 1
        if kind == _COMMIT:
            whole = _inflated(data[read:])
            for difference in reversed(differences):
                whole = _patched(whole, difference)
            return whole
        if kind == _BY_OFFSET:
            back, read = _distance(data, read)
            base: int | None = at - back
        elif kind == _BY_NAME:
            base, read = _offset(index, data[read : read + 20]), read + 20
        else:
            raise ValueError("no commit")
        if base is None or base < 0 or base == at:
            raise ValueError("a difference from nothing")
        differences.append(_inflated(data[read:]))
        at = base
    raise ValueError("too many differences")


def _distance(data: bytes, at: int) -> tuple[int, int]:
    value = data[at] & 0x7F
    while data[at] & 0x80:
        at += 1
        value = ((value + 1) << 7) | (data[at] & 0x7F)
    return value, at + 1


def _patched(whole: bytes, difference: bytes) -> bytes:
    """git's own form: two sizes, then pieces to copy from `whole` and pieces that are new."""
    at = 0
    for _ in range(2):
        while difference[at] & 0x80:
            at += 1
        at += 1
    made = bytearray()
    while at < len(difference):
        order, at = difference[at], at + 1
        if order & 0x80:
            start, length = 0, 0
            for bit in range(7):
                if order & (1 << bit):
                    value, at = difference[at], at + 1
                    if bit < 4:
                        start |= value << (8 * bit)
                    else:
                        length |= value << (8 * (bit - 4))
            made += whole[start : start + (length or 0x10000)]
        elif order:
            made += difference[at : at + order]
            at += order
        else:
            raise ValueError("a broken difference")
        if len(made) > _MOST_BYTES:
            raise ValueError("too long")
    return bytes(made)


def _part(file: BinaryIO, at: int, length: int) -> bytes:
    file.seek(at)
    data = file.read(length)
    if len(data) < length:
        raise ValueError("cut off")
    return data
