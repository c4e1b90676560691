"""`grade seal`, and the course that `grade submit --sealed` reads: keys come from the environment and go nowhere."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from grader.cli.options import COURSE, DEBUG
from grader.cli.telling import tell
from grader.errors import UsageError

if TYPE_CHECKING:
    from grader.model.course import Course


@click.command(epilog="Exit codes: 0 written, 2 wrong call, 3 the course is at fault, or `cryptography` is missing.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("checks.sealed"), show_default=True, help="File.")
@COURSE
@DEBUG
def seal(out: Path, course: Path | None, debug: bool) -> None:
    """Encrypt the private side of a course, for places that students can read.

    The key is that in the environment variable GRADE_KEY. Without one a new key is made: it is the one line on stdout,
    is stored nowhere, and cannot be had again. What students can read without the key are the visible checks.

    \b
    Examples:
      grade seal --out checks.sealed
      grade seal --out checks.sealed | gh secret set GRADE_KEY
    """
    from grader.authoring.seal import seal
    from grader.model.course import find_course
    from grader.out import write_files
    from grader.sealed import KEY, new_key

    given = take_key()
    key = new_key() if given is None else given
    data, notes = seal(find_course(course, None), key)
    write_files(out.parent, {out.name: data})
    for note in notes:
        tell(note, lead="note: ")
    tell(f"{out} is sealed. `grade submit --sealed {out}` opens it with the key in {KEY}.")
    if given is None:
        tell(f"This is its key, told only once. Keep it where students read nothing, as a secret named {KEY}:")
        click.echo(key)


def sealed_course(path: Path) -> Course:
    """The course in a sealed file: all of it with the key, else its visible checks.

    Raises:
        UsageError: there is no such file, it is none of `grade seal`, or this is not its key.
        CourseError: it is damaged or of another version, or without the key there is nothing to run.
    """
    from grader.sealed import read_sealed

    key = take_key()
    return read_sealed(path).course(key, path)


def take_key() -> str | None:
    """The key, which no process that is started from now on will find; None if there is none.

    What this process was started with stays readable in /proc for others of the same user, unless the kernel closes it.
    """
    from grader.sealed import KEY

    key = os.environ.pop(KEY, None)
    if key is not None and sys.platform == "linux":
        from grader.sandbox.confine.privileges import not_dumpable

        not_dumpable()
    return key


def refuse_with_sealed(context: click.Context, options: dict[str, Any]) -> None:
    """Raises UsageError for options that contradict `--sealed`."""
    if options["staff"]:
        raise UsageError("--staff writes what only staff may read, and --sealed is for places that students can read.")
    if context.get_parameter_source("course") is ParameterSource.COMMANDLINE:
        raise UsageError("--sealed and --course each name a course. Give one of the two.")
