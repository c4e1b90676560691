"""`grade ci`: ready files for the places where students' repositories are graded."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.cli.options import COURSE, DEBUG
from grader.cli.settings import Setting
from grader.cli.telling import tell
from grader.errors import UsageError

if TYPE_CHECKING:
    from grader.authoring.packs import Kind


@click.command(epilog="Exit codes: 0 written, 2 wrong call, 3 the course is at fault.")
@click.argument("place", type=click.Choice(("github", "gitlab", "classroom50", "gradescope")))
@click.option("--out", type=click.Path(path_type=Path), default=Path("grade-ci"), show_default=True, help="Folder.")
@click.option(
    "--install",
    cls=Setting,
    metavar="REQUIREMENT",
    help="How pip gets the grader there. Default: this version by name.",
)
@click.option(
    "--sealed",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="GitHub: give students' repositories this file of `grade seal`, for the secret GRADE_KEY to open.",
)
@COURSE
@DEBUG
def ci(place: Kind, out: Path, install: str | None, course: Path | None, **options: Any) -> None:
    """Write ready files for GitHub, GitLab, Classroom 50 or Gradescope.

    What students can read has the visible checks only, and nothing secret. autograder.zip for Gradescope has the hidden
    checks: give it to nobody else.

    \b
    Examples:
      grade ci github --out ci
      grade ci gradescope --install "residual-grader @ git+https://example.org/grader@COMMIT"
    """
    from grader.authoring.packs import from_index, installed, make_pack
    from grader.authoring.packs.sealed import sealed_pack
    from grader.model.course import find_course
    from grader.out import write_files

    sealed, found = options["sealed"], find_course(course, None)
    if sealed and place != "github":
        raise UsageError("--sealed is for `grade ci github`. docs/ci.md says how other places use a sealed file.")
    if sealed:
        pack = sealed_pack(found, install or from_index(), installed(), sealed)
    else:
        pack = make_pack(place, found, install or from_index(), installed())
    write_files(out, pack.files)
    for name in pack.scripts:
        (out / name).chmod(0o755)
    for note in pack.notes:
        tell(note, lead="note: ")
    click.echo(f"{len(pack.files)} files written to {out}. docs/ci.md says where they go.")
