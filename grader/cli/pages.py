"""`grade report`: pages made again from records."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.cli.options import ATTEMPT, COURSE, DEBUG
from grader.cli.settings import Setting
from grader.cli.telling import tell
from grader.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from grader.gradebook import Gradebook
    from grader.model.deadline import Deadline, Lateness
    from reports.classroom.roster import Student
    from reports.classroom.view import Asked
    from reports.lateness import Kept


@click.command(epilog="Exit codes: 0 all pages made, 1 something was left out, 2 wrong call, 3 fault of the grader.")
@click.argument("records", type=click.Path(path_type=Path))
@click.option(
    "--out",
    cls=Setting,
    stays="in the project",
    type=click.Path(path_type=Path),
    default=Path("grade-out"),
    show_default=True,
    help="Folder for the pages.",
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

    students, asked, of_a_class = _read(records, options)
    made = made_again(students, asked, of_a_class=of_a_class)
    left_out = (*(f"{path}: {reason}" for path, reason in asked.broken), *asked.not_applied, *made.problems)
    for problem in left_out:
        tell(problem, lead="left out: ")
    if not made.files:
        raise UsageError(f"No page could be made of {records}.")
    write_files(options["out"], {".gitignore": b"*\n", **made.files})
    for folder, others in left_over(options["out"], made.files, ".html").items():
        tell(f"{others} other pages are left in {folder} from an earlier run. Remove them before you hand it on.")
    click.echo(log(str(options["out"] / made.first), "page  "))
    sys.exit(int(bool(left_out)))


def _read(records: Path, options: dict[str, Any]) -> tuple[Sequence[Student], Asked, bool]:
    """The students, wherever their records are kept, what is asked for, and whether they are a class."""
    from grader.cli.by_hand import put_in, read
    from grader.gradebook import open_gradebook
    from grader.gradebook.shown import is_gradebook
    from grader.model.course import find_course
    from grader.model.stored import lessons, read_overrides, read_records
    from reports.classroom.roster import roster
    from reports.classroom.view import Asked

    asked = Asked(anonymous=options["anonymous"], boundaries=options["boundaries"], lessons=lessons())
    if is_gradebook(records):
        if options["overrides"]:
            raise UsageError(
                "A gradebook keeps points changed by hand: put the rows in with "
                f"`grade override --from {options['overrides']} --gradebook {records}`."
            )
        with open_gradebook(records, create=False) as book:
            return students_of(book, find_course(options["course"], None).deadline, options["attempt"]), asked, True
    by_hand = read_overrides(options["overrides"]) if options["overrides"] else ""
    stored = read_records(records)
    students = roster(stored.records)
    taken = read(by_hand, students)
    asked = replace(asked, not_applied=taken.problems, broken=stored.broken, others=stored.others)
    return put_in(taken, students), asked, records.is_dir()


def students_of(book: Gradebook, deadline: Deadline | None, counting: Any = "on_time") -> tuple[Student, ...]:
    """Those of a gradebook, as pages show them."""
    from grader.gradebook.shown import shown
    from reports.classroom.roster import Known, roster

    found = shown(book, deadline, counting)
    known = {name: Known(student, kept(late)) for name, (student, late) in found.students.items()}
    return roster(found.records, known)


def kept(late: Lateness | None) -> Kept | None:
    """What lateness leaves, in the words of the reports."""
    from reports.lateness import Kept

    if late is None:
        return None
    return Kept(
        late.points, late.percent, late.sentence, late.certain, not late.in_time, late.late_seconds, late.extended
    )
