"""`grade intake` and `grade batch`: a class at once."""

from __future__ import annotations

import getpass
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.cli.options import ATTEMPT, COURSE, DEBUG
from grader.cli.settings import Setting
from grader.cli.telling import INTERRUPTED, counting, tell
from grader.errors import GradeError, SandboxError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.batch import Runner
    from grader.gradebook import Gradebook
    from grader.model.class_handed_in import ClassHandedIn, Enrolled, HandIn, Introduced, Person
    from grader.model.course import Course

GRADEBOOK = "gradebook.db"
LAYOUT = click.option(
    "--layout", cls=Setting, metavar="NAME", help="How the names are to be read; else found out by content."
)
PATTERN = click.option(
    "--pattern", cls=Setting, metavar="REGEX", help="How to read paths, with nbgrader's group names."
)
ASSIGNMENT = click.option("--assignment", metavar="NAME", help="Which one, where a download holds several.")
ROSTER = click.option(
    "--roster", cls=Setting, type=click.Path(path_type=Path), metavar="FILE.csv", help="Who is in the class."
)
JOBS = click.option(
    "--jobs",
    cls=Setting,
    type=click.IntRange(1, 256),
    metavar="N",
    help="How many at a time (default: each core).",
)


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@LAYOUT
@PATTERN
@ROSTER
@click.option("--json", "as_json", is_flag=True, help="Print what was understood as JSON, and nothing else.")
@DEBUG
def intake(path: Path, **options: Any) -> None:
    """Show how the download of a class is understood. Nothing is run, nothing is written."""
    import msgspec

    from grader.intake.classes import overview, read_class, read_roster

    handed_in = read_class(path, layout=options["layout"], pattern=options["pattern"])
    seen = overview(handed_in, read_roster(options["roster"]) if options["roster"] else ())
    if options["as_json"]:
        from reports.text import json_text

        sys.stdout.buffer.write(json_text(msgspec.json.format(msgspec.json.encode(seen)) + b"\n"))
        return
    from rich.console import Console

    from reports.terminal.intake import show

    show(seen, Console(highlight=False))


@click.command(epilog="Exit codes: 0 all graded, 2 wrong call, 3 some could not be graded, 130 interrupted.")
@click.argument("path", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("grade-class"),
    show_default=True,
    help="Folder for the gradebook and the pages.",
)
@COURSE
@LAYOUT
@PATTERN
@ASSIGNMENT
@ROSTER
@ATTEMPT
@click.option("--only", multiple=True, metavar="STUDENT", help="Grade this student only, by id (may be repeated).")
@JOBS
@click.option("--cluster", metavar="ADDRESS", help="Grade on this Dask cluster: an address, or a scheduler file.")
@click.option("--force", is_flag=True, help="Grade again what is known already.")
@click.option("--unconfined", is_flag=True, help="Grade where programs of strangers are not confined.")
@click.option("--no-pages", is_flag=True, help="Make no pages; `grade report` makes them later.")
@DEBUG
def batch(path: Path, **options: Any) -> None:
    """Grade a class: a zip or folder from a learning platform, clones, or folders.

    \b
    What is graded is kept in a gradebook; the same command goes on where it was stopped. Examples:
      grade batch downloads.zip
      grade batch submissions/ --roster class.csv --out lab2
    """
    from grader.gradebook import open_gradebook
    from grader.model.course import find_course

    course = find_course(options["course"], path)
    handed_in = chosen(path, course, options)
    options["out"].mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        book = stack.enter_context(open_gradebook(options["out"] / GRADEBOOK, by=user()))
        for note in (*handed_in.notes, *book.notes):
            tell(note, lead="note: ")
        book.introduce(_people(handed_in, options["roster"]))
        _expect_no_other_checks(book, course, path)
        counts = grade_into(book, handed_in, course, options)
    click.echo(_summary(handed_in, counts))
    click.echo(f"gradebook  {options['out'] / GRADEBOOK}")
    if not options["no_pages"] and counts["graded"] + counts["known"]:
        subprocess.run(  # in a process of its own: a page of the whole class takes memory that grading does not
            [
                *(sys.executable, "-m", "grader", "report", str(options["out"] / GRADEBOOK)),
                *("--out", str(options["out"]), "--course", course.root, "--attempt", options["attempt"]),
            ],
            check=False,
        )
    sys.exit(GradeError.exit_code if counts["troubles"] else 0)


def chosen(path: Path, course: Course, options: dict[str, Any]) -> ClassHandedIn:
    """What was handed in, of it the attempts and students that are asked for."""
    import msgspec

    from grader.intake.classes import attempts, read_class

    handed_in = read_class(path, layout=options["layout"], pattern=options["pattern"])
    deadline = course.deadline
    chosen = attempts(
        _of_one_assignment(handed_in, options["assignment"]),
        "deadline" if options["attempt"] == "on_time" else options["attempt"],
        deadline=lambda one: deadline.due(one.key) if deadline else None,
        **({"zone": deadline.zone} if deadline else {}),
    )
    kept = tuple(one for each in chosen for one in each.chosen)
    if options["only"]:
        wanted = set(options["only"])
        kept = tuple(one for one in kept if wanted & {one.key, *(name for who in one.people for name in who.known_as)})
    if not kept:
        raise UsageError(f"{path} holds nothing to grade. `grade intake {path}` shows what was understood.")
    return msgspec.structs.replace(handed_in, hand_ins=kept)


def _of_one_assignment(handed_in: ClassHandedIn, wanted: str | None) -> tuple[HandIn, ...]:
    """Two assignments of a student are not two attempts."""
    there = sorted({one.assignment for one in handed_in.hand_ins})
    if wanted is None and len(there) > 1:
        raise UsageError(f"There are several assignments: {', '.join(there)}. Name one with --assignment.")
    if wanted is not None and wanted not in there:
        raise UsageError(f"There is no assignment {wanted!r}. There are {', '.join(there) or 'none'}.")
    return tuple(one for one in handed_in.hand_ins if wanted in (None, one.assignment))


def _people(handed_in: ClassHandedIn, roster: Path | None) -> dict[str, Introduced]:
    """By id who handed in, and who of the roster did not."""
    from grader.intake.classes import joined, read_roster
    from grader.model.class_handed_in import Introduced, Person

    people: dict[str, Introduced] = {}
    for row in joined(handed_in.hand_ins, read_roster(roster) if roster else ()):
        who = row.enrolled
        known = {} if who is None else {key: who.ids.get(key, "") for key in ("login", "number")}
        for one in row.hand_ins:
            members = one.people if who is None or len(one.people) > 1 else (_enriched(one.people[0], who, known),)
            people[one.key] = Introduced(members, handed_in.layout, tuple(member.source for member in one.members))
        if who is not None and not row.hand_ins:
            key = next(iter(who.ids.values()))
            people[key] = Introduced((Person(key, who.name, email=who.email, **known),), handed_in.layout)
    return people


def _enriched(person: Person, who: Enrolled, known: dict[str, str]) -> Person:
    """A person with what the roster adds."""
    import msgspec

    added = {"name": who.name, "email": who.email, **known}
    return msgspec.structs.replace(person, **{key: value for key, value in added.items() if value})


def grade_into(book: Gradebook, handed_in: ClassHandedIn, course: Course, options: dict[str, Any]) -> dict[str, int]:
    """Grade and store; what could not be graded is told at once, in a line each."""
    from grader.batch import grade_class

    counts = {"graded": 0, "known": 0, "troubles": 0}
    total = len(handed_in.hand_ins)
    try:
        with _runner(course, options) as runner, counting(total) as done:
            for one in grade_class(handed_in, course, book, runner, force=options["force"]):
                counts["troubles" if one.trouble else "known" if one.known else "graded"] += 1
                if one.trouble:
                    tell(f"{one.hand_in.student}: {one.trouble}", lead="not graded: ")
                if one.note:
                    tell(f"{one.hand_in.student}: {one.note}", lead="note: ")
                done()
    except KeyboardInterrupt:
        kept = counts["graded"] + counts["known"]
        tell(f"Interrupted. {kept} of {total} are graded and kept; the same command goes on from there.")
        sys.exit(INTERRUPTED)
    return counts


def _expect_no_other_checks(book: Gradebook, course: Course, path: Path) -> None:
    """Grades by changed checks are not stored unasked: they could be lower."""
    others = book.courses()
    if others and course.digest not in others:
        raise UsageError(
            f"The checks or settings of the course have changed since this gradebook was made. `grade regrade {path}` "
            "shows who gains and who loses, and stores nothing unasked. Else choose another folder with --out."
        )


@contextmanager
def _runner(course: Course, options: dict[str, Any]) -> Iterator[Runner]:
    """Where to grade: on this machine, each core at work, or on a cluster."""
    if options["cluster"]:
        try:
            from grader.cluster import on_cluster
        except ModuleNotFoundError:
            raise SandboxError("For --cluster install the extra: pip install 'residual-grader[cluster]'.") from None
        with on_cluster(options["cluster"], course, unconfined=options["unconfined"]) as runner:
            yield runner
        return
    from concurrent.futures import ThreadPoolExecutor

    from grader.batch import Runner
    from grader.judges import usable_cores
    from grader.workshop import Workshop

    jobs = options["jobs"] or usable_cores()
    with ThreadPoolExecutor(jobs) as pool, Workshop(course, unconfined=options["unconfined"]) as workshop:
        yield Runner(pool, workshop.record, 2 * jobs)


def _summary(handed_in: ClassHandedIn, counts: dict[str, int]) -> str:
    students = len({one.key for one in handed_in.hand_ins})
    parts = [f"{counts['graded']} graded", f"{counts['known']} known already"]
    if counts["troubles"]:
        parts.append(f"{counts['troubles']} could not be graded: run the command again, `--debug` tells more")
    return f"{len(handed_in.hand_ins)} submissions of {students} students: {', '.join(parts)}."


def user() -> str:
    """Who is at work, for the audit trail."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return ""
