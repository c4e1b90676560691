"""Unpacks a 7z archive in a process of its own that may be killed at any moment. Nothing is written to the disk.

`seven_zip` starts this file by its path, `python -I -B seven_zip_child.py MEMORY_MIB MOST_BYTES ENDING…`, with the
archive as standard input. What comes out is a tar of everything in it; only files with these endings have their bytes
with them, and only those are unpacked, as far as the archive allows. It ends with 0, or with 3 where a password is
asked for.
"""

from __future__ import annotations

import io
import sys
import tarfile
from contextlib import suppress
from pathlib import PurePosixPath

from py7zr import FileInfo, SevenZipFile
from py7zr.exceptions import PasswordRequired
from py7zr.io import Py7zIO, WriterFactory

LOCKED = 3


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


def main() -> int:
    """Standard input to standard output."""
    _bound_memory(int(sys.argv[1]) << 20)
    endings = tuple(sys.argv[3:])
    try:
        with (
            SevenZipFile(sys.stdin.buffer, max_extract_size=int(sys.argv[2])) as archive,
            tarfile.open(fileobj=sys.stdout.buffer, mode="w|") as tar,
        ):
            if archive.needs_password():
                return LOCKED
            wanted: dict[str, str] = {}
            for one in archive.list():
                if one.is_file and one.filename.lower().endswith(endings) and not _leads_out(one.filename):
                    wanted.setdefault(str(PurePosixPath(one.filename)), one.filename)
                    continue
                info = tarfile.TarInfo(one.filename)
                info.type = tarfile.DIRTYPE if one.is_directory else tarfile.REGTYPE if one.is_file else tarfile.SYMTYPE
                tar.addfile(info)
            if wanted:
                archive.extract(targets=list(wanted.values()), factory=_Members(wanted, tar))
    except PasswordRequired:
        return LOCKED
    return 0


def _without_bytes(one: FileInfo) -> tarfile.TarInfo:
    """A folder, a file that is not unpacked, or something else, which the tar has as a link."""
    info = tarfile.TarInfo(one.filename)
    info.type = tarfile.DIRTYPE if one.is_directory else tarfile.REGTYPE if one.is_file else tarfile.SYMTYPE
    return info


def _leads_out(name: str) -> bool:
    path = PurePosixPath(name)
    return path.is_absolute() or ".." in path.parts or "\\" in name or name[1:2] == ":"


def _bound_memory(size: int) -> None:
    """As in `parser`: where the system can, and the first to go when memory runs out anyway."""
    with suppress(OSError), open("/proc/self/oom_score_adj", "w") as score:
        score.write("1000")
    try:
        import resource
    except ImportError:  # Windows
        return
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    most = size if hard == resource.RLIM_INFINITY else min(size, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    sys.exit(main())
