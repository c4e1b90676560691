"""`grade export` and `grade alike`: a gradebook as files for a learning platform, and submissions that are alike."""

from __future__ import annotations

import io
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.cli.batch import ASSIGNMENT, LAYOUT, PATTERN, chosen
from grader.cli.book import BOOK
from grader.cli.options import ATTEMPT, COURSE, DEBUG
from grader.cli.telling import tell
from grader.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.gradebook import Gradebook
    from grader.model.deadline import Deadline
    from reports.export.outcome import Written
    from reports.export.rows import Row
    from reports.lateness import Kept

FORMATS = ("canvas", "moodle", "gradescope", "csv", "long-csv", "jsonl", "canvas-feedback", "moodle-feedback")


@click.command(epilog="Exit codes: 0 written, 1 somebody or something was left out, 2 wrong call.")
@BOOK
@click.option("--to", type=click.Choice(FORMATS), required=True, help="The kind of file.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The file to write (a folder: gradescope).")
@click.option("--into", type=click.Path(path_type=Path), metavar="FILE", help="The platform's own file, to be filled.")
@click.option("--column", help="Which column of it, where there are several.")
@click.option("--title", help="For a new Canvas file: the assignment as Canvas calls it, `Lab 2 (331207)`.")
@ATTEMPT
@COURSE
@DEBUG
def export(**options: Any) -> None:
    """Write grades as a learning platform takes them back, or as a table.

    \b
    Examples:
      grade export --to canvas --into Grades-Lab2.csv --out upload.csv
      grade export --to csv --out grades.csv
      grade export --to canvas-feedback --out feedback.zip
    """
    from grader.gradebook import open_gradebook
    from grader.model.course import find_course
    from grader.out import write_files
    from reports.export.outcome import ExportError

    deadline = find_course(options["course"], None).deadline
    with open_gradebook(options["book"], create=False) as book:
        try:
            files, written = _written(options, lambda: rows(book, deadline, options["attempt"]))
        except ExportError as error:
            raise UsageError(str(error)) from None
    if options["to"] == "gradescope":
        write_files(options["out"], files)
    else:
        write_files(options["out"].parent, {options["out"].name: files[""]})
    for note in written.notes:
        tell(note, lead="note: ")
    click.echo(f"{written.written} students written to {options['out']}.")
    sys.exit(int(bool(written.notes)))


def rows(book: Gradebook, deadline: Deadline | None, counting: Any) -> Iterator[Row]:
    """One row for each student, members of a group apart, also for those who handed nothing in."""
    import msgspec

    from grader.cli.pages import kept
    from reports.export.rows import Row, Who, row_of

    people = book.people()
    most, seen = 0.0, set()
    for grade in book.grades(deadline, counting):
        seen.add(grade.student)
        late = kept(grade.late)
        record = msgspec.to_builtins(grade.record)
        known = people.get(grade.student)
        arrival = next(one for one in book.history(grade.student).attempts if one.number == grade.number).arrival
        submitted = arrival.submitted_at.isoformat() if arrival.submitted_at else ""
        for who in _whos(grade.student, known, Who):
            shown = {**record, "submission": {**record["submission"], "student": who.name or who.key}}
            row = row_of(record, who, late)
            most = max(most, row.scale)
            sources = known.sources if known else ()
            yield replace(row, submitted=submitted, sources=sources, page=partial(_page, shown, late))
    for key, known in people.items():
        if key not in seen:
            for who in _whos(key, known, Who):
                yield Row(who, most)


def _page(record: dict[str, Any], late: Kept | None) -> bytes:
    from reports.html import student_page

    return student_page(record, late).encode()


def _whos(key: str, known: Any, who: Any) -> Iterator[Any]:
    """The student, or each member of a group."""
    if known is None or not known.people:
        yield who(key)
        return
    for one in known.people:
        facts = {name: getattr(one, name) for name in ("name", "login", "email", "number", "repository")}
        yield who(one.id or key, known.platform, **facts)


def _written(options: dict[str, Any], read: Any) -> tuple[dict[str, bytes], Written]:
    from reports.export import canvas, feedback, gradescope, json_lines, moodle, tables
    from reports.export.outcome import Written

    kind, out = options["to"], io.BytesIO()
    if kind == "gradescope":
        files = {f"{row.who.key.replace('/', '_')}/results.json": gradescope.results(row) for row in read()}
        return files, Written(len(files))
    if kind in ("canvas", "moodle") and options["into"]:
        given = _read(options["into"])
        if kind == "canvas":
            filled = canvas.fill_gradebook(given, read(), options["column"])
        else:
            filled = moodle.fill_worksheet(given, read(), moodle.Columns(options["column"]))
        if filled.replaced:
            tell(f"{filled.replaced} grades that were in the file are others now.", lead="note: ")
        return {"": filled.data}, filled
    if kind == "moodle":
        raise UsageError("Moodle wants its own grading worksheet filled: give it with --into FILE.")
    if kind == "canvas":
        if not options["title"]:
            raise UsageError("Give Canvas's own file with --into FILE, or the assignment with --title.")
        written = canvas.write_gradebook(read(), out, options["title"])
    elif kind == "csv":
        written = tables.write_wide(read(), tables.checks_of(read()), out)
    else:
        writers = {
            "long-csv": tables.write_long,
            "jsonl": json_lines.write_json_lines,
            "canvas-feedback": feedback.canvas_zip,
            "moodle-feedback": feedback.moodle_zip,
        }
        written = writers[kind](read(), out)
    return {"": out.getvalue()}, written


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}). Check the path.") from None


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), default=Path("grade-class"), show_default=True, help="Folder.")
@COURSE
@LAYOUT
@PATTERN
@ASSIGNMENT
@ATTEMPT
@DEBUG
def alike(path: Path, **options: Any) -> None:
    """Find submissions of a class that are alike: a hint where to look, never a verdict. Nothing is run."""
    import msgspec

    from grader.alike import alike, starter_code
    from grader.errors import IntakeError
    from grader.intake import accept_contents
    from grader.intake.classes import each
    from grader.intake.contents import Contents
    from grader.intake.parsing import Parsers
    from grader.model.course import find_course
    from grader.out import write_files
    from reports.alike.html import ALIKE_PAGE, alike_page

    course = find_course(options["course"], path)
    handed_in = chosen(path, course, {**options, "only": ()})

    def submissions(parsers: Parsers) -> Iterator[Any]:
        for hand_in, contents in each(handed_in):
            if isinstance(contents, Contents) and contents.files:
                try:
                    yield hand_in.student, accept_contents(contents, course, parsers=parsers)
                except IntakeError as error:
                    tell(f"{hand_in.student}: {error}", lead="not read: ")

    with Parsers() as parsers:
        found = alike(submissions(parsers), starter_code(course))
    page = alike_page(msgspec.to_builtins(found), course.name)
    write_files(options["out"], {".gitignore": b"*\n", ALIKE_PAGE: page.encode()})
    click.echo(f"page  {options['out'] / ALIKE_PAGE}")
