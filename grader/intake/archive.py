"""Reads a zip member by member: nothing is written to disk, and bytes are counted while they come, never believed."""

from __future__ import annotations

import io
import re
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from grader.errors import IntakeError
from grader.intake import names
from grader.intake.contents import MOST_FOLDERS_DEEP, Contents, byte_limit

_AGAIN = "Pack your folder as an ordinary zip, without a password, and hand it in again."
DAMAGED = (
    zipfile.BadZipFile, zlib.error, struct.error, NotImplementedError, RuntimeError, ValueError,
    OverflowError, EOFError, OSError,
)  # fmt: skip
ORDINARY = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
LOCKED = 0x1
_CHUNK = 64 << 10


class BoundedFile(io.FileIO):
    """A file that gives little at a time: zipfile asks for the whole table of contents at once, however long."""

    most_bytes_at_once = 4 << 20

    def read(self, size: int | None = -1, /) -> bytes:
        """At most so many bytes; `zipfile.BadZipFile` for more than may be asked for."""
        if size is None or size < 0:
            size = self.most_bytes_at_once
        if size > self.most_bytes_at_once:
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
        with BoundedFile(path) as file, zipfile.ZipFile(file) as archive:
            members = [(_safe_path(member), member) for member in archive.infolist()]
            reading = _Reading(archive, virtual_environments([name for name, _ in members]))
            for name, member in sorted(members, key=lambda pair: pair[0]):
                _visit(name, member, reading)
    except DAMAGED as error:
        said = names.quoted(str(error) or type(error).__name__)
        raise IntakeError(f"{names.quoted(path.name)} is damaged, or is no zip ({said}). {_AGAIN}") from None
    return reading.contents


def _safe_path(member: zipfile.ZipInfo) -> str:
    name = member_name(member)
    if "\\" in name or leads_out(name):
        raise IntakeError(f"The zip holds a file with a name that leads out of it: {names.quoted(name)}. {_AGAIN}")
    return plain_path(name)


def member_name(member: zipfile.ZipInfo) -> str:
    """The name as it was meant. Without the UTF-8 flag zipfile has read it as cp437; macOS meant UTF-8."""
    if member.flag_bits & 0x800:
        return member.orig_filename
    try:
        return member.orig_filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return member.orig_filename


def leads_out(name: str) -> bool:
    """Whether a name with `/` between its parts is absolute, has a drive, or goes up."""
    return "\0" in name or name.startswith("/") or bool(re.match(r"[A-Za-z]:", name)) or ".." in name.split("/")


def plain_path(name: str) -> str:
    """The path in NFC without empty parts; that of a folder ends in `/`."""
    parts = [part for part in unicodedata.normalize("NFC", name).split("/") if part not in ("", ".")]
    return "/".join(parts) + ("/" if name.endswith("/") else "")


def is_link_or_device(member: zipfile.ZipInfo) -> bool:
    """Whether it is anything but a file or a folder."""
    return stat.S_IFMT(member.external_attr >> 16) not in (0, stat.S_IFREG, stat.S_IFDIR)


def virtual_environments(paths: Iterable[str]) -> frozenset[str]:
    """The folders that a `pyvenv.cfg` lies in."""
    return frozenset(path.removesuffix("/pyvenv.cfg") for path in paths if path.endswith("/pyvenv.cfg"))


def _visit(path: str, member: zipfile.ZipInfo, reading: _Reading) -> None:
    if junk := junk_folder(path, reading.environments):
        if junk[0] not in reading.junk:
            reading.junk.add(junk[0])
            reading.contents.visit(junk[0])
            reading.contents.skip(*junk)
        return
    reading.contents.visit(path.rstrip("/"))
    if is_link_or_device(member):
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


def junk_folder(path: str, environments: frozenset[str]) -> tuple[str, str] | None:
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
    if member.flag_bits & LOCKED:
        reading.contents.skip(path, "locked with a password; pack the zip without one")
        return
    if member.compress_type not in ORDINARY:
        reading.contents.skip(path, "packed in a way that is not read here; pack an ordinary zip")
        return
    try:
        data = unpacked(member, reading.archive, byte_limit(path))
    except DAMAGED:
        reading.contents.skip(path, "damaged: it cannot be unpacked")
        return
    reading.contents.take(path, data)


def unpacked(member: zipfile.ZipInfo, archive: zipfile.ZipFile, limit: int) -> bytes:
    """At most `limit` + 1 bytes, counted as they come."""
    data = bytearray()
    with archive.open(member) as stream:
        while len(data) <= limit and (chunk := stream.read(_CHUNK)):
            data += chunk
    return bytes(data[: limit + 1])
