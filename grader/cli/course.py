"""`grade verify`: the course itself."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from grader.cli.options import COURSE
from grader.cli.telling import status
from grader.errors import GradeError


@click.command(epilog="Exit codes: 0 proven, 1 not as declared, 2 wrong call, 3 a check could not be carried out.")
@click.argument("exercises", nargs=-1, metavar="[EXERCISE]...")
@COURSE
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
    from grader.model.course import find_course
    from grader.sandbox.launch import launcher

    with launcher() as started, status(quiet=as_json) as tell:
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
