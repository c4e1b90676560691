"""Our end of one worker: questions with a deadline, answers that are checked, and a new worker when one is lost."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from grader.errors import SandboxError
from grader.model.limits import Limits
from grader.model.results import Printed, Verdict
from grader.sandbox.process import Ending, Gone, Silence, WorkerProcess, Workers
from grader.sandbox.worker import messages as m

START_SECONDS = 60.0
FAREWELL_SECONDS = 1.0

ProbeRequest: TypeAlias = m.ProbeCall | m.ProbeBackward
Serve: TypeAlias = Callable[[ProbeRequest], m.Answer | m.Refuse]


class StudentRaised(Exception):
    """The student's code raised while it answered; `frame` is what the worker says about it."""

    def __init__(self, frame: m.Raised) -> None:
        super().__init__(f"{frame.type}: {frame.text}")
        self.frame = frame


class WorkerLost(Exception):
    """The worker did not answer: `verdict` says how it ended, `happened` says so to the student."""

    def __init__(self, verdict: Verdict, happened: str) -> None:
        super().__init__(happened)
        self.verdict: Verdict = verdict
        self.happened = happened


@dataclass(frozen=True)
class Source:
    """What a session loads: the units of a submission, the wanted one last, and the names it should define."""

    units: Sequence[m.Unit]
    wanted: Sequence[str]


def no_probes(request: ProbeRequest) -> m.Refuse:
    """For calls that involve no probe."""
    return m.Refuse("nothing here can be called")


class Session:
    """One submission's worker, started when it is first needed and started anew after it was lost.

    `load` starts a worker; `begin` opens a check with its time budget; `ask` puts one question. Once a check ran out of
    time, the later ones get less (see Limits).
    """

    def __init__(self, workers: Workers, source: Source, limits: Limits) -> None:
        self._workers, self._source, self._limits = workers, source, limits
        self._process: WorkerProcess | None = None
        self._last_words = Printed()
        self._left = 0.0
        self._slow = False

    # -- life

    def load(self) -> Any:
        """Start a worker and load the source; returns the worker's claims about it, as plain data.

        Raises:
            WorkerLost: the file hung, crashed or ended the process while it was loaded.
            SandboxError: no worker could be started.
        """
        self._process = self._workers.start(self._limits)
        try:
            self._hear(time.monotonic() + START_SECONDS)
        except (Gone, Silence, m.BadFrame):
            self._process.end(0)
            words = self._process.output.take().tail[-500:]
            self._process = None
            raise SandboxError(f"A worker could not be started: {words or 'it ended without a word'}.") from None
        self.take_output()
        self._left = self._limits.load_seconds
        done = self.ask(m.Load(list(self._source.units), list(self._source.wanted)))
        return m.unpack(done.value, lambda value: value)

    def begin(self, seed: int, dtype: m.Dtype = "float64") -> None:
        """Open a check: fresh state, fresh budget. Starts and loads a new worker if there is none.

        Raises:
            WorkerLost: as `load`.
        """
        if self._process is None:
            self.load()
        self._left = self._limits.again_seconds if self._slow else self._limits.check_seconds
        self.ask(m.Begin(seed, dtype))

    def take_output(self) -> Printed:
        """What the student's code printed since the last call."""
        if self._process is None:
            words, self._last_words = self._last_words, Printed()
            return words
        self._process.collect()
        return self._process.output.take()

    def close(self) -> None:
        """End the worker."""
        if self._process is not None:
            self._process.end(0)
            self._process = None

    # -- questions

    def ask(self, request: m.Request, serve: Serve = no_probes) -> m.Done:
        """Put a question; probes called on the way are served, and their time is not the student's.

        Raises:
            StudentRaised: the student's code raised.
            WorkerLost: no proper answer came; the worker is gone.
        """
        process = self._process
        if process is None:
            raise WorkerLost("crashed", "Your code had already ended its own process.")
        begun, served = time.monotonic(), 0.0
        try:
            process.write(m.encode(request), begun + self._left)
            while isinstance(reply := self._reply(begun + self._left + served), m.ProbeCall | m.ProbeBackward):
                started = time.monotonic()
                answer = m.encode(serve(reply))
                served += time.monotonic() - started
                process.write(answer, begun + self._left + served)
        except (Silence, Gone, m.BadFrame) as error:
            raise self._lost(process, error) from None
        self._left = max(0.0, self._left - (time.monotonic() - begun - served))
        if isinstance(reply, m.Raised):
            raise StudentRaised(reply)
        return reply

    def _reply(self, deadline: float) -> m.Done | m.Raised | m.ProbeCall | m.ProbeBackward:
        reply: m.Done | m.Raised | m.ProbeCall | m.ProbeBackward = m.decode("reply", self._hear(deadline))
        return reply

    def _hear(self, deadline: float) -> bytes:
        assert self._process is not None
        (length,) = m.HEAD.unpack(self._process.read(m.HEAD.size, deadline))
        if length > self._limits.frame_mib << 20:
            raise m.BadFrame(f"a frame of {length} bytes")
        return self._process.read(length, deadline)

    def _lost(self, process: WorkerProcess, error: Exception) -> WorkerLost:
        ending = process.end(FAREWELL_SECONDS if isinstance(error, Gone) else 0)
        self._last_words = process.output.take()
        self._process = None
        if isinstance(error, Silence):
            self._slow = True
            return WorkerLost("timed_out", "Your code was still running when its time was up.")
        if isinstance(error, m.BadFrame):
            return WorkerLost("crashed", "Your code wrote into the connection to the grader.")
        return WorkerLost(*_ended(ending))


SIGNALS = {11: "a segmentation fault", 6: "an abort", 7: "a bus error", 8: "an arithmetic fault"}


def _ended(ending: Ending) -> tuple[Verdict, str]:
    if ending.code == m.CHANNEL_CLOSED:
        return "crashed", "Your code closed the connection to the grader."
    if ending.code is not None:
        return "crashed", f"Your code ended its own process (exit code {ending.code})."
    if ending.signal == 9:
        return "out_of_memory", "The system stopped your code: it used too much memory or processor time."
    if ending.signal is not None:
        what = SIGNALS.get(ending.signal, f"signal {ending.signal}")
        return "crashed", f"Your code crashed Python itself ({what}). Recursion without end can do this."
    return "crashed", "Your code closed the connection to the grader."
