"""One submission graded by each peer, beside one more submission of `grade batch`, in the same rounds."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench import contest, measure, pages
from bench.measure import OF_A_CLASS, Cost, Section, cost
from bench.peers.folders import PEERS, Check, Command, Peer
from bench.submissions import batch_command, submissions, write

GOAL = 40.0
GOALS = ("otter-grader", "nbgrader")
INSTALL_SECONDS = 900.0
ROUNDS, QUICK_ROUNDS = 5, 2
SIZES = (5, 20)
BATCH = "`grade batch`, each added submission"


def installed(folder: Path, packages: Sequence[str]) -> Path:
    """The Python of a new environment with these packages; torch, pytest and the grader are borrowed from ours.

    Raises:
        OSError, subprocess.SubprocessError: pip could not do it, or not in INSTALL_SECONDS.
    """
    subprocess.run(measure.python("-m", "venv", str(folder)), check=True, capture_output=True)
    python = folder / "bin" / "python"
    install = [str(python), "-m", "pip", "install", "--quiet", *packages]
    subprocess.run(install, check=True, capture_output=True, timeout=INSTALL_SECONDS)
    ask = [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    own = subprocess.run(ask, check=True, capture_output=True, text=True).stdout.strip()
    borrowed = f"{sysconfig.get_path('purelib')}\n{measure.ROOT}\n"
    (Path(own) / "borrowed.pth").write_text(borrowed, encoding="utf-8")  # stands behind what the peer has of its own
    return python


def ready(folder: Path, checks: Sequence[Check]) -> tuple[dict[str, Command], list[str]]:
    """A command for each peer that can be had, and a sentence for each other one."""
    commands: dict[str, Command] = {}
    left_out = []
    for name, peer in PEERS.items():
        begun = time.monotonic()
        try:
            commands[name] = _ready(folder / peer.packages[0], peer, checks)
        except (OSError, subprocess.SubprocessError) as error:
            left_out.append(f"{name} is left out: {_why(error)}.")
        print(f"{name}: {time.monotonic() - begun:.0f} s to get ready", file=sys.stderr)
    return commands, left_out


def _ready(folder: Path, peer: Peer, checks: Sequence[Check]) -> Command:
    work = folder / "work"
    work.mkdir(parents=True)
    return peer.ready(installed(folder / "environment", peer.packages), work, checks)


def _why(error: Exception) -> str:
    words = getattr(error, "stderr", None) or b""
    lines = words.decode(errors="replace").strip().splitlines()
    return (lines[-1] if lines else str(error)).rstrip(".")


def section(*, quick: bool) -> Section:
    """Install, grade in rounds, compare."""
    (known,) = pages.records(1)
    checks = [(exercise.name, check.name) for exercise in known.exercises for check in exercise.checks]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        commands, left_out = ready(folder / "peers", checks)
        turns = list(_rounds(folder, commands, QUICK_ROUNDS if quick else ROUNDS))
    batch = [turn[BATCH] for turn in turns]
    rows = [(BATCH, *_seconds(batch), "", "")]
    figures: dict[str, float] = {}
    for one in commands:
        costs = [turn[one] for turn in turns]
        slower = figures[one] = contest.ratio([each.wall for each in costs], [each.wall for each in batch])
        goal = measure.kept(f"≥ {GOAL:.0f} × `grade batch`", slower >= GOAL) if one.startswith(GOALS) else ""
        rows.append((one, *_seconds(costs), f"× {slower:.1f} `grade batch`", goal))
    reached = all(slower >= GOAL for one, slower in figures.items() if one.startswith(GOALS))
    note = " ".join((f"The same {len(checks)} checks, each of them one test, one submission at a time.", *left_out))
    return Section("peers", "Other autograders", rows, reached, figures, note=note)


def _rounds(folder: Path, commands: dict[str, Command], count: int) -> Iterator[dict[str, Cost]]:
    """In each round another submission."""
    paths = write(folder / "alone", submissions(count))
    for size in SIZES:
        write(folder / f"class-{size}", submissions(size))
    for turn, path in enumerate(paths):
        taken = {
            size: cost(batch_command(folder / f"class-{size}", folder / f"out-{turn}-{size}"), patience=OF_A_CLASS)
            for size in SIZES
        }
        yield {BATCH: contest.added(taken, *SIZES)} | {
            name: cost(command(path), patience=OF_A_CLASS) for name, command in commands.items()
        }


def _seconds(costs: list[Cost]) -> tuple[str, str]:
    middle = measure.median(costs)
    return f"{middle.wall:.3f}", f"{middle.cpu:.3f}"
