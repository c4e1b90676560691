"""Limits that the kernel counts per process.

Memory is bounded twice, relative to what torch has mapped already: address space catches shared mappings, data is what
malloc uses. CPU time has soft = hard, so that it ends in SIGKILL, which nothing can catch. The number of processes and
threads counts per user, so it is set where the worker's user is its own (RLIMIT_NPROC does not bind root).
"""

from __future__ import annotations

import resource
from typing import Any, NamedTuple

MIB = 1 << 20
THREADS = 64
SIGNALS = 64


class Mapped(NamedTuple):
    """Bytes of address space and of private writable data, and of memory that is really used."""

    space: int
    data: int
    resident: int


def mapped_now() -> Mapped:
    """What this process has mapped (VmSize, VmData and VmRSS of /proc/self/status, proc(5))."""
    with open("/proc/self/status", encoding="ascii") as lines:
        found = dict(line.split(":", 1) for line in lines)
    return Mapped(*(int(found[key].split()[0]) * 1024 for key in ("VmSize", "VmData", "VmRSS")))


def apply(settings: dict[str, Any], mapped: Mapped, *, own_user: bool) -> None:
    """Set every limit, hard; a limit that is already lower stays."""
    extra = settings["memory_mib"] * MIB
    wanted = {
        resource.RLIMIT_AS: mapped.space + extra,
        resource.RLIMIT_DATA: mapped.data + extra,
        resource.RLIMIT_FSIZE: settings["file_mib"] * MIB,
        resource.RLIMIT_NOFILE: settings["open_files"],
        resource.RLIMIT_CPU: settings["cpu_seconds"],
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_MSGQUEUE: 0,
        resource.RLIMIT_SIGPENDING: SIGNALS,
    }
    if own_user:
        wanted[resource.RLIMIT_NPROC] = THREADS
    for limit, value in wanted.items():
        hard = resource.getrlimit(limit)[1]
        bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(limit, (bound, bound))
