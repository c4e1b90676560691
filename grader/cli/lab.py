"""`grade lab`: experiments that cost no points."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.cli.options import COURSE, DEBUG
from grader.cli.telling import status

if TYPE_CHECKING:
    from grader.lab.experiments import Lab
    from grader.lab.record import CopyTask, Gradients, Stack
    from grader.model.course import Course

EPILOG = "Exit codes: 0 done, 2 wrong call, 3 fault of the course or the grader, 130 interrupted."
DEEPEST, MOST_DEPTHS = 100, 8
FILE = click.argument("file", required=False, type=click.Path(path_type=Path), metavar="[FILE]")
OUT = click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("grade-out"),
    show_default=True,
    help="Folder for lab.json and lab.html.",
)


@click.group(epilog=EPILOG)
def lab() -> None:
    """Try out what shortcuts are for, on your own code. Costs no points."""


class Depths(click.ParamType):  # type: ignore[type-arg]  # generic in some versions of click only
    """Numbers of layers, divided by commas."""

    name = "depths"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:
        """From the text of the command line."""
        if isinstance(value, tuple):
            return value
        parts = [part.strip() for part in str(value).split(",") if part.strip()]
        known = [int(part) for part in parts if part.isdecimal() and len(part) < 4]
        if not parts or len(known) < len(parts) or not all(2 <= depth <= DEEPEST for depth in known):
            self.fail(f"{value!r} is no list of depths from 2 to {DEEPEST}, such as 5,20,50.", param, ctx)
        if len(known) > MOST_DEPTHS:
            self.fail(f"At most {MOST_DEPTHS} depths at a time.", param, ctx)
        return tuple(sorted(set(known)))


@lab.command(epilog=EPILOG)
@FILE
@click.option(
    "--depth", "depths", type=Depths(), default="5,20,50", show_default=True, help="Numbers of layers, with commas."
)
@OUT
@COURSE
@DEBUG
def gradients(file: Path | None, depths: tuple[int, ...], **options: Any) -> None:
    """Show how much gradient reaches the first layer as a network gets deeper, with shortcuts and without.

    \b
    FILE holds your ExampleDeepNeuralNetwork; without it the solution is tried. Examples:
      grade lab gradients exercises/deep_network.py
      grade lab gradients --depth 50
    """
    from grader.lab import experiments

    _tried(file, "deep_network", options, lambda opened: experiments.gradients(opened, depths))


@lab.command("copy-task", epilog=EPILOG)
@FILE
@click.option("--blocks", type=click.IntRange(1, 12), default=4, show_default=True, help="How many blocks are stacked.")
@click.option("--seeds", type=click.IntRange(1, 9), default=3, show_default=True, help="How often each is trained.")
@click.option("--steps", type=click.IntRange(1, 600), default=120, show_default=True, help="Steps of each training.")
@OUT
@COURSE
@DEBUG
def copy_task(file: Path | None, blocks: int, seeds: int, steps: int, **options: Any) -> None:
    """Train your blocks, and the same blocks without their shortcuts, to copy symbols.

    \b
    FILE holds your TransformerBlock; without it the solution is tried. The shortcuts are left out from outside: you
    need no second version. Examples:
      grade lab copy-task exercises/transformer_block.py
      grade lab copy-task --blocks 1
    """
    from grader.lab import experiments

    chosen = tuple(range(1, seeds + 1))
    _tried(file, "transformer_block", options, lambda opened: experiments.copy_task(opened, blocks, chosen, steps))


@lab.command(epilog=EPILOG)
@FILE
@OUT
@COURSE
@DEBUG
def gpt2(file: Path | None, **options: Any) -> None:
    """Stack twelve of your blocks to the size of GPT-2 small: shapes, gradients, time and memory.

    \b
    FILE holds your TransformerBlock; without it the solution is tried. Example:
      grade lab gpt2 exercises/transformer_block.py
    """
    from grader.lab import experiments

    _tried(file, "transformer_block", options, experiments.gpt2)


def _tried(
    file: Path | None, exercise: str, options: dict[str, Any], do: Callable[[Lab], Gradients | CopyTask | Stack]
) -> None:
    from grader.lab.experiments import open_lab
    from grader.model.course import find_course
    from grader.sandbox.launch import launcher

    course = find_course(options["course"], file)
    with launcher() as started, status(quiet=False) as say:
        found = do(open_lab(file, course, exercise, started, say))
    _keep(found, course, options["out"])


def _keep(found: Gradients | CopyTask | Stack, course: Course, out: Path) -> None:
    """Write record and page, and print what was found."""
    import msgspec
    from rich.console import Console

    from grader.lab.stored import PAGE, RECORD, kept, name_of
    from grader.out import write_files
    from reports.lab.console import show
    from reports.lab.html import lab_page
    from reports.text import json_text

    record = kept(out, course.digest, found)
    data = json_text(msgspec.json.format(msgspec.json.encode(record)) + b"\n")
    plain = msgspec.to_builtins(record)
    write_files(out, {".gitignore": b"*\n", RECORD: data, PAGE: lab_page(plain).encode()})
    show(name_of(found), plain[name_of(found)], Console(highlight=False), str(out / PAGE))
