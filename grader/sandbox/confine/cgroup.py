"""A control group for each worker: one limit on all memory, whoever in the worker's tree asked for it.

Needs cgroup v2 and a group that was handed over to the grader and holds nobody else, as this makes one:

    systemd-run --user --scope -p Delegate=yes grade submit exercises/

A process may not be in a group that divides memory among others, so the grader moves into a sub-group first. Everything
is written through one descriptor, opened before the container hides the file system (Documentation/admin-guide/
cgroup-v2.rst).
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")
GRADER = "grader"
CONTROLLERS = "+memory +pids"
THREADS = 128
MIB = 1 << 20


def divide(ours: Collection[int]) -> Groups:
    """Divide the group of this process, in which only `ours` may be, for workers to come.

    Raises:
        OSError: as `Groups`, or there is no cgroup v2 here.
    """
    return Groups(own_group(Path("/proc/self/cgroup").read_text(encoding="ascii")), ours)


def own_group(listing: str) -> Path:
    """The folder of a process's group, from its /proc/…/cgroup.

    Raises:
        OSError: there is no cgroup v2 here.
    """
    path = next((line.removeprefix("0::") for line in listing.splitlines() if line.startswith("0::")), None)
    if path is None or not (ROOT / "cgroup.controllers").is_file():
        raise OSError("the system does not use cgroup v2")
    return ROOT / path.lstrip("/")


class Groups:
    """The groups of one nursery's workers."""

    def __init__(self, group: Path, ours: Collection[int]) -> None:
        """Divide `group`, in which only the processes `ours` may be.

        Raises:
            OSError: it was not handed over, does not limit memory, or holds other programs.
        """
        self._folder = os.open(group, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        if "memory" not in self._read("cgroup.controllers").split():
            raise OSError("the group of this process does not limit memory")
        members = [int(pid) for pid in self._read("cgroup.procs").split()]
        if not set(members) <= set(ours):
            raise OSError("the group of this process holds other programs too")
        os.mkdir(GRADER, dir_fd=self._folder)
        for pid in members:
            self._write(f"{GRADER}/cgroup.procs", str(pid))
        self._write("cgroup.subtree_control", CONTROLLERS)

    def add(self, pid: int, memory_mib: int) -> str:
        """Put a worker, by the pid that this process knows, into a new group; returns its name.

        Raises:
            OSError: refused.
        """
        name = f"worker-{pid}"
        os.mkdir(name, dir_fd=self._folder)
        values = {"memory.max": memory_mib * MIB, "memory.swap.max": 0, "pids.max": THREADS, "cgroup.procs": pid}
        for file, value in values.items():
            self._write(f"{name}/{file}", str(value))
        return name

    def remove(self, name: str) -> None:
        """Remove the group of a worker that has ended."""
        with contextlib.suppress(OSError):  # still in use by what the kernel is ending
            os.rmdir(name, dir_fd=self._folder)

    def _read(self, name: str) -> str:
        with open(os.open(name, os.O_RDONLY | os.O_CLOEXEC, dir_fd=self._folder), encoding="ascii") as file:
            return file.read()

    def _write(self, name: str, value: str) -> None:
        with open(os.open(name, os.O_WRONLY | os.O_CLOEXEC, dir_fd=self._folder), "w", encoding="ascii") as file:
            file.write(value)
