"""Reads a zip member by member: nothing is written to disk, and bytes are counted while they come, never believed."""

from __future__ import annotations

import io
import re
import stat
import struct
import unicodedata
import zipfile
import zlib
from dataclasses import dataclass, field
from pathlib import Path

from grader.errors import IntakeError
from grader.intake import names
from grader.intake.contents import MOST_FOLDERS_DEEP, Contents, byte_limit

_AGAIN = "Pack your folder as an ordinary zip, without a password, and hand it in again."
_DAMAGED = (
    zipfile.BadZipFile, zlib.error, struct.error, NotImplementedError, RuntimeError, ValueError,
    OverflowError, EOFError, OSError,
)  # fmt: skip
_ORDINARY = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_LOCKED = 0x1
_MOST_BYTES_AT_ONCE = 4 << 20
_CHUNK = 64 << 10


class _BoundedFile(io.FileIO):
    """A file that gives little at a time: zipfile asks for the whole table of contents at once, however long."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is None or size < 0:
            size = _MOST_BYTES_AT_ONCE
        if size > _MOST_BYTES_AT_ONCE:
            raise zipfile.BadZipFile("its table of contents is too long")
        return super().read(size) or b""


@dataclass
class _Reading:
    """One pass over the archive: what was found so far."""

    archive: zipfile.ZipFile
    environments: frozenset[str]
    contents: Contents = field(default_factory=Contents)
    junk: set[str] = field(default_factory=set)
    folded: set[str] = field(default_factory=set)


def read_archive(path: Path) -> Contents:
    """Every `.py` and `.ipynb` in the zip that can be unpacked.

    Raises:
        IntakeError: it is damaged as a whole, holds too much, or tries something: a link, a name that leads out of it.
    """
    try:
        with _BoundedFile(path) as file, zipfile.ZipFile(file) as archive:
            members = [(_safe_path(member), member) for member in archive.infolist()]
            reading = _Reading(archive, _virtual_environments([name for name, _ in members]))
            for name, member in sorted(members, key=lambda pair: pair[0]):
                _visit(name, member, reading)
    except _DAMAGED as error:
        said = names.quoted(str(error) or type(error).__name__)
        raise IntakeError(f"{names.quoted(path.name)} is damaged, or is no zip ({said}). {_AGAIN}") from None
    return reading.contents


def _safe_path(member: zipfile.ZipInfo) -> str:
    """The member's path in NFC. Without the UTF-8 flag zipfile has read it as cp437; macOS meant UTF-8."""
    name = member.orig_filename
    if not member.flag_bits & 0x800:
        try:
            name = name.encode("cp437").decode("utf-8")
        except UnicodeError:
            name = member.orig_filename
    if "\\" in name or "\0" in name or name.startswith("/") or re.match(r"[A-Za-z]:", name) or ".." in name.split("/"):
        raise IntakeError(f"The zip holds a file with a name that leads out of it: {names.quoted(name)}. {_AGAIN}")
    parts = [part for part in unicodedata.normalize("NFC", name).split("/") if part not in ("", ".")]
    return "/".join(parts) + ("/" if name.endswith("/") else "")


def _virtual_environments(paths: list[str]) -> frozenset[str]:
    return frozenset(path.removesuffix("/pyvenv.cfg") for path in paths if path.endswith("/pyvenv.cfg"))


def _visit(path: str, member: zipfile.ZipInfo, reading: _Reading) -> None:
    if junk := _junk_folder(path, reading.environments):
        if junk[0] not in reading.junk:
            reading.junk.add(junk[0])
            reading.contents.visit(junk[0])
            reading.contents.skip(*junk)
        return
    reading.contents.visit(path.rstrip("/"))
    if stat.S_IFMT(member.external_attr >> 16) not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise IntakeError(f"The zip holds a link or a device: {names.quoted(path)}. Put the file itself in its place.")
    if path.endswith("/") or not path:
        return
    if path.casefold() in reading.folded:
        reading.contents.skip(path, "this name is there twice; the first one was read")
        return
    reading.folded.add(path.casefold())
    if reason := names.why_skip_file(path, "archive"):
        reading.contents.skip(path, reason)
        return
    _take(path, member, reading)


def _junk_folder(path: str, environments: frozenset[str]) -> tuple[str, str] | None:
    """The outermost folder on the way to `path` that is not worth reading, and why."""
    parts = path.split("/", MOST_FOLDERS_DEEP + 1)[:-1]  # what lies deeper is refused
    for count, part in enumerate(parts, 1):
        folder = "/".join(parts[:count])
        if reason := names.why_skip_folder(part):
            return folder, reason
        if folder in environments:
            return folder, names.VIRTUAL_ENVIRONMENT
    return None


def _take(path: str, member: zipfile.ZipInfo, reading: _Reading) -> None:
    if member.flag_bits & _LOCKED:
        reading.contents.skip(path, "locked with a password; pack the zip without one")
        return
    if member.compress_type not in _ORDINARY:
        reading.contents.skip(path, "packed in a way that is not read here; pack an ordinary zip")
        return
    try:
        data = _unpacked(member, reading.archive, byte_limit(path))
    except _DAMAGED:
        reading.contents.skip(path, "damaged: it cannot be unpacked")
        return
    reading.contents.take(path, data)


def _unpacked(member: zipfile.ZipInfo, archive: zipfile.ZipFile, limit: int) -> bytes:
    """At most `limit` + 1 bytes, counted as they come."""
    data = bytearray()
    with archive.open(member) as stream:
        while len(data) <= limit and (chunk := stream.read(_CHUNK)):
            data += chunk
    return bytes(data[: limit + 1])
