"""Reads 7z for `unpacker`. Nothing is written to the disk."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import IO

from py7zr import FileInfo, SevenZipFile
from py7zr.exceptions import PasswordRequired
from py7zr.io import Py7zIO, WriterFactory


def unpack(archive: IO[bytes], tar: tarfile.TarFile, wants: Callable[[str], bool], most: int, _seconds: float) -> bool:
    """Fill the tar; False if there is a password. The clock of whoever waits is enough: no other process is started."""
    try:
        with SevenZipFile(archive, max_extract_size=most) as packed:
            if packed.needs_password():
                return False
            wanted: dict[str, str] = {}
            for one in packed.list():
                if one.is_file and wants(one.filename):
                    wanted.setdefault(str(PurePosixPath(one.filename)), one.filename)
                else:
                    tar.addfile(_without_bytes(one))
            if wanted:
                packed.extract(targets=list(wanted.values()), factory=_Members(wanted, tar))
    except PasswordRequired:
        return False
    return True


class _Member(Py7zIO):
    """A file while it is unpacked; when it is whole, it goes into the tar."""

    def __init__(self, name: str, tar: tarfile.TarFile) -> None:
        self._name, self._tar, self._data = name, tar, io.BytesIO()

    def write(self, s: bytes | bytearray) -> int:
        return self._data.write(s)

    def read(self, size: int | None = None) -> bytes:
        return self._data.read(size)

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._data.seek(offset, whence)

    def flush(self) -> None:
        return

    def size(self) -> int:
        return len(self._data.getbuffer())

    def close(self) -> None:
        if self._name:
            info = tarfile.TarInfo(self._name)
            info.size = self.size()
            self._data.seek(0)
            self._tar.addfile(info, self._data)
        self._name, self._data = "", io.BytesIO()


class _Members(WriterFactory):
    """`wanted` maps names as the library cleans them to those in the archive; of two with the same name, the first."""

    def __init__(self, wanted: dict[str, str], tar: tarfile.TarFile) -> None:
        self._wanted, self._tar = wanted, tar

    def create(self, filename: str) -> Py7zIO:
        return _Member(self._wanted.pop(filename, ""), self._tar)


def _without_bytes(one: FileInfo) -> tarfile.TarInfo:
    """A folder, a file that is not unpacked, or something else, which the tar has as a link."""
    info = tarfile.TarInfo(one.filename)
    info.type = tarfile.DIRTYPE if one.is_directory else tarfile.REGTYPE if one.is_file else tarfile.SYMTYPE
    return info
