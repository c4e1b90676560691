"""Writes results into the folder of `--out` and nowhere else, whatever a student has left in its place."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from grader.errors import UsageError

_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


def write_files(out: Path, files: dict[str, bytes]) -> None:
    """Make the folder, and in it each file anew by its name: a link or a pipe of that name is replaced, not opened.

    A name may have folders before it, divided by `/`.

    Raises:
        UsageError: it cannot be written, or is a link (the default folder lies where students may put things).
    """
    try:
        inside = {out / folder for name in files for folder in PurePosixPath(name).parents}
        for folder in [*inside, *([] if out.is_absolute() else out.parents)]:
            if folder.is_symlink():
                raise UsageError(
                    f"{folder} is a link, and results are not written through one. "
                    "Remove it, or choose another folder with --out."
                )
        for folder in {out, *inside}:
            folder.mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            _write(out / name, data)
    except OSError as error:
        raise UsageError(f"{out} cannot be written ({error.strerror}). Choose another folder with --out.") from None


def left_over(out: Path, files: Iterable[str], suffix: str) -> dict[Path, int]:
    """How many files with that suffix lie beside those in the folders of `out`, though they are none of them."""
    named = {out / name for name in files}
    folders = {path.parent for path in named if path.parent != out}
    others = {folder: {path for path in folder.glob(f"*{suffix}")} - named for folder in folders}
    return {folder: len(paths) for folder, paths in others.items() if paths}


def _write(path: Path, data: bytes) -> None:
    """All of it or nothing; the name in between cannot be guessed."""
    unfinished = path.with_name(f".{path.name}.{os.urandom(8).hex()}")
    descriptor = os.open(unfinished, _NEW_FILE, 0o666)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
