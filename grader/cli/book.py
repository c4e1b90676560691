"""`grade regrade`, `grade override`, `grade show`: what becomes of grades after they were given."""

from __future__ import annotations

import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from grader.cli.batch import ASSIGNMENT, GRADEBOOK, JOBS, LAYOUT, PATTERN, chosen, grade_into, user
from grader.cli.options import ATTEMPT, COURSE, DEBUG
from grader.cli.settings import Setting
from grader.errors import GradeError, UsageError

if TYPE_CHECKING:
    from grader.regrade import Change

BOOK = click.option(
    "--gradebook",
    "book",
    cls=Setting,
    type=click.Path(path_type=Path),
    default=Path("grade-class") / GRADEBOOK,
    show_default=True,
    help="The gradebook that `grade batch` made.",
)


@click.command(epilog="Exit codes: 0 done, 2 wrong call, 3 some could not be graded, 130 interrupted.")
@click.argument("path", type=click.Path(path_type=Path))
@BOOK
@COURSE
@LAYOUT
@PATTERN
@ASSIGNMENT
@ATTEMPT
@click.option("--only", multiple=True, metavar="STUDENT", help="This student only, by id (may be repeated).")
@JOBS
@click.option("--cluster", metavar="ADDRESS", help="Grade on this Dask cluster.")
@click.option("--unconfined", is_flag=True, help="Grade where programs of strangers are not confined.")
@click.option("--apply", "apply_it", is_flag=True, help="Store the new grades; else they are only shown.")
@click.option("--allow-lower", is_flag=True, help="Store those that are lower, too.")
@DEBUG
def regrade(path: Path, **options: Any) -> None:
    """Grade again after checks were changed, and say who gains and who loses before anything is stored."""
    from grader.gradebook import open_gradebook
    from grader.model.course import find_course
    from grader.regrade import apply, changes

    course = find_course(options["course"], path)
    handed_in = chosen(path, course, options)
    with ExitStack() as stack:
        book = stack.enter_context(open_gradebook(options["book"], by=user(), create=False))
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        fresh = stack.enter_context(open_gradebook(Path(folder) / GRADEBOOK))
        counts = grade_into(fresh, handed_in, course, {**options, "force": True})
        stored = 0
        for change in changes(book, fresh):
            lower = change.gain < 0 and not options["allow_lower"]
            if change.checks:
                _tell_change(change, kept=lower)
            if options["apply_it"] and not lower:
                apply(book, change)
                stored += 1
    if options["apply_it"]:
        click.echo(f"{stored} grades stored.")
    else:
        click.echo("Nothing was stored: say --apply to store, and --allow-lower for those that are lower.")
    sys.exit(GradeError.exit_code if counts["troubles"] else 0)


def _tell_change(change: Change, *, kept: bool) -> None:
    from reports.text import log_row

    before, after = change.before.record.points, change.after.record.points
    why = ", ".join(f"{exercise}.{check} {a:g} to {b:g}" for (exercise, check), (a, b) in change.checks.items())
    note = "  (lower: the old grade stays unless --allow-lower)" if kept else ""
    click.echo(log_row(f"{change.gain:+g}  {change.student}  {before:g} to {after:g}: {why}{note}"))


@click.command(epilog="Exit codes: 0 stored, 1 a row of the file was left out, 2 wrong call.")
@click.argument("student", required=False)
@click.argument("check", metavar="EXERCISE.CHECK", required=False)
@click.option("--points", type=float, help="The points that count from now on.")
@click.option("--reason", help="Why; the student reads it.")
@click.option("--undo", is_flag=True, help="Take an earlier override of this check back.")
@click.option("--from", "file", type=click.Path(path_type=Path), metavar="FILE.csv", help="Many, one in each row.")
@BOOK
@DEBUG
def override(student: str | None, check: str | None, **options: Any) -> None:
    """Give points for a check by hand. They are kept when the submission is graded again.

    \b
    Examples:
      grade override 4711 residual_add.keeps_the_shape --points 1 --reason "asked in person"
      grade override --from overrides.csv
    """
    from grader.gradebook import open_gradebook
    from grader.model.override import Override, fault

    if options["file"]:
        if student or options["points"] is not None or options["reason"] or options["undo"]:
            raise UsageError("Give a student with EXERCISE.CHECK and --reason, or --from FILE.csv, not both.")
        _override_from(options["file"], options["book"])
    if not (student and check and options["reason"]):
        raise UsageError("Give a student, EXERCISE.CHECK and --reason, or --from FILE.csv.")
    exercise, _, name = check.partition(".")
    if not name:
        raise UsageError(f"{check} names no check. Write it as EXERCISE.CHECK, as `grade show {student}` does.")
    if (options["points"] is None) != options["undo"]:
        raise UsageError("Say either --points N or --undo.")
    with open_gradebook(options["book"], create=False) as book:
        try:
            given = Override(student, exercise, name, options["points"], options["reason"], user())
        except ValueError as error:
            raise UsageError(f"This cannot be stored: {error}.") from None
        faults = [fault(given, one.record) for one in book.history(student).attempts]
        if faults and all(faults):
            raise UsageError(f"This cannot be stored: {faults[-1]}. `grade show {student}` names the checks.")
        book.override(given)
        history = book.history(student)
    click.echo(f"Stored: {check} of {student}. {len(history.overrides)} changes by hand in all.")


def _override_from(path: Path, at: Path) -> NoReturn:
    """Store every row that fits and is not in force already."""
    import msgspec

    from grader.cli.by_hand import read
    from grader.cli.pages import students_of
    from grader.cli.telling import tell
    from grader.gradebook import open_gradebook
    from grader.model.stored import read_overrides

    text, stored = read_overrides(path), 0
    with open_gradebook(at, by=user(), create=False) as book:
        taken = read(text, students_of(book, None, "last"))
        for who, row in taken.overrides:
            given = msgspec.structs.replace(row, student=who.known.id, by=row.by or user())
            stored += book.override(given)
    for problem in taken.problems:
        tell(problem, lead="left out: ")
    known = len(taken.overrides) - stored
    click.echo(f"{stored} stored, {known} known already, {len(taken.problems)} left out.")
    sys.exit(int(bool(taken.problems)))


@click.command()
@click.argument("student")
@BOOK
@ATTEMPT
@COURSE
@DEBUG
def show(student: str, **options: Any) -> None:
    """Show all that is known of a student: attempts, what counts and why, changes by hand, who did what when."""
    from rich.console import Console

    from grader.gradebook import open_gradebook
    from grader.model.course import find_course
    from reports.terminal.student_history import show as print_history

    with open_gradebook(options["book"], create=False) as book:
        history = book.history(student)
        if not history.attempts:
            raise UsageError(f"The gradebook has no attempt of {student!r}. Check the student's id.")
        deadline = find_course(options["course"], None).deadline
        counting = next(one for one in book.grades(deadline, options["attempt"]) if one.student == student)
        known = book.people().get(student)
    import msgspec

    plain = msgspec.to_builtins(
        {"student": student, "people": known.people if known else (), "history": history, "grade": counting}
    )
    print_history(plain, Console(highlight=False))
