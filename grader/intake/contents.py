"""What a folder or an archive holds, as bytes: files that were read and files that were passed by, within bounds."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from grader.errors import IntakeError
from grader.intake import names
from grader.model.submission import Skipped

MOST_FILES = 2_000
MOST_FOLDERS_DEEP = 12
MOST_BYTES = 64 << 20
MOST_SKIPPED_SHOWN = 50
_MOST_BYTES_OF = {".py": 256 << 10, ".ipynb": 20 << 20, ".toml": 64 << 10}
_MOST_BYTES_OF_RECEIPT = 256 << 10
_SMALLER = "Hand in only the folder with your exercises."


@dataclass
class Contents:
    """Filled by one reader, then only looked at. `files` maps a path to its bytes; `receipt` is no file of theirs."""

    files: dict[str, bytes] = field(default_factory=dict)
    receipt: bytes | None = None
    skipped: list[Skipped] = field(default_factory=list)
    visited: int = 0
    read_bytes: int = 0

    def visit(self, path: str) -> None:
        """Count one file or folder.

        Raises:
            IntakeError: it is one too many, or lies too deep.
        """
        self.visited += 1
        if self.visited > MOST_FILES:
            raise IntakeError(f"There are more than {MOST_FILES:,} files and folders in it. {_SMALLER}")
        if names.depth(path) > MOST_FOLDERS_DEEP:
            where = names.quoted(path)
            raise IntakeError(f"The folders are nested more than {MOST_FOLDERS_DEEP} deep at {where}. {_SMALLER}")

    def skip(self, path: str, reason: str) -> None:
        """Remember that `path` was seen and not read."""
        self.skipped.append(Skipped(path=names.printable(path), reason=reason))

    def take(self, path: str, data: bytes) -> None:
        """Keep the bytes, unless they are too many for one file; `data` may be cut at `byte_limit(path) + 1`.

        Raises:
            IntakeError: all files together are too large.
        """
        self.read_bytes += len(data)
        if self.read_bytes > MOST_BYTES:
            raise IntakeError(f"The files in it are larger than {MOST_BYTES >> 20} MiB in all. {_SMALLER}")
        if len(data) > byte_limit(path):
            self.skip(path, too_large(path))
        elif _is_receipt(path):
            self.receipt = self.receipt or data
        elif path in self.files:
            self.skip(path, "this name is there twice; the first one was read")
        else:
            self.files[path] = data

    def only(self, paths: set[str]) -> Contents:
        """The same with these files and nothing else."""
        return Contents(files={path: data for path, data in self.files.items() if path in paths})

    def digest(self) -> str:
        """`sha256:…` over path, length and bytes of every file that was read, in the order of the paths."""
        digest = hashlib.sha256()
        for path, data in sorted(self.files.items()):
            digest.update(f"{path}\n{len(data)}\n".encode() + data)
        return f"sha256:{digest.hexdigest()}"


def byte_limit(path: str) -> int:
    """The most bytes that are read of a file of this kind: notebooks carry images."""
    return _MOST_BYTES_OF_RECEIPT if _is_receipt(path) else _MOST_BYTES_OF[names.suffix(path)]


def _is_receipt(path: str) -> bool:
    return path.rpartition("/")[2] == names.RECEIPT


def too_large(path: str) -> str:
    """The reason for passing by a file that is larger than its limit."""
    limit = byte_limit(path)
    return f"larger than {limit >> 20} MiB" if limit >= 1 << 20 else f"larger than {limit >> 10} KiB"


def shortened(skipped: tuple[Skipped, ...]) -> tuple[Skipped, ...]:
    """In the order of the paths; files of other kinds are named up to a number and then only counted."""
    ordered = sorted(skipped, key=lambda entry: entry.path)
    other = [entry for entry in ordered if entry.reason.startswith("only .py")]
    dropped = {id(entry) for entry in other[MOST_SKIPPED_SHOWN:]}
    kept = [entry for entry in ordered if id(entry) not in dropped]
    if dropped:
        kept.append(Skipped(path=f"… and {len(dropped):,} more", reason=other[0].reason))
    return tuple(kept)
