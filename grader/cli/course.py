"""`grade new`, `grade verify` and `grade publish`: the course itself."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.options import COURSE, DEBUG
from grader.cli.settings import Setting
from grader.cli.telling import status, tell
from grader.errors import GradeError, UsageError

if TYPE_CHECKING:
    from grader.authoring.proof import Proof
    from grader.model.course import Course

SEEDS = 2


@click.command(epilog="Exit codes: 0 proven, 1 not as declared, 2 wrong call, 3 a check could not be carried out.")
@click.argument("exercises", nargs=-1, metavar="[EXERCISE]...")
@COURSE
@click.option(
    "--seeds",
    cls=Setting,
    type=click.IntRange(1, 100),
    default=SEEDS,
    show_default=True,
    help="How many course seeds to try each on.",
)
@click.option("--json", "as_json", is_flag=True, help="Print what was found as JSON, and nothing else.")
def verify(exercises: tuple[str, ...], course: Path | None, seeds: int, as_json: bool) -> None:
    """Prove the checks of a course, or of some of its exercises.

    The solution has to earn all points and the stub none; each file in mistakes/ loses points with the tag and the
    formula that its first line names, each in rewrites/ earns all; on every seed alike. Limits are proposed from what
    the solution took.
    """
    import msgspec

    from grader.model.course import find_course

    proof = _proof(find_course(course, None), exercises, seeds, quiet=as_json)
    plain = {**msgspec.to_builtins(proof), "proven": proof.proven, "broken": proof.broken}
    if as_json:
        sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(plain)) + b"\n")
    else:
        from rich.console import Console

        from reports.terminal.verify import show

        show(plain, Console(highlight=False))
    sys.exit(GradeError.exit_code if proof.broken else int(not proof.proven))


@click.command(epilog="Exit codes: 0 written, 2 wrong call, 3 the course cannot be read.")
@click.argument("name")
@COURSE
@DEBUG
def new(name: str, course: Path | None, debug: bool) -> None:
    """Start an exercise: a folder that `grade verify` proves, listed in course.toml.

    \b
    Example:
      grade new rms_norm
    """
    from grader.authoring.scaffold import scaffold
    from reports.text import log

    for path in scaffold(_near(course), name):
        click.echo(log(str(path), ""))
    tell(f"Change one file at a time, and prove it: grade verify {name}")


@click.command(epilog="Exit codes: 0 written, 2 wrong call, 3 not proven, or the course cannot be read.")
@click.argument("exercises", nargs=-1, metavar="[EXERCISE]...")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("exercises"),
    show_default=True,
    help="Folder for the students.",
)
@COURSE
@click.option("--unproven", is_flag=True, help="Publish what `grade verify` does not prove, or without waiting for it.")
@click.option("--force", is_flag=True, help="Prove again what is known to be proven.")
@DEBUG
def publish(exercises: tuple[str, ...], out: Path, course: Path | None, **options: bool) -> None:
    """Write the students' side: stubs, notebooks, building blocks and a README.

    \b
    What `grade verify` does not prove is refused; what it has proven, and is the same still, is not proven again.
    Nothing private is written. Examples:
      grade publish
      grade publish residual_add --out week1
    """
    from grader.authoring.publish import publish
    from reports.text import log

    found = _near(course)

    def prove() -> None:
        if not options["unproven"]:
            _prove(found, exercises, again=options["force"])

    for path in publish(found, out, exercises, prove):
        click.echo(log(str(path), ""))


def _prove(course: Course, exercises: tuple[str, ...], *, again: bool) -> None:
    """Raises CourseError if one of the exercises is not proven; kept proofs count, unless `again`."""
    from grader.authoring.kept import fingerprints, kept
    from grader.authoring.publish import require_proven

    now = fingerprints(course, exercises)
    known = {} if again else kept(course, now, SEEDS)
    for name, one in known.items():
        tell(f"{name} is proven already, on {one.seeds} seeds (--force proves it again).")
    warnings = [warning for one in known.values() for warning in one.warnings]
    if left := tuple(name for name in now if name not in known):
        proof = _proof(course, left, SEEDS, quiet=False)
        warnings += [warning for exercise in proof.exercises for warning in exercise.warnings]
    for warning in warnings:
        tell(f"{warning}.", lead="not covered: ")
    if left:
        require_proven(proof)


def _proof(course: Course, exercises: tuple[str, ...], seeds: int, *, quiet: bool) -> Proof:
    """What `grade verify` finds; what is proven is kept."""
    from grader.authoring.kept import cache_folder, fingerprints, keep
    from grader.authoring.verify import verify
    from grader.sandbox.launch import launcher

    before = fingerprints(course, exercises)
    with launcher() as started, status(quiet=quiet) as told:
        proof = verify(course, exercises, seeds, started, lambda done, all_: told(f"{done} of {all_} judged"))
    try:
        keep(course, proof, before)
    except UsageError:
        tell(f"The proof is not kept, since {cache_folder()} cannot be written.", lead="note: ")
    return proof


def _near(given: Path | None) -> Course:
    """The course that was named, or the nearest: nobody means to change the built-in one from somewhere else."""
    from grader.model.course import find_course

    course = find_course(given, None)
    here, root = Path.cwd().resolve(), Path(course.root)
    if given is None and not here.is_relative_to(root) and not here.is_relative_to(root.parent):
        raise UsageError("There is no course in or above this folder. Name one: `--course PATH/solutions`.")
    return course
