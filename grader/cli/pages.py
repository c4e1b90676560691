"""`grade report`: pages made again from records."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from grader.cli.options import DEBUG
from grader.cli.telling import tell
from grader.errors import UsageError


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
@DEBUG
def report(records: Path, **options: Any) -> None:
    """Make the pages again from a record, or the page of a class from a folder of records.

    \b
    Nothing is graded. Examples:
      grade report grade-out/grade.json
      grade report records/ --out class --anonymous
    """
    from grader.model.stored import lessons, read_overrides, read_records
    from grader.out import left_over, write_files
    from reports.classroom.html import made_again
    from reports.classroom.view import Asked
    from reports.text import log

    stored = read_records(records)
    asked = Asked(
        anonymous=options["anonymous"],
        boundaries=options["boundaries"],
        overrides=read_overrides(options["overrides"]) if options["overrides"] else None,
        lessons=lessons(),
        broken=stored.broken,
        others=stored.others,
    )
    made = made_again(stored.records, asked, of_a_class=records.is_dir())
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
