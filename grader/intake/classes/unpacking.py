"""Archives that take the extra `archives`, as trees: unpacked by `unpacker`, a process of its own, within bounds."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import IO, NamedTuple

from grader.errors import SandboxError
from grader.intake import names
from grader.intake.classes.tar_tree import TarTree
from grader.intake.classes.tree import CHUNK, Unreadable, outgrown

INSTALL = "pip install 'residual-grader[archives]'"
SECONDS = 20.0
MEMORY_MIB = 768
MOST_BYTES = 200 << 20
_CHILD = Path(__file__).with_name("unpacker.py")
_WANTED = (".py", ".ipynb", ".toml", names.RECEIPT, *names.ARCHIVES)
_LOCKED = "locked with a password; ask for one without"
_LOCKED_CODE = 3  # see `unpacker`
_PROBLEMS = {  # see `rar_reader`
    b"p": _LOCKED,
    b"v": "one part of an archive that was split into volumes; ask for a .zip",
    b"d": "damaged: it cannot be unpacked; ask for a .zip",
    b"c": "the rest of the archive is missing or damaged; ask for a .zip",
    b"m": "too much to unpack; ask for a .zip",
    b"t": "compressed, and nothing that unpacks RAR is here; install unrar, unar, 7-Zip or bsdtar, or ask for a .zip",
    b"u": "damaged, or packed in a way that the programs here do not unpack; install unrar or unar, or ask for a .zip",
}


class Format(NamedTuple):
    """A kind of archive by its first bytes, the library that reads it, and the part of `unpacker` that uses that."""

    name: str
    ending: str
    mark: bytes
    library: str
    reader: str

    def is_installed(self) -> bool:
        """Whether what reads it is there."""
        return find_spec(self.library) is not None


FORMATS = (
    Format("7z", ".7z", b"7z\xbc\xaf\x27\x1c", "py7zr", "seven_zip_reader.py"),
    Format("RAR", ".rar", b"Rar!\x1a\x07", "rarfile", "rar_reader.py"),
)


def unpacked_tree(file: IO[bytes], kind: Format, shown: str, most: int) -> TarTree:
    """The archive in `file`, of at most so many files.

    Raises:
        Unreadable: it is damaged, locked, or too much; or the same keeps every file of interest from being read.
        IntakeError: it holds too many files.
        SandboxError: the process cannot be started.
    """
    with (
        tempfile.TemporaryFile() as tar,
        tempfile.TemporaryDirectory(prefix="grade-archive-", ignore_cleanup_errors=True) as folder,
    ):
        _unpack(file, kind, tar, folder)
        tar.seek(0)
        tree = TarTree(tar, shown, most, _PROBLEMS)
    problems = {entry.problem for entry in tree.entries() if entry.path.lower().endswith(_WANTED)}
    if len(problems) == 1 and (problem := problems.pop()) in _PROBLEMS.values():
        tree.close()
        raise Unreadable(problem)
    return tree


def _unpack(file: IO[bytes], kind: Format, tar: IO[bytes], folder: str) -> None:
    packed = file.seek(0, 2)
    file.seek(0)
    child = _started(file, kind, folder)
    assert child.stdout is not None
    clock = threading.Timer(SECONDS, _kill, [child])
    clock.start()
    done = 0
    try:
        while chunk := child.stdout.read(CHUNK):
            done += len(chunk)
            if done > MOST_BYTES or outgrown(done, packed):
                raise Unreadable("it unpacks to far too much")
            tar.write(chunk)
        code = child.wait()
    finally:
        clock.cancel()
        _kill(child)
        child.stdout.close()
        child.wait()
    if code == _LOCKED_CODE:
        raise Unreadable(_LOCKED)
    if code:
        raise Unreadable("damaged, or too much to unpack; ask for a .zip")


def _started(file: IO[bytes], kind: Format, folder: str) -> subprocess.Popen[bytes]:
    """Isolated: nothing that lies about can be imported."""
    bounds = [str(MEMORY_MIB), str(SECONDS * 0.8), str(MOST_BYTES)]  # it is to end by itself, with what it has
    command = [sys.executable, "-I", "-B", str(_CHILD), str(_CHILD.with_name(kind.reader)), *bounds, *_WANTED]
    try:
        return subprocess.Popen(
            command, stdin=file.fileno(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=folder,
            start_new_session=True,
        )  # fmt: skip
    except OSError as error:
        said = f"The process that unpacks {kind.name} archives could not be started ({error.strerror})."
        raise SandboxError(said) from None


def _kill(child: subprocess.Popen[bytes]) -> None:
    """With whatever it started."""
    child.kill()
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
