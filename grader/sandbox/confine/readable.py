"""What a worker may read: Python's library, the installed packages, the system's shared libraries."""

from __future__ import annotations

import functools
import os
import sys
import sysconfig

SYSTEM = (
    "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache", "/etc/localtime", "/usr/share/zoneinfo",
    "/sys/devices/system/cpu",
)  # fmt: skip
DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom")


@functools.cache
def python() -> list[str]:
    """Folders that must be readable for Python to import anything, this environment's and its base's."""
    schemes = [sysconfig.get_paths(vars={"base": base, "platbase": base}) for base in {sys.prefix, sys.base_prefix}]
    found = {scheme[name] for scheme in schemes for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    found |= {entry for entry in sys.path if entry.endswith(("site-packages", "dist-packages"))}
    return sorted(path for path in found if os.path.isdir(path))


@functools.cache
def paths() -> list[str]:
    """All that may be read, outermost folders only. Python's shared libraries lie beside its own."""
    libraries = [os.path.join(base, "lib") for base in (sys.prefix, sys.base_prefix)]
    return outermost([path for path in (*python(), *libraries, *SYSTEM) if os.path.exists(path)])


def outermost(paths: list[str]) -> list[str]:
    """Without those that lie below another one."""
    found: list[str] = []
    for path in sorted(set(paths), key=len):
        if not any(path.startswith(f"{above}/") for above in found):
            found.append(path)
    return sorted(found)
