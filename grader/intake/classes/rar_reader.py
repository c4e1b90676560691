"""Reads RAR 4 and RAR 5 for `unpacker`. What is stored is copied; what is compressed takes a program that unpacks RAR.

The program gets no name from the archive as an argument, and cannot write. It gets an archive with one member, or in a
solid archive with those on which that one builds before it, and prints what is in it, one file after the other. This is
cut by the sizes in the archive, and believed where the checksum is right; where it is not, the next program is asked.
A member that cannot be read is in the tar without bytes, and its kind there is the letter of the reason.
"""

from __future__ import annotations

import io
import os
import shutil
import struct
import subprocess
import tarfile
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any

import rarfile

LOCKED, VOLUME, DAMAGED, CUT, TOO_MUCH, NO_PROGRAM, NOT_UNPACKED = b"p", b"v", b"d", b"c", b"m", b"t", b"u"
_PROGRAMS = (
    ("unrar", "p", "-inul", "-p-", "-cfg-", "--"),
    ("unar", "-q", "-p", "", "-o", "-"),
    ("7zz", "e", "-so", "-bd", "-p", "--"),
    ("7z", "e", "-so", "-bd", "-p", "--"),
    ("bsdtar", "-x", "-O", "-f"),
)
_COPY = "members.rar"
_CHUNK = 1 << 20
_TAR_BYTES_PER_FILE = 4 << 10
_SPLIT = rarfile.RAR_FILE_SPLIT_BEFORE | rarfile.RAR_FILE_SPLIT_AFTER

rarfile.TRY_ENCODINGS = ("utf8",)  # else a name in another encoding may be read as UTF-16
# Comments are of no use here, and to read one may take a program or a password.
rarfile.rar3_decompress = lambda *_: b""
rarfile.RAR5Parser._load_comment = lambda *_: None


def unpack(archive: IO[bytes], tar: tarfile.TarFile, wants: Callable[[str], bool], most: int, seconds: float) -> bool:
    """Fill the tar; False if nothing can be read without a password."""
    headers: list[Any] = []
    rar = rarfile.RarFile(archive, charset="cp437", info_callback=headers.append, part_only=True)
    members = rar.infolist()
    if rar.needs_password() and not members:
        return False
    wanted = {id(one) for one in members if _is_file(one) and wants(_name(one))}
    reading = _Reading(archive, wanted, most - _TAR_BYTES_PER_FILE * len(members), seconds)
    reading.chains = {id(one): chain for chain in _chains(members) for one in chain}
    for one in members:
        if id(one) in wanted:
            _put(tar, _name(one), *reading.read(one))
        else:
            kind = tarfile.REGTYPE if _is_file(one) else tarfile.DIRTYPE if one.is_dir() else tarfile.SYMTYPE
            _put(tar, _name(one), kind)
    for header in headers:
        if header.type == rarfile.RAR_BLOCK_FILE and header.flags & rarfile.RAR_FILE_SPLIT_BEFORE:
            _put(tar, _name(header), VOLUME)
    if rar.strerror() or _is_cut(headers, archive):
        _put(tar, "…", CUT)
    return True


class _Reading:
    """One pass over the members: `left` bytes may be unpacked, in so many seconds, all together.

    `chains` maps each compressed member to those that have to be unpacked together with it.
    """

    chains: dict[int, list[Any]]

    def __init__(self, archive: IO[bytes], wanted: set[int], left: int, seconds: float) -> None:
        self._archive, self._wanted, self._left = archive, wanted, left
        self._deadline = time.monotonic() + seconds
        self._programs = [[path, *rest] for name, *rest in _PROGRAMS if (path := shutil.which(name))]
        self._found: dict[int, tuple[bytes, bytes]] = {}

    def read(self, member: Any) -> tuple[bytes, bytes]:
        """The kind that a member of interest has in the tar, and its bytes."""
        if chain := self.chains.get(id(member)):
            if id(member) not in self._found:
                self._unpack(chain)
            return self._found.pop(id(member))
        if problem := _problem(member) or (TOO_MUCH if member.file_size > self._left else b""):
            return problem, b""
        self._left -= member.file_size
        self._archive.seek(member.data_offset)
        data = self._archive.read(member.file_size)
        return (tarfile.REGTYPE, data) if _is_whole(member, data) else (DAMAGED, b"")

    def _unpack(self, chain: list[Any]) -> None:
        """Find all that is of interest in it, or why that cannot be had."""
        readable, problem, size = [], b"" if self._programs else NO_PROGRAM, 0
        for one in chain:
            size += one.file_size
            problem = problem or _problem(one) or (TOO_MUCH if size > self._left else b"")
            self._found[id(one)] = (_problem(one) or problem or NOT_UNPACKED, b"")
            if not problem:
                readable.append(one)
        while readable and id(readable[-1]) not in self._wanted:
            readable.pop()
        self._left -= sum(one.file_size for one in readable)
        missing = {id(one) for one in readable} & self._wanted
        if missing:
            self._write(readable)
        for program in self._programs[:]:
            if missing and (printed := self._printed(program, readable)):
                missing -= printed.keys()
                self._found |= printed
                self._programs.sort(key=lambda one, works=program: one is not works)  # type: ignore[misc]
        if time.monotonic() > self._deadline:
            self._found |= dict.fromkeys(missing, (TOO_MUCH, b""))

    def _write(self, members: list[Any]) -> None:
        """An archive of these members alone."""
        with open(_COPY, "wb") as file:
            start, end = _frame(rarfile.get_rar_version(self._archive), len(members) > 1)
            file.write(start)
            for one in members:
                self._archive.seek(one.header_offset)
                left = one.data_offset + one.add_size - one.header_offset
                while left > 0 and (chunk := self._archive.read(min(left, _CHUNK))):
                    left -= file.write(chunk)
            file.write(end)

    def _printed(self, program: list[str], members: Iterable[Any]) -> dict[int, tuple[bytes, bytes]]:
        """Those members of interest that the program has unpacked rightly."""
        printed = {}
        with suppress(OSError), _running([*program, _COPY], self._deadline - time.monotonic()) as stream:
            for one in members:
                data = stream.read(one.file_size)
                if id(one) in self._wanted and _is_whole(one, data):
                    printed[id(one)] = (tarfile.REGTYPE, data)
                if len(data) < one.file_size:
                    break
        return printed


def _chains(members: list[Any]) -> list[list[Any]]:
    """Compressed members in their order; each but the first of a chain builds upon those before it."""
    chains: list[list[Any]] = []
    for one in members:
        if not _is_file(one) or one.compress_type == rarfile.RAR_M0 or not one.file_size:
            continue
        if chains and one.flags & rarfile.RAR_FILE_SOLID:
            chains[-1].append(one)
        else:
            chains.append([one])
    return chains


def _problem(member: Any) -> bytes:
    return LOCKED if member.needs_password() else VOLUME if member.flags & _SPLIT else b""


def _is_file(member: Any) -> bool:
    """Neither a folder, nor a link, nor a device."""
    is_special = member.file_redir is not None or member.is_symlink()
    kind = member.mode & 0xF000 if member.host_os == rarfile.RAR_OS_UNIX else 0
    return not is_special and not member.is_dir() and kind in (0, 0x8000)


def _is_whole(member: Any, data: bytes) -> bool:
    if len(data) != member.file_size:
        return False
    if member.CRC is not None:
        return bool(zlib.crc32(data) == member.CRC)
    return bool(member.blake2sp_hash in (None, rarfile.Blake2SP(data).digest()))


def _is_cut(headers: list[Any], archive: IO[bytes]) -> bool:
    """Whether there was more once. The older format may lack a mark at its end."""
    if not headers or headers[-1].data_offset + headers[-1].add_size > archive.seek(0, 2):
        return True
    return bool(rarfile.get_rar_version(archive) == 5 and headers[-1].type != rarfile.RAR_BLOCK_ENDARC)


def _frame(version: int, is_solid: bool) -> tuple[bytes, bytes]:
    """What stands before and after the members of an archive."""
    if version == 5:
        start, end = b"\x03\x01\x00" + bytes([is_solid * 4]), b"\x03\x05\x00\x00"
        checked = [struct.pack("<I", zlib.crc32(header)) + header for header in (start, end)]
        return rarfile.RAR5_ID + checked[0], checked[1]
    header = struct.pack("<BHH", rarfile.RAR_BLOCK_MAIN, is_solid * rarfile.RAR_MAIN_SOLID, 13) + bytes(6)
    return rarfile.RAR_ID + struct.pack("<H", zlib.crc32(header) & 0xFFFF) + header, b""


@contextmanager
def _running(command: list[str], seconds: float) -> Iterator[IO[bytes]]:
    """What the program prints, until the time is over.

    To write is an error to it, as to Python, and no signal that kills: unar tries to keep its settings.
    """
    environment = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    environment |= {"HOME": os.getcwd(), "TMPDIR": os.getcwd(), "LC_ALL": "C.UTF-8"}
    with _no_writing():
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment,
            restore_signals=False,
        )  # fmt: skip
    assert process.stdout is not None
    clock = threading.Timer(max(seconds, 0), process.kill)
    clock.start()
    try:
        yield process.stdout
    finally:
        clock.cancel()
        process.kill()
        process.stdout.close()
        process.wait()


@contextmanager
def _no_writing() -> Iterator[None]:
    """What is started here can put no bytes into a file, where the system knows such a bound."""
    try:
        import resource
    except ImportError:  # Windows
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def _name(member: Any) -> str:
    return str(member.filename).replace("\\", "/")


def _put(tar: tarfile.TarFile, name: str, kind: bytes, data: bytes = b"") -> None:
    info = tarfile.TarInfo(name)
    info.type, info.size = kind, len(data)
    tar.addfile(info, io.BytesIO(data))
