"""What this machine offers for grading, found out by doing it: a fork server, a judge and a confined worker.

The command asks (`examine`), without torch; a process in the judge's place answers (`main`).
"""

from __future__ import annotations

import os
import platform
import socket
import time

import msgspec

from grader.errors import SandboxError
from grader.model.confinement import Confinement
from grader.model.limits import Limits
from grader.sandbox.launch import Launcher, Line

ENTRY = "grader.sandbox.doctor:main"


class Examination(msgspec.Struct, frozen=True):
    """Versions, who grades, the confinement that a worker has, and how long one took to start (ms)."""

    system: str
    user: str
    python: str
    torch: str
    confinement: Confinement
    worker_ms: float
    trouble: str = ""


def examine(launcher: Launcher) -> Examination:
    """Start everything that grading needs, once.

    Raises:
        SandboxError: it cannot be started.
    """
    with launcher.judge(ENTRY) as line:
        body = line.receive()
    if body is None:
        raise SandboxError("The process that runs the checks ended without a word.")
    return msgspec.json.decode(body, type=Examination)


def main(reading: int, writing: int, workers: int | None) -> None:
    """In the judge's place: load a file of one line in a worker, and tell."""
    import torch

    from grader.sandbox.forked import ForkedWorkers
    from grader.sandbox.session import Session, Source
    from grader.sandbox.spawned import SpawnedWorkers
    from grader.sandbox.worker import messages as m

    supply = SpawnedWorkers() if workers is None else ForkedWorkers(socket.socket(fileno=workers))
    confinement, trouble = supply.confinement, ""
    begun = time.monotonic()
    session = Session(supply, Source([m.Unit("trial", "trial.py", False, [(None, "x = 1")])], []), Limits())
    try:
        session.load()
    except SandboxError as error:
        trouble = str(error)
    taken = time.monotonic() - begun
    session.close()
    user = f"uid {os.getuid()}" if hasattr(os, "getuid") else "an ordinary user"
    found = Examination(
        f"{platform.system()} {platform.release()} {platform.machine()}",
        "root" if user == "uid 0" else user,
        platform.python_version(),
        str(torch.__version__),
        confinement,
        round(taken * 1000, 1),
        trouble,
    )
    Line.on(reading, writing).send(msgspec.json.encode(found))
