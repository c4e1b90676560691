"""What a zip, a tar or a folder holds: every name first, and the bytes of one file when they are asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, NamedTuple, Protocol

CHUNK = 64 << 10
MOST_RATIO, RATIO_COUNTS_FROM = 200, 1 << 20


class Entry(NamedTuple):
    """A file or a folder (its path ends in `/`). `place` is for the tree that it came from.

    The path is in NFC with `/`, however it was stored, and may still be one that leads out: then `problem` says so. A
    problem is the reason for which nothing of the entry may be read.
    """

    path: str
    number: int
    problem: str = ""
    place: str = ""


class Unreadable(Exception):
    """Says about one file, in a few words, why it cannot be read."""


class Tree(Protocol):
    """Something that holds files. Nothing of it is ever written to a place that a name in it says."""

    def entries(self) -> list[Entry]:
        """Everything in it.

        Raises:
            IntakeError: it cannot be read as a whole, or holds more than may be listed.
        """

    def chunks(self, entry: Entry) -> Iterator[bytes]:
        """The bytes of a file, as they come.

        Raises:
            Unreadable: it is damaged, gone, or grows without end.
        """

    def close(self) -> None:
        """Let go of what was opened."""


def read(tree: Tree, entry: Entry, limit: int) -> bytes:
    """At most `limit` + 1 bytes of a file."""
    data = bytearray()
    for chunk in tree.chunks(entry):
        data += chunk
        if len(data) > limit:
            break
    return bytes(data[: limit + 1])


def copy(tree: Tree, entry: Entry, file: IO[bytes], limit: int) -> int:
    """Write a file into another one, from its beginning; how many bytes there were.

    Raises:
        Unreadable: they are more than `limit`.
    """
    done = 0
    for chunk in tree.chunks(entry):
        done += len(chunk)
        if done > limit:
            raise Unreadable(f"larger than {limit >> 20} MiB")
        file.write(chunk)
    file.seek(0)
    return done


def outgrown(unpacked: int, packed: int) -> bool:
    """Whether so many bytes cannot have come from an honest file of that size."""
    return unpacked > RATIO_COUNTS_FROM and unpacked > MOST_RATIO * max(packed, 1)
