"""What confinement costs: workers with every layer against workers without any, started in turn on the same machine.

`python -m bench.confinement [WORKERS]`. The goal: at most GOAL_MS more from the start of a worker to its end.
"""

from __future__ import annotations

import json
import socket
import statistics
import sys
import time
from contextlib import ExitStack
from typing import NamedTuple

from bench import measure
from grader.model.limits import Limits
from grader.sandbox.confine.layers import LAYERS
from grader.sandbox.forked import ForkedWorkers
from grader.sandbox.launch import ForkLauncher, Line

WORKERS = 200
WARM_UP = 5
GOAL_MS = 5.0
READY_SECONDS = 30.0
SEAT = "bench.confinement:start_workers"
CONTAINER = ("namespaces", "cgroup")
NONE, ALL = "a worker without any layer", "a worker with every layer"


class Life(NamedTuple):
    """Seconds from the request for a worker until it is ready for a submission, and until it has ended."""

    ready: float
    ended: float


def start_workers(reading: int, writing: int, workers: int) -> None:
    """In a judge's place: one worker for each message, from its start to its end."""
    line, supply = Line.on(reading, writing), ForkedWorkers(socket.socket(fileno=workers))
    line.send(json.dumps(supply.confinement.layers).encode())
    while line.receive() is not None:
        begun = time.monotonic()
        process = supply.start(Limits())
        process.read(1, begun + READY_SECONDS)  # of the frame in which it says that it is ready
        ready = time.monotonic() - begun
        process.end(0)
        line.send(json.dumps((ready, time.monotonic() - begun)).encode())


def lives(count: int = WORKERS) -> tuple[dict[str, Life], list[str]]:
    """Medians of interleaved workers, and the layers of those that have them."""
    every = (*CONTAINER, *(layer.name for layer in LAYERS))
    with ExitStack() as stack:
        lines = {}
        for name, without in ((NONE, every), (ALL, ())):
            launcher = stack.enter_context(ForkLauncher(without))
            lines[name] = stack.enter_context(launcher.judge(SEAT))
        layers = {name: json.loads(line.receive() or b"[]") for name, line in lines.items()}
        taken: dict[str, list[Life]] = {name: [] for name in lines}
        for turn in range(count + WARM_UP):
            for name, line in lines.items():
                line.send(b"another")
                life = Life(*json.loads(line.receive() or b"[]"))
                if turn >= WARM_UP:
                    taken[name].append(life)
    medians = {name: Life(*map(statistics.median, zip(*each, strict=True))) for name, each in taken.items()}
    return medians, [layer for layer in layers[ALL] if layer not in layers[NONE]]


def more_ms(medians: dict[str, Life]) -> float:
    """Milliseconds that the layers add to a whole life."""
    return (medians[ALL].ended - medians[NONE].ended) * 1000


def reached(medians: dict[str, Life]) -> bool:
    """Whether the layers are as cheap as they have to be."""
    return more_ms(medians) <= GOAL_MS


def rows(medians: dict[str, Life], layers: list[str]) -> list[tuple[str, ...]]:
    """Start to end for both kinds, and how much of it is the way to a worker that is ready."""
    floor, cost, more = medians[NONE], medians[ALL], more_ms(medians)
    goal = measure.kept(f"wall ≤ floor + {GOAL_MS:.0f} ms", reached(medians))
    ready = (cost.ready - floor.ready) * 1000
    return [
        (f"{NONE}, from start to end", f"{floor.ended:.4f}", "", "", ""),
        (f"{ALL} ({len(layers)} of them)", f"{cost.ended:.4f}", "",
         f"{more:+.1f} ms, × {cost.ended / floor.ended:.2f}", goal),
        ("of it until it is ready, without", f"{floor.ready:.4f}", "", "", ""),
        ("of it until it is ready, with", f"{cost.ready:.4f}", "",
         f"{ready:+.1f} ms, × {cost.ready / floor.ready:.2f}", ""),
    ]  # fmt: skip


def main(count: int) -> bool:
    """Measure, print, and say whether the goal was reached."""
    medians, layers = lives(count)
    print(measure.table(rows(medians, layers)))
    print(f"\nThe layers: {', '.join(layers)}.")
    return reached(medians)


if __name__ == "__main__":
    sys.exit(not main(int(sys.argv[1]) if sys.argv[1:] else WORKERS))
