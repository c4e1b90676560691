"""`grade doctor`: what this machine can do."""

from __future__ import annotations

import sys

import click

from grader.errors import GradeError


@click.command()
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

        from reports.terminal.doctor import show

        show(plain, msgspec.to_builtins(layers()), Console(highlight=False))
    sys.exit(GradeError.exit_code if found.trouble else int(level == "practice"))
