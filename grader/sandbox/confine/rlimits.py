"""Limits that the kernel counts per process.

Memory is bounded twice, relative to what torch has mapped already: address space catches shared mappings, data is what
malloc uses. CPU time has soft = hard, so that it ends in SIGKILL, which nothing can catch.
"""

from __future__ import annotations

import resource
from typing import Any, NamedTuple

MIB = 1 << 20


class Mapped(NamedTuple):
    """Bytes of address space and of private writable data."""

    space: int
    data: int


def mapped_now() -> Mapped:
    """What this process has mapped (VmSize and VmData of /proc/self/status, proc(5))."""
    found = {}
    with open("/proc/self/status", encoding="ascii") as lines:
        for line in lines:
            key, _, rest = line.partition(":")
            if key in ("VmSize", "VmData"):
                found[key] = int(rest.split()[0]) * 1024
    return Mapped(found["VmSize"], found["VmData"])


def apply(settings: dict[str, Any], mapped: Mapped) -> None:
    """Set every limit, hard; a limit that is already lower stays."""
    extra = settings["memory_mib"] * MIB
    wanted = {
        resource.RLIMIT_AS: mapped.space + extra,
        resource.RLIMIT_DATA: mapped.data + extra,
        resource.RLIMIT_FSIZE: settings["file_mib"] * MIB,
        resource.RLIMIT_NOFILE: settings["open_files"],
        resource.RLIMIT_CPU: settings["cpu_seconds"],
        resource.RLIMIT_CORE: 0,
    }
    for limit, value in wanted.items():
        hard = resource.getrlimit(limit)[1]
        bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(limit, (bound, bound))
