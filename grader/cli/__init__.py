"""The `grade` command: the only package that prints or exits. Light: what is slow to import is imported when needed.

Results go to stdout, progress and errors to stderr. Exit codes: 0 full marks (or at least `--fail-under`), 1 points
lost, 2 wrong call, 3 could not grade (author or grader at fault), 130 interrupted.
"""

from __future__ import annotations

import signal
import sys

import click

from grader import __version__
from grader.cli.batch import batch, intake
from grader.cli.book import override, regrade, show
from grader.cli.config import config
from grader.cli.course import new, publish, verify
from grader.cli.export import alike, export
from grader.cli.help import completion, explain
from grader.cli.lab import lab
from grader.cli.machine import doctor
from grader.cli.options import EPILOG
from grader.cli.packs import ci
from grader.cli.pages import report
from grader.cli.sealing import seal
from grader.cli.submission import submit
from grader.cli.telling import told

TERMINATED = 143


@click.group(context_settings={"help_option_names": ["-h", "--help"]}, epilog=EPILOG)
@click.version_option(__version__, prog_name="grade")
@click.option("--isolated", is_flag=True, envvar="GRADE_ISOLATED", help="Read no [tool.grade] of any pyproject.toml.")
def cli(isolated: bool) -> None:
    """Grade PyTorch exercises, and say which formula the code computes."""


for command in (
    submit,
    intake,
    batch,
    regrade,
    override,
    show,
    export,
    alike,
    report,
    new,
    verify,
    publish,
    ci,
    seal,
    lab,
    explain,
    completion,
    config,
    doctor,
):
    cli.add_command(command)


def main() -> None:
    """Run the command; the one place where errors become text and an exit code."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))  # so that what was started is ended and removed
    try:
        cli.main(standalone_mode=False)
        code = 0
    except BaseException as error:
        code = told(error, debug="--debug" in sys.argv)
    sys.exit(code)
