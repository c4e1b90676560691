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

from grader.model.confinement import Confinement, layers
from grader.model.limits import Limits
from grader.sandbox.folders import remove
from grader.sandbox.process import (
    CHUNK,
    KILL_SECONDS,
    Ending,
    Gone,
    Output,
    Silence,
    TooMuch,
    WorkerProcess,
    Workers,
    settings,
)  # fmt: skip
from grader.sandbox.watch import INTERVAL_SECONDS, Watch, resident

NEEDS_LINUX = "needs Linux, where workers are forked"
ANYWHERE = ("environment", "private_folder", "wall_clock", "watch")
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

    @property
    def confinement(self) -> Confinement:
        """What needs no Linux, for practice results."""
        return Confinement(ANYWHERE, {name: NEEDS_LINUX for name in layers() if name not in (*ANYWHERE, "unused_user")})

    def start(self, limits: Limits) -> WorkerProcess:
        """Start Python anew; it imports torch before it answers, which is not on the student's clock."""
        return SpawnedWorker(limits)


class SpawnedWorker(WorkerProcess):
    """A worker behind two pipes, with its output in a file; a timer ends it at the deadline, so reads may block."""

    def __init__(self, limits: Limits) -> None:
        self.output = Output(limits.output_characters)
        self._folder = tempfile.mkdtemp(prefix="grade-")
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  (closed in `end`)
        config = {"settings": settings(limits), "folder": self._folder}
        self._process = spawn("worker", config, stderr=self._file, start_new_session=True)
        self._limits = limits
        self._watch: Watch | None = None
        self._seen = 0

    def write(self, data: bytes, deadline: float) -> None:
        """All of `data`, or death."""
        assert self._process.stdin is not None
        view = memoryview(data)
        with self._guard(deadline) as guard:
            try:
                while view:
                    view = view[self._process.stdin.write(view) :]
            except OSError:
                raise guard.reason or Gone from None

    def read(self, count: int, deadline: float) -> bytes:
        """Exactly `count` bytes, or death."""
        assert self._process.stdout is not None
        parts = []
        with self._guard(deadline) as guard:
            while count:
                part = self._process.stdout.read(min(count, 1 << 20))
                if not part:
                    raise guard.reason or Gone
                parts.append(part)
                count -= len(part)
        if self._watch is None:  # its first word: torch is there, the student's code is not
            pid = self._process.pid
            self._watch = Watch(pid, self._limits, at_start=resident(pid), folder=self._folder)
        return b"".join(parts)

    def _guard(self, deadline: float) -> _Guard:
        return _Guard(deadline, self._process.kill, self._watch)

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
        remove(self._folder)
        if killed:
            return Ending(None, None)
        return Ending(None, -code) if code < 0 else Ending(code, None)


class _Guard(threading.Thread):
    """Kills a worker in the block at the deadline (time.monotonic) or when it uses too much; `reason` says which."""

    def __init__(self, deadline: float, kill: Callable[[], None], watch: Watch | None) -> None:
        super().__init__(daemon=True)
        self._deadline, self._kill, self._watch = deadline, kill, watch
        self._done = threading.Event()
        self.reason: Exception | None = None

    def run(self) -> None:
        """Until the block ends or a reason to kill is found."""
        while not self._done.wait(max(0.0, min(INTERVAL_SECONDS, self._deadline - time.monotonic()))):
            if time.monotonic() >= self._deadline:
                self.reason = Silence()
            elif self._watch is not None:
                try:
                    self._watch.look()
                except TooMuch as reason:
                    self.reason = reason
            if self.reason is not None:
                self._kill()
                return

    def __enter__(self) -> _Guard:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._done.set()


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
    sys.path_importer_cache.clear()
    environment.rebuild(config["folder"])
    serving.serve(reading, writing)


def judge(config: dict[str, Any]) -> None:
    """Be a judge: the job on what were stdin and stdout; workers are spawned in turn."""
    reading, writing = os.dup(0), os.dup(1)
    os.dup2(2, 1)
    module, _, function = config["entry"].partition(":")
    getattr(importlib.import_module(module), function)(reading, writing, None)
    os._exit(0)
