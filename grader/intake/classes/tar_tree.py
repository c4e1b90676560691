"""A tar, packed or not, as a tree. Only the headers that name ordinary files are understood, each in bounded time."""

from __future__ import annotations

import bz2
import gzip
import lzma
import tempfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from typing import IO, NamedTuple

from grader.errors import IntakeError
from grader.intake import archive, names
from grader.intake.classes.tree import CHUNK, Entry, Unreadable, outgrown
from grader.intake.classes.zip_tree import LEADS_OUT

_BLOCK = 512
_MOST_BYTES = 512 << 20
_MOST_XZ_MEMORY = 128 << 20
_LONGEST_HEADER = 64 << 10
_FILES, _FOLDER, _LONG_NAME, _PAX, _OF_NO_USE = (b"0", b"\0", b"7", b""), b"5", b"L", b"x", (b"g", b"K")
_DAMAGED = (OSError, EOFError, zlib.error, lzma.LZMAError, ValueError)
PACKED_MARKS = {b"\x1f\x8b": "gz", b"BZh": "bz2", b"\xfd7zXZ\x00": "xz"}


class _Header(NamedTuple):
    name: str
    size: int
    kind: bytes
    at: int


class TarTree:
    """`file` is read to its end once; a packed one is unpacked into a nameless file, within bounds.

    `problems` are what kinds of ours stand for.
    """

    def __init__(self, file: IO[bytes], shown: str, most: int, problems: Mapping[bytes, str] | None = None) -> None:
        self._shown, self._most, self._problems = shown, most, problems or {}
        try:
            with ExitStack() as stack:
                self._file = stack.enter_context(_unpacked(file))
                self._headers = list(self._listed())
                stack.pop_all()
        except _DAMAGED as error:
            said = names.quoted(str(error) or type(error).__name__)
            raise IntakeError(f"{names.quoted(shown)} is damaged, or is no tar ({said}).") from None

    def entries(self) -> list[Entry]:
        """See `Tree`."""
        return [self._entry(number, header) for number, header in enumerate(self._headers)]

    def chunks(self, entry: Entry) -> Iterator[bytes]:
        """See `Tree`."""
        header = self._headers[entry.number]
        for at in range(header.at, header.at + header.size, CHUNK):
            self._file.seek(at)
            wanted = min(CHUNK, header.at + header.size - at)
            chunk = self._file.read(wanted)
            if len(chunk) < wanted:
                raise Unreadable("damaged: it is cut off")
            yield chunk

    def close(self) -> None:
        """See `Tree`."""
        self._file.close()

    def _entry(self, number: int, header: _Header) -> Entry:
        if archive.leads_out(header.name):
            return Entry(header.name, number, LEADS_OUT)
        folder = header.kind == _FOLDER
        path = archive.plain_path(header.name.rstrip("/") + "/" * folder)
        ordinary = folder or header.kind in _FILES
        return Entry(path, number, "" if ordinary else self._problems.get(header.kind, "symbolic link or device"))

    def _listed(self) -> Iterator[_Header]:
        """Every file, folder and other thing; a header that only helps the next one is no thing."""
        at, count = 0, 0
        better: dict[str, str] = {}
        while len(block := self._block(at)) == _BLOCK and block.strip(b"\0"):
            size = _number(block[124:136])
            kind, data = block[156:157], at + _BLOCK
            at = data + -(-size // _BLOCK) * _BLOCK
            count += 1
            if count > 2 * self._most:
                raise IntakeError(f"{names.quoted(self._shown)} holds more than {self._most:,} files.")
            if kind in (_LONG_NAME, _PAX):
                better |= self._better(kind, data, size)
            elif kind not in _OF_NO_USE:
                yield _Header(better.get("path") or _name(block), size, kind, data)
                better = {}

    def _block(self, at: int) -> bytes:
        self._file.seek(at)
        block = self._file.read(_BLOCK)
        if len(block) == _BLOCK and block.strip(b"\0") and not _sound(block):
            raise ValueError("a header is broken")
        return block

    def _better(self, kind: bytes, at: int, size: int) -> dict[str, str]:
        if size > _LONGEST_HEADER:
            raise ValueError("a header is too long")
        self._file.seek(at)
        data = self._file.read(size)
        if kind == _LONG_NAME:
            return {"path": _text(data)}
        return _pax(data)


def _unpacked(file: IO[bytes]) -> IO[bytes]:
    """A file to seek in, with what `file` holds."""
    mark = file.read(6)
    file.seek(0)
    packing = next((packing for start, packing in PACKED_MARKS.items() if mark.startswith(start)), None)
    plain = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the tree
    try:
        packed = file.seek(0, 2)
        file.seek(0)
        done = 0
        for chunk in _chunks(file, packing):
            done += len(chunk)
            if done > _MOST_BYTES or (packing and outgrown(done, packed)):
                raise ValueError("it unpacks to far too much")
            plain.write(chunk)
    except BaseException:
        plain.close()
        raise
    return plain


def _chunks(file: IO[bytes], packing: str | None) -> Iterator[bytes]:
    if packing == "xz":
        yield from _xz_chunks(file)
        return
    opened: dict[str | None, IO[bytes]] = {None: file}
    if packing == "gz":
        opened[packing] = gzip.GzipFile(fileobj=file)  # type: ignore[assignment]  # reads bytes all the same
    elif packing == "bz2":
        opened[packing] = bz2.BZ2File(file)
    while chunk := opened[packing].read(CHUNK):
        yield chunk


def _xz_chunks(file: IO[bytes]) -> Iterator[bytes]:
    """`lzma.open` sets no bound to the memory that a file may ask for."""
    unpacker = lzma.LZMADecompressor(memlimit=_MOST_XZ_MEMORY)
    while not unpacker.eof:
        data = file.read(CHUNK) if unpacker.needs_input else b""
        if unpacker.needs_input and not data:
            raise EOFError("it is cut off")
        yield unpacker.decompress(data, CHUNK)


def _sound(block: bytes) -> bool:
    """Whether the sum that a header carries is that of its bytes."""
    return _number(block[148:156]) == sum(block) - sum(block[148:156]) + 8 * ord(" ")


def _number(field: bytes) -> int:
    if field[:1] == b"\x80":
        return int.from_bytes(field[1:])
    if field[:1] == b"\xff":
        raise ValueError("a size below zero")
    number = int(field.strip(b" \0").partition(b"\0")[0] or b"0", 8)
    if number < 0:
        raise ValueError("a size below zero")
    return number


def _name(block: bytes) -> str:
    name, prefix = _text(block[:100]), _text(block[345:500])
    return f"{prefix}/{name}" if prefix and block[257:263] == b"ustar\0" else name


def _pax(data: bytes) -> dict[str, str]:
    """The path among the records `length key=value`."""
    found, at = {}, 0
    while at < len(data):
        digits = data[at : at + 8].partition(b" ")[0]
        length = int(digits)
        if length <= len(digits) + 1:
            raise ValueError("a header is broken")
        key, _, value = data[at + len(digits) + 1 : at + length].partition(b"=")
        if key == b"path":
            found["path"] = _text(value.removesuffix(b"\n"))
        elif key == b"size" or key.startswith(b"GNU.sparse"):
            raise ValueError("it holds a file of a kind that is not read")
        at += length
    return found


def _text(data: bytes) -> str:
    return data.partition(b"\0")[0].decode("utf-8", "replace")
