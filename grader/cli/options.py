"""Options and words that several commands share."""

from __future__ import annotations

from pathlib import Path

import click

from grader.cli.settings import Setting

EPILOG = "Exit codes: 0 full marks, 1 points lost, 2 wrong call, 3 could not grade, 130 interrupted."
COURSE = click.option(
    "--course",
    cls=Setting,
    stays="out of the submission",
    type=click.Path(path_type=Path),
    help="The course (instructors' side). Default: the nearest folder solutions/.",
)
DEBUG = click.option("--debug", is_flag=True, help="Show tracebacks of the grader's own errors.")
ATTEMPT = click.option(
    "--attempt",
    cls=Setting,
    type=click.Choice(["on_time", "last", "best"]),
    default="on_time",
    show_default=True,
    help="Which attempt counts: the newest before the deadline, the last, or the one with most points.",
)
