"""The files of a course by their paths below its root. All that grades by a course reads it through here."""

from __future__ import annotations

import io
from pathlib import Path

import msgspec

from grader.errors import CourseError


class CourseFiles(msgspec.Struct, frozen=True):
    """Files in the folder `root`; or, if they are `held`, in memory and nowhere on disk, and `root` is but a name."""

    root: str
    held: dict[str, bytes] | None = None

    def __repr__(self) -> str:
        """Without what is in the files: an error may tell it."""
        return f"<{type(self).__name__} {self.root}>"

    def read(self, name: str) -> bytes | None:
        """What a file like `residual_add/checks.py` holds; None if there is no such file.

        Raises:
            CourseError: it is there and cannot be read.
        """
        if self.held is not None:
            return self.held.get(name)
        try:
            return Path(self.root, name).read_bytes()
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return None
        except OSError as error:
            raise CourseError(f"{self.shown(name)} cannot be read ({error.strerror}).") from None

    def text(self, name: str) -> str | None:
        """The same as text. Raises CourseError also where it is not UTF-8."""
        data = self.read(name)
        try:
            return None if data is None else io.StringIO(data.decode(), newline=None).read()
        except UnicodeDecodeError as error:
            raise CourseError(f"{self.shown(name)} is not UTF-8 ({error.reason}).") from None

    def shown(self, name: str) -> str:
        """The file in messages and tracebacks."""
        return str(Path(self.root, name))

    def folders(self, *names: str) -> set[str]:
        """The folders right below the root that hold one of these files."""
        if self.held is not None:
            found = (name.split("/") for name in self.held)
            return {parts[0] for parts in found if len(parts) == 2 and parts[1] in names}
        return {path.parent.name for name in names for path in Path(self.root).glob(f"*/{name}")}
