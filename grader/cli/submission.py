"""`grade submit`: one submission."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.cli.options import COURSE, DEBUG, EPILOG
from grader.cli.sealing import refuse_with_sealed, sealed_course
from grader.cli.settings import Setting
from grader.cli.telling import status, tell
from grader.errors import GradeError, UsageError

if TYPE_CHECKING:
    from grader.model.record import Record


@click.command(epilog=EPILOG)
@click.argument("path", type=click.Path(path_type=Path))
@click.option(
    "--only", cls=Setting, multiple=True, metavar="EXERCISE", help="Grade this exercise only (may be repeated)."
)
@click.option(
    "--out",
    cls=Setting,
    stays="in the project",
    type=click.Path(path_type=Path),
    default=Path("grade-out"),
    show_default=True,
    help="Folder for grade.json and report.html.",
)
@click.option(
    "--format",
    "formats",
    cls=Setting,
    type=click.Choice(("github", "gitlab", "junit", "gradescope", "classroom50", "github-classroom")),
    multiple=True,
    help="Also tell a platform: annotations for GitHub, a file in --out for the others (may be repeated).",
)
@click.option("--json", "as_json", is_flag=True, help="Print the record as JSON, and nothing else.")
@click.option("-q", "--quiet", cls=Setting, is_flag=True, help="Print the total only.")
@click.option(
    "--fail-under",
    cls=Setting,
    type=click.FloatRange(0, 100),
    default=100.0,
    metavar="PERCENT",
    help="Exit with 0 from this share of the points on (default: 100).",
)
@click.option("--exit-zero", cls=Setting, is_flag=True, help="Exit with 0 whatever the points are.")
@COURSE
@click.option(
    "--sealed",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The course that `grade seal` wrote: all of it with the key in GRADE_KEY, else its visible checks.",
)
@click.option("--student", default="", help="A name for the record.")
@click.option(
    "--pack", type=click.Path(path_type=Path), metavar="FILE.zip", help="Write the archive to hand in, with a receipt."
)
@click.option("--staff", is_flag=True, help="Keep in the record what only staff may read.")
@DEBUG
def submit(path: Path, **options: Any) -> None:
    """Grade a file, a folder or a zip, and say what to do next.

    \b
    Examples:
      grade submit exercises/
      grade submit exercises/residual_add.py
      grade submit homework.zip --only transformer_block --json
    """
    from grader.attempts import MARK, continued, mark_of
    from grader.cli.platforms import Told
    from grader.model.record import for_student

    if options["as_json"] and "github" in options["formats"]:
        raise UsageError("--json prints nothing but the record, so it cannot go with --format github.")
    if options["sealed"]:
        refuse_with_sealed(click.get_current_context(), options)
    record = grade(path, options)
    if not options["staff"]:
        record = for_student(record)
    record = continued(record, path, options["out"])
    told = Told(_plain(record), path, options["formats"])
    files = told.files()
    page = write(record, options["out"], {**files, MARK: mark_of(path)})
    told.to_the_step(files)
    with told.on_github():
        _print(record, page, options)
    if options["pack"]:
        _pack(path, record, options["pack"])
    sys.exit(0 if options["exit_zero"] and _graded(record) else exit_code(record, options["fail_under"]))


def grade(path: Path, options: dict[str, Any]) -> Record:
    """The record of what lies at `path`, graded as the options of `submit` say."""
    from grader.model.course import find_course
    from grader.pipeline import HandedIn, grade_submission
    from grader.sandbox.launch import launcher

    try:
        there = path.exists()
    except OSError as error:  # a name of a thousand characters, a folder that may not be entered
        raise UsageError(f"{path} cannot be read ({error.strerror}). Check the path.") from None
    if not there:
        raise UsageError(
            f"{path} does not exist. Give the file or folder with your exercises, for example `exercises/`."
        )
    sealed = sealed_course(options["sealed"]) if options["sealed"] else None  # before anything is started
    with launcher() as started, status(quiet=options["quiet"] or options["as_json"]) as tell:
        holds_back = "gradescope" in options["formats"]  # until the due date that was set there
        handed_in = HandedIn(path, options["student"], options["only"], everything=holds_back)
        course = sealed or find_course(options["course"], path)
        return grade_submission(
            handed_in, course, started, lambda p: tell(f"{p.exercise}: {p.done} of {p.total} checks")
        )


def _pack(path: Path, record: Record, to: Path) -> None:
    """Write the archive to hand in; refuses if the files are others than those that were graded."""
    from grader.intake.receipt import packed, receipt_of
    from grader.intake.submission import contents_of
    from grader.out import write_files

    contents = contents_of(path)
    if contents.digest() != record.submission.digest:
        raise UsageError("The files were changed while they were graded, so nothing was packed. Run the command again.")
    write_files(to.parent, {to.name: packed(contents, receipt_of(record))})
    tell(f"{to} is ready to be handed in.")


def write(record: Record, out: Path, others: dict[str, bytes]) -> Path:
    """Write record, page and `others` into `out`, which brings its own .gitignore; returns the page's path."""
    from grader.lab.stored import read_plain
    from grader.out import write_files
    from reports.html import student_page

    page = student_page(_plain(record), lab=read_plain(out)).encode()
    write_files(out, {".gitignore": b"*\n", **others, "grade.json": _json(record), "report.html": page})
    return out / "report.html"


def _print(record: Record, page: Path, options: dict[str, Any]) -> None:
    if options["as_json"]:
        sys.stdout.buffer.write(_json(record))
        return
    from rich.console import Console

    from reports.terminal import console

    console.show(_plain(record), Console(highlight=False), page=str(page), quiet=options["quiet"])


def _json(record: Record) -> bytes:
    """The record for a file, a terminal or a CI log: the same JSON, and nothing in it steers them."""
    from grader.model.record import to_json
    from reports.text import json_text

    return json_text(to_json(record))


def _plain(record: Record) -> dict[str, Any]:
    import msgspec

    plain: dict[str, Any] = msgspec.to_builtins(record)
    return plain


def _graded(record: Record) -> bool:
    return all(check.verdict != "grader_error" for exercise in record.exercises for check in exercise.checks)


def exit_code(record: Record, fail_under: float) -> int:
    """3 when a check could not be carried out, else 0 from `fail_under` percent of the points on, else 1."""
    if not _graded(record):
        return GradeError.exit_code
    return 0 if record.points >= record.max_points * fail_under / 100 - 1e-9 else 1
