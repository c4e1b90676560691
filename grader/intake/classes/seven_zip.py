"""A 7z archive as a tree, where the extra `archives` is installed: unpacked by a process of its own, within bounds."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
from importlib.util import find_spec
from pathlib import Path
from typing import IO

from grader.errors import SandboxError
from grader.intake import names
from grader.intake.classes.tar_tree import TarTree
from grader.intake.classes.tree import CHUNK, Unreadable, outgrown

INSTALL = "pip install 'residual-grader[archives]'"
SECONDS = 20.0
MEMORY_MIB = 768
MOST_BYTES = 200 << 20
_LOCKED = 3  # see `seven_zip_child`
_CHILD = Path(__file__).with_name("seven_zip_child.py")
_WANTED = (".py", ".ipynb", names.RECEIPT, *names.ARCHIVES)


def is_installed() -> bool:
    """Whether what reads 7z is there."""
    return find_spec("py7zr") is not None


def seven_zip_tree(file: IO[bytes], shown: str, most: int) -> TarTree:
    """The archive in `file`, of at most so many files.

    Raises:
        Unreadable: it is damaged, locked, or too much.
        IntakeError: it holds too many files.
        SandboxError: the process cannot be started.
    """
    with tempfile.TemporaryFile() as tar:
        _unpack(file, tar)
        tar.seek(0)
        return TarTree(tar, shown, most)


def _unpack(file: IO[bytes], tar: IO[bytes]) -> None:
    packed = file.seek(0, 2)
    file.seek(0)
    child = _started(file)
    assert child.stdout is not None
    clock = threading.Timer(SECONDS, child.kill)
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
        child.kill()
        child.stdout.close()
        child.wait()
    if code == _LOCKED:
        raise Unreadable("locked with a password; ask for one without")
    if code:
        raise Unreadable("damaged, or too much to unpack; ask for a .zip")


def _started(file: IO[bytes]) -> subprocess.Popen[bytes]:
    """Isolated: nothing that lies about can be imported."""
    command = [sys.executable, "-I", "-B", str(_CHILD), str(MEMORY_MIB), str(MOST_BYTES), *_WANTED]
    try:
        return subprocess.Popen(command, stdin=file.fileno(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except OSError as error:
        raise SandboxError(f"The process that unpacks 7z archives could not be started ({error.strerror}).") from None
