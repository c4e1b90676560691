"""Unpacks an archive in a process of its own that may be killed at any moment. Nothing of ours is imported.

`unpacking` starts this file by its path, `python -I -B unpacker.py READER MEMORY_MIB SECONDS MOST_BYTES ENDING…`, with
the archive as standard input, in an empty folder that is removed afterwards. READER is the path of the part that knows
the format, `seven_zip_reader` or `rar_reader`; it has a function `unpack`. What comes out is a tar of everything in the
archive; only files with these endings have their bytes with them, and only those are unpacked, as far as the archive
allows. It ends with 0, or with 3 where nothing can be read without a password.
"""

from __future__ import annotations

import sys
import tarfile
from contextlib import suppress
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import PurePosixPath
from types import ModuleType

LOCKED = 3


def main() -> int:
    """Standard input to standard output."""
    reader, memory, seconds, most = sys.argv[1:5]
    endings = tuple(sys.argv[5:])
    _bound_memory(int(memory) << 20)
    unpack = _loaded(reader).unpack
    with tarfile.open(fileobj=sys.stdout.buffer, mode="w|") as tar:
        is_open = unpack(
            sys.stdin.buffer, tar, lambda name: name.lower().endswith(endings) and not _leads_out(name), int(most),
            float(seconds),
        )  # fmt: skip
    return 0 if is_open else LOCKED


def _loaded(path: str) -> ModuleType:
    """The file at `path`. Its folder is no place to import from: other files there have names that libraries have."""
    spec = spec_from_file_location("reader", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


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
