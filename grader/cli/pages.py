"""`grade report`: pages made again from records."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.cli.options import ATTEMPT, COURSE, DEBUG
from grader.cli.telling import tell
from grader.errors import UsageError

if TYPE_CHECKING:
    from grader.model.stored import Stored
    from reports.classroom.view import Asked


@click.command(epilog="Exit codes: 0 all pages made, 1 something was left out, 2 wrong call, 3 fault of the grader.")
@click.argument("records", type=click.Path(path_type=Path))
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("grade-out"), show_default=True, help="Folder for the pages."
)
@click.option("--anonymous", is_flag=True, help="Replace names by codes.")
@click.option("--overrides", type=click.Path(path_type=Path), metavar="FILE.csv", help="Points changed by hand.")
@click.option(
    "--boundary",
    "boundaries",
    multiple=True,
    type=click.FloatRange(0, 100),
    default=(50.0,),
    metavar="PERCENT",
    help="A share of the points that decides something (may be repeated; default: 50).",
)
@ATTEMPT
@COURSE
@DEBUG
def report(records: Path, **options: Any) -> None:
    """Make the pages again: from a record, or those of a class from a gradebook or a folder of records.

    \b
    Nothing is graded. Examples:
      grade report grade-out/grade.json
      grade report grade-class/gradebook.db --out class --anonymous
    """
    from grader.out import left_over, write_files
    from reports.classroom.html import made_again
    from reports.text import log

    stored, asked, of_a_class = _read(records, options)
    made = made_again(stored.records, asked, of_a_class=of_a_class)
    left_out = (*(f"{path}: {reason}" for path, reason in stored.broken), *made.problems)
    for problem in left_out:
        tell(problem, lead="left out: ")
    if not made.files:
        raise UsageError(f"No page could be made of {records}.")
    write_files(options["out"], {".gitignore": b"*\n", **made.files})
    for folder, others in left_over(options["out"], made.files, ".html").items():
        tell(f"{others} other pages are left in {folder} from an earlier run. Remove them before you hand it on.")
    click.echo(log(str(options["out"] / made.first), "page  "))
    sys.exit(int(bool(left_out)))


def _read(records: Path, options: dict[str, Any]) -> tuple[Stored, Asked, bool]:
    """The records, wherever they are kept, what is asked for, and whether they are those of a class."""
    from grader.gradebook import open_gradebook
    from grader.gradebook.shown import is_gradebook, shown
    from grader.model.course import find_course
    from grader.model.stored import Stored, lessons, read_overrides, read_records
    from reports.classroom.view import Asked

    overrides = read_overrides(options["overrides"]) if options["overrides"] else None
    kept_in_a_book = is_gradebook(records)
    if kept_in_a_book:
        with open_gradebook(records, create=False) as book:
            known, kept = shown(book, find_course(options["course"], None).deadline, options["attempt"])
        stored, overrides = Stored(known), overrides or kept
    else:
        stored = read_records(records)
    asked = Asked(
        anonymous=options["anonymous"],
        boundaries=options["boundaries"],
        overrides=overrides,
        lessons=lessons(),
        broken=stored.broken,
        others=stored.others,
    )
    return stored, asked, kept_in_a_book or records.is_dir()
