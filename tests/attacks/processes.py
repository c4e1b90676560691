"""Processes as they are seen from outside, through /proc: who descends from us, and how each of them stands."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

PR_SET_CHILD_SUBREAPER = 36
IOPRIO_GET = {"x86_64": 252, "aarch64": 31}
LIMITS = range(16)
SETTLE_SECONDS = 5.0


class Stat(NamedTuple):
    """A part of /proc/<pid>/stat (proc(5))."""

    state: str
    parent: int
    group: int
    session: int


def adopt_orphans(adopt: bool) -> None:
    """Become the parent of descendants whose own parent ends, so that none is lost from sight."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, ctypes.c_ulong(adopt), *[ctypes.c_ulong(0)] * 3)


def stat_of(pid: int) -> Stat | None:
    """None for a process that is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
    except OSError:
        return None
    return Stat(fields[0], *map(int, fields[1:4]))


def descendants() -> set[int]:
    """Every process below this one. Our own dead children are buried on the way."""
    parents = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit() and (stat := stat_of(int(entry))) is not None:
            if stat.state == "Z" and stat.parent == os.getpid():
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(int(entry), os.WNOHANG)
            else:
                parents[int(entry)] = stat.parent
    return {pid for pid in parents if _is_below_us(pid, parents)}


def _is_below_us(pid: int, parents: dict[int, int]) -> bool:
    seen = set()
    while pid in parents and pid not in seen:
        seen.add(pid)
        pid = parents[pid]
        if pid == os.getpid():
            return True
    return False


def left_over(expected: set[int]) -> set[int]:
    """Descendants other than these that are still there after a while; they are killed."""
    deadline = time.monotonic() + SETTLE_SECONDS
    while (more := descendants() - expected) and time.monotonic() < deadline:
        time.sleep(0.01)
    for pid in more:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return more


def standing(pid: int) -> str:
    """What one process can do to another without ending it: priority, processors, limits, and whether it is stopped."""
    stat = stat_of(pid)
    if stat is None or stat.state in "ZX":
        return "gone"
    parts: list[object] = ["stopped" if stat.state in "Tt" else "runs", *stat[2:]]
    with contextlib.suppress(OSError):
        parts += [os.getpriority(os.PRIO_PROCESS, pid), sorted(os.sched_getaffinity(pid)), os.sched_getscheduler(pid)]
    with contextlib.suppress(OSError):
        parts += [resource.prlimit(pid, limit) for limit in LIMITS]
    with contextlib.suppress(OSError):
        parts += [Path(f"/proc/{pid}/oom_score_adj").read_text(encoding="ascii").strip()]
    if number := IOPRIO_GET.get(os.uname().machine):
        parts += [ctypes.CDLL(None).syscall(ctypes.c_long(number), ctypes.c_long(1), ctypes.c_long(pid))]
    return " ".join(map(str, parts))


def peaks_mib(pids: Iterable[int]) -> dict[int, int]:
    """The most memory that each has ever had."""
    found = {}
    for pid in pids:
        with contextlib.suppress(OSError):
            for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace").splitlines():
                if line.startswith("VmHWM:"):
                    found[pid] = int(line.split()[1]) >> 10
    return found
