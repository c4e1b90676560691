"""Endless loops: of twenty submissions one never ends. What does the class wait, beside what it would have to?

The ideal schedule: every core busy from the start to the end, and an endless submission costs its limits, no more.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.measure import OF_A_CLASS, Section, cost
from bench.submissions import Files, batch_command, submissions, write
from grader.gradebook import open_gradebook
from grader.judges import usable_cores

EVERY = 20
QUICK, FULL = 20, 120
EXERCISE = "residual_add"
LOOP = "while True:\n    pass\n"
IN_FORWARD = """\
from torch import nn


class ResidualAdd(nn.Module):
    def __init__(self, dim, sublayer, dropout=0.1):
        super().__init__()
        self.norm = nn.LayerNorm(dim)

    def forward(self, x, **kwargs):
        while True:
            pass
"""


def with_endless(handed_in: Sequence[Files]) -> tuple[list[Files], list[int]]:
    """The class with every EVERYth made endless, on import and in the forward pass in turn; their places."""
    places = list(range(EVERY // 2, len(handed_in), EVERY))
    changed = list(handed_in)
    for turn, place in enumerate(places):
        source = IN_FORWARD if turn % 2 else f"{LOOP}\n{IN_FORWARD}"
        changed[place] = {**handed_in[place], f"{EXERCISE}.py": f"{source}# {place}\n"}
    return changed, places


def without(files: Files) -> Files:
    """The same submission, with nothing for the exercise that never ends."""
    return {name: source for name, source in files.items() if name != f"{EXERCISE}.py"}


def ideal(others: float, endless: Sequence[float], at_once: int) -> float:
    """Seconds that nobody can do better than: `others` is what the class takes without its endless files."""
    return max(others + sum(endless) / at_once, *endless)


def waited(book: Path, students: Sequence[str]) -> dict[str, float]:
    """Seconds that the endless file of each of these submissions kept a judge busy."""
    found: dict[str, float] = {}
    with open_gradebook(book, create=False) as opened:
        for student in students:
            (one,) = opened.history(student).attempts
            seconds = one.record.timing.seconds.items()
            found[student] = sum(each for name, each in seconds if name.startswith(f"{EXERCISE}."))
    return found


def section(*, quick: bool) -> Section:
    """Grade a class twice: without its endless files, and with them."""
    handed_in, places = with_endless(submissions(QUICK if quick else FULL))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = write(folder / "all", handed_in)
        write(
            folder / "others", [without(files) if place in places else files for place, files in enumerate(handed_in)]
        )
        others = cost(batch_command(folder / "others", folder / "out-others"), patience=OF_A_CLASS)
        whole = cost(batch_command(folder / "all", folder / "out-all"), patience=OF_A_CLASS)
        endless = waited(folder / "out-all" / "gradebook.db", [paths[place].name for place in places])
    return _section(len(handed_in), others.wall, whole.wall, endless)


def _section(count: int, others: float, whole: float, endless: Mapping[str, float]) -> Section:
    best = ideal(others, list(endless.values()), usable_cores())
    more = whole / best
    rows = [
        (f"a class of {count}, without its endless files", f"{others:.1f}", "", "", ""),
        (f"{len(endless)} endless files, by their limits", f"{sum(endless.values()):.1f}", "", "", ""),
        (f"the ideal schedule for both on {usable_cores()} cores", f"{best:.1f}", "", "", ""),
        ("as it was", f"{whole:.1f}", "", f"× {more:.2f} the ideal", ""),
    ]
    note = "A limit of 10 s for loading and for the first check that runs into it, 2 s for each later one."
    return Section("endless", "Endless loops in one submission of twenty", rows, True, {"endless": more}, note=note)
