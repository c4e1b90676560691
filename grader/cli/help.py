"""`grade explain` and `grade completion`: words about mistakes, and help with typing."""

from __future__ import annotations

import difflib

import click

from grader.errors import UsageError


@click.command()
@click.argument("concept", required=False)
def explain(concept: str | None) -> None:
    """Print the short lesson behind a diagnosis; without a name, all that there are.

    \b
    Example:
      grade explain missing-skip
    """
    from rich.console import Console

    from grader.model.stored import lessons
    from reports.terminal.lesson import show, show_all

    known = lessons()
    console = Console(highlight=False)
    if concept is None:
        show_all(known, console)
    elif concept in known:
        show(concept, known[concept], console)
    else:
        near = difflib.get_close_matches(concept, known, n=3, cutoff=0.5)
        meant = f" Did you mean {', '.join(near)}?" if near else " `grade explain` lists all."
        raise UsageError(f"There is no lesson {concept!r}.{meant}")


@click.command()
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print what a shell needs to complete commands and options.

    \b
    Example, for bash:
      grade completion bash >> ~/.bashrc
    """
    from click.shell_completion import get_completion_class

    made = get_completion_class(shell)
    assert made is not None
    group = context.find_root().command
    click.echo(made(group, {}, "grade", "_GRADE_COMPLETE").source())
