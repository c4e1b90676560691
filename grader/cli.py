"""The `grade` command: the only file that prints or exits. Light: whatever is slow to import is imported when needed.

Results go to stdout, progress and errors to stderr. Exit codes: 0 full marks (or at least `--fail-under`), 1 points
lost, 2 wrong call, 3 could not grade (author or grader at fault), 130 interrupted.
"""

from __future__ import annotations

import io
import os
import signal
import sys
import traceback
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader import __version__
from grader.errors import CourseError, GradeError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from grader.model.course import Course
    from grader.model.record import Record

INTERRUPTED, TERMINATED = 130, 143
EPILOG = "Exit codes: 0 full marks, 1 points lost, 2 wrong call, 3 could not grade, 130 interrupted."


@click.group(context_settings={"help_option_names": ["-h", "--help"]}, epilog=EPILOG)
@click.version_option(__version__, prog_name="grade")
def cli() -> None:
    """Grade PyTorch exercises, and say which formula the code computes."""


@cli.command(epilog=EPILOG)
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--only", multiple=True, metavar="EXERCISE", help="Grade this exercise only (may be repeated).")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("grade-out"),
    show_default=True,
    help="Folder for grade.json and report.html.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the record as JSON, and nothing else.")
@click.option("-q", "--quiet", is_flag=True, help="Print the total only.")
@click.option(
    "--fail-under",
    type=click.FloatRange(0, 100),
    default=100.0,
    metavar="PERCENT",
    help="Exit with 0 from this share of the points on (default: 100).",
)
@click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever the points are.")
@click.option(
    "--course",
    type=click.Path(path_type=Path),
    envvar="GRADE_COURSE",
    help="The course (instructors' side). Default: the nearest folder solutions/.",
)
@click.option("--student", default="", help="A name for the record.")
@click.option("--staff", is_flag=True, help="Keep in the record what only staff may read.")
@click.option("--debug", is_flag=True, help="Show tracebacks of the grader's own errors.")
def submit(path: Path, **options: Any) -> None:
    """Grade a file, a folder or a zip, and say what to do next.

    \b
    Examples:
      grade submit exercises/
      grade submit exercises/residual_add.py
      grade submit homework.zip --only transformer_block --json
    """
    from grader.model.record import for_student

    record = _grade(path, options)
    if not options["staff"]:
        record = for_student(record)
    page = write(record, options["out"])
    _print(record, page, options)
    sys.exit(0 if options["exit_zero"] and _graded(record) else exit_code(record, options["fail_under"]))


@cli.command()
@click.option("--json", "as_json", is_flag=True, help="Print the examination as JSON, and nothing else.")
def doctor(as_json: bool) -> None:
    """Say how well programs of strangers are confined on this machine.

    Each layer is tried, not guessed. Exit code 0: grades made here count; 1: they are practice results.
    """
    import msgspec

    from grader.model.confinement import layers
    from grader.sandbox.doctor import examine
    from grader.sandbox.launch import launcher

    with launcher() as started:
        found = examine(started)
    level = found.confinement.level
    plain = {**msgspec.to_builtins(found), "level": level, "shortfall": found.confinement.shortfall()}
    if as_json:
        sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(plain)) + b"\n")
    else:
        from rich.console import Console

        from reports.doctor import show

        show(plain, msgspec.to_builtins(layers()), Console(highlight=False))
    sys.exit(GradeError.exit_code if found.trouble else int(level == "practice"))


@cli.command(epilog="Exit codes: 0 proven, 1 not as declared, 2 wrong call, 3 a check could not be carried out.")
@click.argument("exercises", nargs=-1, metavar="[EXERCISE]...")
@click.option(
    "--course",
    type=click.Path(path_type=Path),
    envvar="GRADE_COURSE",
    help="The course (instructors' side). Default: the nearest folder solutions/.",
)
@click.option(
    "--seeds", type=click.IntRange(1, 100), default=2, show_default=True, help="How many course seeds to try each on."
)
@click.option("--json", "as_json", is_flag=True, help="Print what was found as JSON, and nothing else.")
def verify(exercises: tuple[str, ...], course: Path | None, seeds: int, as_json: bool) -> None:
    """Prove the checks of a course, or of some of its exercises.

    The solution has to earn all points and the stub none; each file in mistakes/ loses points with the tag and the
    formula that its first line names, each in rewrites/ earns all; on every seed alike.
    """
    import msgspec

    from grader.authoring.verify import verify
    from grader.sandbox.launch import launcher

    with launcher() as started, _status(quiet=as_json) as tell:
        found = find_course(course, None)
        proof = verify(found, exercises, seeds, started, lambda done, all_: tell(f"{done} of {all_} judged"))
    plain = {**msgspec.to_builtins(proof), "proven": proof.proven, "broken": proof.broken}
    if as_json:
        sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(plain)) + b"\n")
    else:
        from rich.console import Console

        from reports.verify import show

        show(plain, Console(highlight=False))
    sys.exit(GradeError.exit_code if proof.broken else int(not proof.proven))


def _grade(path: Path, options: dict[str, Any]) -> Record:
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
    with launcher() as started, _status(quiet=options["quiet"] or options["as_json"]) as tell:
        handed_in = HandedIn(path, options["student"], options["only"])
        course = find_course(options["course"], path)
        return grade_submission(
            handed_in, course, started, lambda p: tell(f"{p.exercise}: {p.done} of {p.total} checks")
        )


def find_course(given: Path | None, path: Path | None) -> Course:
    """The course that was asked for, else the nearest `solutions/` here, then above the submission, then the built-in.

    A course is run with the grader's rights, so none is taken from inside what was handed in.

    Raises:
        CourseError: there is none, or it cannot be read.
    """
    from grader.model.course import load_course

    if given is not None:
        return load_course(given)
    handed_in = path.resolve() if path else None
    above: Sequence[Path] = ()
    if path and handed_in:
        above = handed_in.parents if path.is_dir() else handed_in.parent.parents  # a file lies among the student's
    around = [root for folder in (Path.cwd(), *Path.cwd().parents, *above) for root in (folder, folder / "solutions")]
    inside = [root for root in around if handed_in in (root, *root.parents, *root.resolve().parents)]
    built_in = Path(__file__).resolve().parents[1] / "solutions"
    for root in (*(root for root in around if root not in inside), built_in):
        if (root / "course.toml").is_file():
            return load_course(root)
    passed_by = [root for root in inside if (root / "course.toml").is_file()]
    why = f" {passed_by[0]} lies in what was handed in, so it is not run unasked." if passed_by else ""
    raise CourseError(f"No course was found.{why} Say where the instructors' side is: `--course PATH/solutions`.")


@contextmanager
def _status(*, quiet: bool) -> Iterator[Callable[[str], None]]:
    """A line on stderr that says what is being done, only where somebody can see it."""
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    with Console(stderr=True).status("Starting …") as status:
        yield status.update


def write(record: Record, out: Path) -> Path:
    """Write grade.json and report.html into `out`, which brings its own .gitignore; returns the page's path."""
    from grader.out import write_files
    from reports.html import student_page

    page = student_page(_plain(record)).encode()
    write_files(out, {".gitignore": b"*\n", "grade.json": _json(record), "report.html": page})
    return out / "report.html"


def _print(record: Record, page: Path, options: dict[str, Any]) -> None:
    if options["as_json"]:
        sys.stdout.buffer.write(_json(record))
        return
    from rich.console import Console

    from reports import console

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


def main() -> None:
    """Run the command; the one place where errors become text and an exit code."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))  # so that what was started is ended and removed
    try:
        cli.main(standalone_mode=False)
        code = 0
    except BaseException as error:
        code = told(error, debug="--debug" in sys.argv)
    sys.exit(code)


def told(error: BaseException, *, debug: bool) -> int:
    """Say on stderr what went wrong, in a sentence; returns the exit code."""
    if isinstance(error, SystemExit):
        return int(error.code or 0)
    if isinstance(error, BrokenPipeError):  # the reader of our output left; there is nobody to tell
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1
    if isinstance(error, click.ClickException):
        usage = io.StringIO()
        error.show(usage)
        _tell(usage.getvalue().rstrip())
        return error.exit_code
    if isinstance(error, click.Abort | KeyboardInterrupt):
        click.echo("\nInterrupted; nothing was written.", err=True)
        return INTERRUPTED
    ours = isinstance(error, GradeError)
    words = str(error) if ours else f"This is a fault of the grader: {type(error).__name__}: {error}"
    _tell(words, lead="grade: ")
    if debug:
        _tell("".join(traceback.format_exception(error)).rstrip(), lines=2000)
    elif not ours:
        _tell("Please report it, with what `--debug` prints.")
    return error.exit_code if isinstance(error, GradeError) else GradeError.exit_code


def _tell(words: str, lead: str = "", lines: int = 100) -> None:
    """Words with names, paths and text of strangers in them, on stderr: shown, and steering neither terminal nor CI."""
    from reports.text import log

    click.echo(log(words, lead, limit=100 * lines, lines=lines), err=True)
