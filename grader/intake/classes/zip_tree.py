"""A zip as a tree. Names are repaired; what must not be unpacked keeps the reason beside it."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator

from grader.errors import IntakeError
from grader.intake import archive, names
from grader.intake.classes.tree import CHUNK, Entry, Unreadable, outgrown

LEADS_OUT = "path escapes the archive"
_BYTES_OF_TABLE_PER_FILE = 160
_RESERVED = re.compile(r"(?:CON|PRN|AUX|NUL|COM[0-9¹²³]|LPT[0-9¹²³])(?:\..*)?", re.IGNORECASE)
_IMPOSSIBLE = re.compile(r'[<>:"|?*\x00-\x1f]')


class ZipTree:
    """The zip of a class, or one inside it. `file` is a path, or a descriptor that is closed with the tree.

    The table of contents grows with the files that may be in it.
    """

    def __init__(self, file: str | int, shown: str, most: int) -> None:
        self._file = archive.BoundedFile(file)
        self._file.most_bytes_at_once = max(archive.BoundedFile.most_bytes_at_once, most * _BYTES_OF_TABLE_PER_FILE)
        self._shown, self._most = shown, most
        try:
            self._archive = zipfile.ZipFile(self._file)
        except archive.DAMAGED as error:
            self._file.close()
            raise self._damaged(error) from None
        self._members = self._archive.infolist()

    def entries(self) -> list[Entry]:
        """See `Tree`."""
        if len(self._members) > self._most:
            raise IntakeError(f"{names.quoted(self._shown)} holds more than {self._most:,} files.")
        return [_entry(number, member) for number, member in enumerate(self._members)]

    def chunks(self, entry: Entry) -> Iterator[bytes]:
        """See `Tree`."""
        member, done = self._members[entry.number], 0
        try:
            with self._archive.open(member) as stream:
                while chunk := stream.read(CHUNK):
                    done += len(chunk)
                    if outgrown(done, member.compress_size):
                        raise Unreadable("it unpacks to far more than an honest file of its size")
                    yield chunk
        except archive.DAMAGED:
            raise Unreadable("damaged: it cannot be unpacked") from None

    def close(self) -> None:
        """See `Tree`."""
        self._archive.close()
        self._file.close()

    def _damaged(self, error: Exception) -> IntakeError:
        said = names.quoted(str(error) or type(error).__name__)
        return IntakeError(f"{names.quoted(self._shown)} is damaged, or is no zip ({said}).")


def _entry(number: int, member: zipfile.ZipInfo) -> Entry:
    name = archive.member_name(member).replace("\\", "/")
    if archive.leads_out(name):
        return Entry(name, number, LEADS_OUT)
    return Entry(archive.plain_path(name), number, _problem(member))


def _problem(member: zipfile.ZipInfo) -> str:
    if archive.is_link_or_device(member):
        return "symbolic link or device"
    if member.flag_bits & archive.LOCKED:
        return "encrypted: locked with a password"
    if member.compress_type not in archive.ORDINARY:
        return "packed in a way that is not read here"
    return ""


def impossible_on_windows(part: str) -> bool:
    """Whether a part of a path cannot be a name there; a learning platform gives no such names to what it packs."""
    return bool(_RESERVED.fullmatch(part)) or part != part.rstrip(" .") or bool(_IMPOSSIBLE.search(part))
