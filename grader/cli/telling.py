"""What is said on stderr: progress, and every error as a sentence."""

from __future__ import annotations

import io
import os
import sys
import traceback
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from grader.errors import GradeError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

INTERRUPTED = 130


@contextmanager
def status(*, quiet: bool) -> Iterator[Callable[[str], None]]:
    """A line on stderr that says what is being done, only where somebody can see it."""
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    with Console(stderr=True).status("Starting …") as status:
        yield status.update


@contextmanager
def counting(total: int) -> Iterator[Callable[[], None]]:
    """A bar on stderr with rate and remaining time, where somebody can see it; the function counts one."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console

    from reports.terminal.progress import class_progress

    with class_progress(Console(stderr=True)) as bar:
        task = bar.add_task("", total=total)
        yield lambda: bar.advance(task)


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
        tell(usage.getvalue().rstrip())
        return error.exit_code
    if isinstance(error, click.Abort | KeyboardInterrupt):
        click.echo("\nInterrupted; nothing was written.", err=True)
        return INTERRUPTED
    ours = isinstance(error, GradeError)
    words = str(error) if ours else f"This is a fault of the grader: {type(error).__name__}: {error}"
    tell(words, lead="grade: ")
    if debug:
        tell("".join(traceback.format_exception(error)).rstrip(), lines=2000)
    elif not ours:
        tell("Please report it, with what `--debug` prints.")
    return error.exit_code if isinstance(error, GradeError) else GradeError.exit_code


def tell(words: str, lead: str = "", lines: int = 100) -> None:
    """Words with names, paths and text of strangers in them, on stderr: shown, and steering neither terminal nor CI."""
    from reports.text import log

    click.echo(log(words, lead, limit=100 * lines, lines=lines), err=True)
