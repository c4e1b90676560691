"""Workers and judges as freshly started processes, where forking from a clean ancestor is not to be had.

For macOS and Windows, and for tests of both: slower, less confined, good for practice results. The lower part of this
file runs in the child.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from grader.model.limits import Limits
from grader.sandbox.process import CHUNK, KILL_SECONDS, Ending, Gone, Output, Silence, WorkerProcess, Workers, settings

PACKAGE_ROOT = str(Path(__file__).resolve().parents[2])
BOOT = (
    "import json,os,sys;b=b''\nwhile not b.endswith(b'\\n'):b+=os.read(0,1)\n"
    "c=json.loads(b);sys.path.insert(0,c['root']);from grader.sandbox import spawned;spawned.{0}(c)"
)


def spawn(function: str, config: dict[str, Any], **options: Any) -> subprocess.Popen[bytes]:
    """A fresh Python that calls a function of this file; `config` travels as the first line of its stdin."""
    command = [sys.executable, "-I", "-B", "-c", BOOT.format(function)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, **options)
    assert process.stdin is not None
    process.stdin.write(json.dumps({"root": PACKAGE_ROOT, **config}).encode() + b"\n")
    return process


class SpawnedWorkers(Workers):
    """One fresh process per worker."""

    layers = ("environment", "folder", "wall_clock")

    def start(self, limits: Limits) -> WorkerProcess:
        """Start Python anew; it imports torch before it answers, which is not on the student's clock."""
        return SpawnedWorker(limits)


class SpawnedWorker(WorkerProcess):
    """A worker behind two pipes, with its output in a file; a timer ends it at the deadline, so reads may block."""

    def __init__(self, limits: Limits) -> None:
        self.output = Output(limits.output_characters)
        self._folder = tempfile.TemporaryDirectory(prefix="grade-", ignore_cleanup_errors=True)
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  (closed in `end`)
        config = {"settings": settings(limits), "folder": self._folder.name}
        self._process = spawn("worker", config, stderr=self._file, start_new_session=True)
        self._seen = 0

    def write(self, data: bytes, deadline: float) -> None:
        """All of `data`, or death."""
        assert self._process.stdin is not None
        view = memoryview(data)
        with _Timer(deadline, self._process.kill):
            try:
                while view:
                    view = view[self._process.stdin.write(view) :]
            except OSError:
                raise (Silence if time.monotonic() >= deadline else Gone) from None

    def read(self, count: int, deadline: float) -> bytes:
        """Exactly `count` bytes, or death."""
        assert self._process.stdout is not None
        parts = []
        with _Timer(deadline, self._process.kill):
            while count:
                part = self._process.stdout.read(min(count, 1 << 20))
                if not part:
                    raise Silence if time.monotonic() >= deadline else Gone
                parts.append(part)
                count -= len(part)
        return b"".join(parts)

    def collect(self) -> None:
        """What the file has grown by. Without a seek where that is possible: the child writes at the same offset."""
        while data := os.pread(self._file.fileno(), CHUNK, self._seen) if hasattr(os, "pread") else self._read_on():
            self._seen += len(data)
            self.output.add(data)

    def _read_on(self) -> bytes:
        self._file.seek(self._seen)
        return self._file.read(CHUNK)

    def end(self, patience: float) -> Ending:
        """Kill after `patience`."""
        killed = False
        try:
            code = self._process.wait(patience)
        except subprocess.TimeoutExpired:
            killed = True
            self._process.kill()
            code = self._process.wait(KILL_SECONDS)
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)  # whatever it started in its process group
        self.collect()
        for stream in (self._process.stdin, self._process.stdout, self._file):
            if stream is not None:
                stream.close()
        self._folder.cleanup()
        if killed:
            return Ending(None, None)
        return Ending(None, -code) if code < 0 else Ending(code, None)


class _Timer:
    """Acts when the deadline (time.monotonic) passes inside the block."""

    def __init__(self, deadline: float, act: Callable[[], None]) -> None:
        self._timer = threading.Timer(max(0.0, deadline - time.monotonic()), act)
        self._timer.daemon = True

    def __enter__(self) -> None:
        self._timer.start()

    def __exit__(self, *error: object) -> None:
        self._timer.cancel()


# ---------------------------------------------------------------- in the child


def worker(config: dict[str, Any]) -> None:
    """Be a worker: the protocol on what were stdin and stdout, prints into what is stderr."""
    reading, writing = os.dup(0), os.dup(1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    from grader.sandbox.confine import environment

    with warnings.catch_warnings():  # torch's own, which are no output of the student
        warnings.simplefilter("ignore")
        from grader.sandbox.worker import serving

    sys.path.remove(config["root"])
    environment.rebuild(config["folder"])
    serving.serve(reading, writing)


def judge(config: dict[str, Any]) -> None:
    """Be a judge: the job on what were stdin and stdout; workers are spawned in turn."""
    reading, writing = os.dup(0), os.dup(1)
    os.dup2(2, 1)
    module, _, function = config["entry"].partition(":")
    getattr(importlib.import_module(module), function)(reading, writing, None)
    os._exit(0)
