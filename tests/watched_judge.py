"""A judge that ends at once when something in it is about to write to a disk.

Its command is then told that the judge is gone. `main` is an entry for `Launcher.judge`.
"""

import os
import sys

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC
FORBIDDEN = {"os.link", "os.mkdir", "os.rename", "os.symlink", "os.system", "os.truncate", "shutil.copyfile",
             "sqlite3.connect", "tempfile.mkdtemp", "tempfile.mkstemp"}  # fmt: skip


def watch(event: str, arguments: tuple[object, ...]) -> None:
    """An audit hook: it cannot be taken out again."""
    if event in FORBIDDEN or (event == "open" and _writes(*arguments)):
        os._exit(77)


def _writes(path: object, mode: object, flags: object) -> bool:
    """Descriptors are the pipes and sockets that a judge was given; /dev/null keeps nothing."""
    return isinstance(flags, int) and bool(flags & WRITES) and not isinstance(path, int) and path != os.devnull


def main(reading: int, writing: int, workers: int | None) -> None:
    """A judge, watched from its first line on."""
    sys.addaudithook(watch)
    from grader.checks.judge import main

    main(reading, writing, workers)
