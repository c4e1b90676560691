"""Folders that a student's code may fill: the temporary one of a run, and how to remove them whatever is in them."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

PREFIX = "grade-"
LOCK = "in-use"


class RunFolder:
    """A new folder in the system's temporary one. A lock, which ends with the process however that ends, claims it."""

    def __init__(self) -> None:
        import fcntl  # not on Windows, where nothing is forked either

        sweep(Path(tempfile.gettempdir()))
        self.path = tempfile.mkdtemp(prefix=PREFIX)
        unclaimed = os.path.join(self.path, "new")
        self._lock = os.open(unclaimed, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        os.rename(unclaimed, os.path.join(self.path, LOCK))  # only now is it visible to `sweep`

    def remove(self) -> None:
        """Remove it with all that is in it."""
        remove(self.path)
        os.close(self._lock)


def sweep(temporary: Path) -> None:
    """Remove the folders of runs that were killed: ours by owner, and with a lock that nobody holds."""
    import fcntl

    for folder in temporary.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):  # another user's, another program's, or still in use
            lock = os.open(folder / LOCK, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if os.lstat(folder).st_uid == os.geteuid():
                    remove(str(folder))
            finally:
                os.close(lock)


def remove(folder: str) -> None:
    """Remove a folder however deep it is: what lies below is moved up first, so that no path grows long."""
    moved = 0
    with contextlib.suppress(OSError):  # what cannot be removed now goes with the folder of the run
        while inner := _inner(folder):
            for entry in inner:
                _inner(entry.path)
                for below in list(os.scandir(entry.path)):
                    moved += 1
                    os.rename(below.path, os.path.join(folder, f"moved-{moved}-{entry.inode()}"))
                os.rmdir(entry.path)
        for file in os.scandir(folder):
            os.unlink(file.path)
        os.rmdir(folder)


def _inner(path: str) -> list[os.DirEntry[str]]:
    """The folders in a folder, made accessible, whatever their owner did to them."""
    found = [entry for entry in os.scandir(path) if entry.is_dir(follow_symlinks=False)]
    for entry in found:
        os.chmod(entry.path, 0o700)
    return found
