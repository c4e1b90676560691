"""What a worker uses, seen from outside: memory and threads of its process, and the size of its folder.

The rlimits and the quota of a worker's own file system stop almost everything at once; this stops the rest, on systems
that have none of them, and where several processes share a limit that the kernel counts for each.
"""

from __future__ import annotations

import contextlib
import os
import time

from grader.model.limits import Limits
from grader.sandbox.process import TooMuch

INTERVAL_SECONDS = 0.1
MIB = 1 << 20
MOST_THREADS = 200
SHARED_MIB = 128  # pages of PyTorch that count only once a worker touches them


class Watch:
    """Watches one worker; `look` raises TooMuch, with a sentence for the student."""

    def __init__(self, pid: int, limits: Limits, *, at_start: int, folder: str | None) -> None:
        """`at_start`: bytes resident before the student's code came; `folder`: None where the kernel keeps a quota."""
        self._pid, self._at_start, self._folder = pid, at_start, folder
        self._memory_mib, self._folder_mib, self._files = limits.memory_mib, limits.folder_mib, limits.folder_files
        self._looked = time.monotonic()

    def now_and_then(self, *, idle: bool) -> None:
        """Look when we have nothing else to do; every now and then at a folder without quota, which fills in no time.

        Raises:
            TooMuch: as `look`.
        """
        now = time.monotonic()
        if idle or (self._folder is not None and now - self._looked > INTERVAL_SECONDS):
            self._looked = now
            self.look()

    def look(self) -> None:
        """Raises:
        TooMuch: it uses more than its limits.
        """
        used = (resident(self._pid) - self._at_start) // MIB
        if used > self._memory_mib + SHARED_MIB:
            words = f"Your code used {used:,} MiB of memory beside PyTorch; {self._memory_mib:,} MiB are allowed."
            raise TooMuch("out_of_memory", words)
        if (count := threads(self._pid)) > MOST_THREADS:
            raise TooMuch("crashed", f"Your code ran {count:,} threads at once; {MOST_THREADS} are allowed.")
        if self._folder is None:
            return
        files, size = held(self._folder, self._files)
        if files > self._files or size > self._folder_mib * MIB:
            wrote = f"{size // MIB:,} MiB in {files:,} files"
            raise TooMuch("crashed", f"Your code wrote {wrote}; {self._folder_mib} MiB in {self._files:,} are allowed.")


def resident(pid: int) -> int:
    """Bytes of resident memory of a process and all below it; 0 when it is gone (its number may be -1 then)."""
    import psutil

    found = 0
    with contextlib.suppress(psutil.Error, ValueError):
        process = psutil.Process(pid)
        for one in (process, *process.children(recursive=True)):
            found += one.memory_info().rss
    return found


def most_space(pid: int) -> int | None:
    """The most bytes of address space that a process has had (Linux: VmPeak of proc(5)); None where nobody tells."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as lines:
            return next((1024 * int(line.split()[1]) for line in lines if line.startswith("VmPeak:")), None)
    except OSError:
        return None


def threads(pid: int) -> int:
    """How many threads a process runs; 0 when it is gone."""
    import psutil

    with contextlib.suppress(psutil.Error, ValueError):
        count: int = psutil.Process(pid).num_threads()
        return count
    return 0


def held(folder: str, enough: int) -> tuple[int, int]:
    """How many files and folders are in a folder, and their bytes; stops counting soon after `enough`."""
    count = size = 0
    pending = [folder]
    while pending and count <= enough:
        with contextlib.suppress(OSError):  # it changes while we look
            for entry in os.scandir(pending.pop()):
                count += 1
                size += entry.stat(follow_symlinks=False).st_size
                if entry.is_dir(follow_symlinks=False):
                    pending.append(entry.path)
    return count, size
