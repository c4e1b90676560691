"""What `grade submit --format` tells a platform: files beside the page, and what GitHub reads from the log."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.cli.telling import tell

if TYPE_CHECKING:
    from reports.ci.findings import Base

SUMMARY, OUTPUT = "GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT"


@dataclass(frozen=True)
class Told:
    """A record, what was graded, and the formats that were asked for."""

    record: dict[str, Any]
    path: Path
    formats: tuple[str, ...]

    def files(self) -> dict[str, bytes]:
        """The files for `--out`, by name."""
        from reports import ci

        return ci.files(self.record, self.formats, self._base(), os.environ) if self.formats else {}

    def to_the_step(self, files: dict[str, bytes]) -> None:
        """What later steps of a workflow on GitHub are told: the result that GitHub Classroom's reporter asks for."""
        from reports.ci import GITHUB_CLASSROOM, github_classroom

        if GITHUB_CLASSROOM in files and os.environ.get(OUTPUT):
            _append(Path(os.environ[OUTPUT]), github_classroom.step_output(files[GITHUB_CLASSROOM]))

    @contextmanager
    def on_github(self) -> Iterator[None]:
        """Whatever is printed within is text to GitHub; annotations and the step summary follow."""
        if "github" not in self.formats:
            yield
            return
        from reports.ci import github

        before, after = github.around(secrets.token_hex(16))
        _put(before)
        try:
            yield
        finally:
            _put(after)
        _put(github.workflow_commands(self.record, self._base()))
        if os.environ.get(SUMMARY):
            _append(Path(os.environ[SUMMARY]), github.summary(self.record, self._base()))

    def _base(self) -> Base:
        """The folder of the submission as the repository knows it, which is the one we are in."""
        from reports.ci.findings import Base

        folder = self.path if self.path.is_dir() else self.path.parent
        here = Path.cwd().resolve()
        if self.path.suffix.lower() == ".zip" or not folder.resolve().is_relative_to(here):
            return Base(None)
        inside = folder.resolve().relative_to(here).as_posix()
        return Base("" if inside == "." else inside)


def _put(text: str) -> None:
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))
    sys.stdout.buffer.flush()


def _append(path: Path, data: bytes) -> None:
    try:
        with path.open("ab") as file:
            file.write(data)
    except OSError as error:
        tell(f"{path} cannot be written ({error.strerror}).", lead="note: ")
