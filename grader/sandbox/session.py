"""Our end of one worker: questions with a deadline, answers that are checked, and a new worker when one is lost."""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from grader.errors import SandboxError
from grader.model.limits import Limits
from grader.model.results import Printed, Verdict, Where
from grader.sandbox.process import Ending, Gone, Silence, TooMuch, WorkerProcess, Workers, cpu_seconds
from grader.sandbox.worker import messages as m
from grader.sandbox.worker import wire
from grader.sandbox.worker.values import unpack

START_SECONDS = 60.0
FAREWELL_SECONDS = 1.0
SERVED_SECONDS = 10.0  # for the probes of one question; what they take beyond is the student's time
PART = 1 << 20  # bytes of a frame that are read at once
FORGED = "Your code wrote into the connection to the grader."

ProbeRequest: TypeAlias = m.ProbeCall | m.ProbeBackward
Serve: TypeAlias = Callable[[ProbeRequest], m.Answer | m.Refuse]


class StudentRaised(Exception):
    """The student's code raised while it answered.

    `frame` is what the worker says about it, `where` the line, `memory_mib` what it was allowed.
    """

    def __init__(self, frame: m.Raised, where: Where | None, memory_mib: int) -> None:
        super().__init__(f"{frame.type}: {frame.text}")
        self.frame, self.where, self.memory_mib = frame, where, memory_mib


class WorkerLost(Exception):
    """The worker did not answer: `verdict` says how it ended, `happened` says so to the student."""

    def __init__(self, verdict: Verdict, happened: str) -> None:
        super().__init__(happened)
        self.verdict: Verdict = verdict
        self.happened = happened


@dataclass(frozen=True)
class Source:
    """What a session loads: the units of a submission, the wanted one last, and the names it should define.

    `given` are the paths of units that the student did not write: no place lies in them.
    """

    units: Sequence[m.Unit]
    wanted: Sequence[str]
    given: frozenset[str] = frozenset()

    def lines(self, path: str, cell: int | None) -> list[str]:
        """The lines of a file or cell as they were handed in; none where the student handed in no such file or cell."""
        units = [] if path in self.given else self.units
        found = (text for unit in units if unit.path == path for number, text in unit.cells if number == cell)
        return io.StringIO(next(found, ""), newline=None).readlines()

    def where(self, path: str, cell: int | None, line: int) -> Where | None:
        """A place that the worker names, with the line that really stands there; None where there is none."""
        lines = self.lines(path, cell)
        return Where.among(lines, path, cell, line) if 0 < line <= len(lines) else None


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
        self._last_words = self._told = Printed()
        self._question = 0
        self._left = 0.0
        self._slow = False
        self.most_mib: int | None = None

    # -- life

    def load(self) -> Any:
        """Start a worker and load the source; returns the worker's claims about it, as plain data.

        Raises:
            WorkerLost: the file hung, crashed or ended the process while it was loaded.
            SandboxError: no worker could be started.
        """
        self._process = self._workers.start(self._limits)
        self._question = 0
        try:
            self._reply(time.monotonic() + START_SECONDS)
        except (Gone, Silence, m.BadFrame):
            self._process.end(0)
            words = self._process.output.take().tail[-500:]
            self._process = None
            raise SandboxError(f"A worker could not be started: {words or 'it ended without a word'}.") from None
        self.take_output()
        self._left = self._limits.load_seconds
        done = self.ask(m.Load(list(self._source.units), list(self._source.wanted)))
        return unpack(done.value, lambda value: value)

    def begin(self, seed: int, dtype: m.Dtype = "float64") -> None:
        """Open a check: fresh state, fresh budget. Starts and loads a new worker if there is none.

        Raises:
            WorkerLost: as `load`.
        """
        if self._process is None:
            self.load()
        self._left = self._limits.again_seconds if self._slow else self._limits.check_seconds
        self.ask(m.Begin(seed, dtype))

    def lines(self, path: str, cell: int | None) -> list[str]:
        """See Source."""
        return self._source.lines(path, cell)

    def take_output(self) -> Printed:
        """What the student's code printed since the last call."""
        words = _joined(self._told, self._fresh_output(), self._limits.output_characters)
        self._told = Printed()
        return words

    def printed(self) -> str:
        """What the student's code printed since the last call of this or of `take_output`, which gives it once more."""
        words = self._fresh_output()
        self._told = _joined(self._told, words, self._limits.output_characters)
        return words.head + words.tail

    def _fresh_output(self) -> Printed:
        if self._process is None:
            words, self._last_words = self._last_words, Printed()
            return words
        self._process.collect()
        return self._process.output.take()

    def close(self) -> None:
        """End the worker; `most_mib` tells how much memory it took, None where that is not known."""
        if self._process is not None:
            self.most_mib = self._process.most_mib()
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
        self._question += 1
        begun, served = time.monotonic(), 0.0
        try:
            process.write(wire.encode(request, self._question), begun + self._left)
            while isinstance(reply := self._reply(begun + self._left + served), m.ProbeCall | m.ProbeBackward):
                started = time.monotonic()
                if started >= begun + self._left + served:  # who floods us never lets us wait, where the clock is read
                    raise Silence
                answer = wire.encode(serve(reply), self._question)
                served = min(served + time.monotonic() - started, SERVED_SECONDS)
                process.write(answer, begun + self._left + served)
        except (Silence, Gone, TooMuch, m.BadFrame) as error:
            raise self._lost(process, error) from None
        self._left = max(0.0, self._left - (time.monotonic() - begun - served))
        if isinstance(reply, m.Raised):
            places = (self._source.where(place.path, place.cell, place.line) for place in reversed(reply.places))
            raise StudentRaised(reply, next(filter(None, places), None), self._limits.memory_mib)
        return reply

    def _reply(self, deadline: float) -> m.Reply:
        """The next frame. Its lengths are looked at before any of it is read; memory is taken for what arrives."""
        assert self._process is not None
        head = self._process.read(wire.HEAD.size, deadline)
        structure, tensors = wire.announced(head, self._question)
        size = structure + tensors
        parts = [self._process.read(min(PART, size - at), deadline) for at in range(0, size, PART)]
        reply: m.Reply = wire.decode("reply", b"".join(parts), structure)
        return reply

    def _lost(self, process: WorkerProcess, error: Exception) -> WorkerLost:
        ending = process.end(FAREWELL_SECONDS if isinstance(error, Gone) else 0)
        self._last_words = process.output.take()
        self._process = None
        if isinstance(error, Silence):
            self._slow = True
            return WorkerLost("timed_out", "Your code was still running when its time was up.")
        if isinstance(error, TooMuch):
            return WorkerLost(error.verdict, error.happened)
        if isinstance(error, m.BadFrame):
            return WorkerLost("crashed", FORGED)
        if ending.signal == SIGKILL and ending.cpu_seconds >= cpu_seconds(self._limits) - 1:
            return WorkerLost("timed_out", f"Your code used {ending.cpu_seconds:.0f} s of processor time.")
        return WorkerLost(*_ended(ending))


def _joined(first: Printed, second: Printed, keep: int) -> Printed:
    """One after the other, as `Output` would have kept both together."""
    if not first.characters or not second.characters:
        return first if first.characters else second
    room = 0 if first.tail else max(0, keep - len(first.head))
    rest = second.head[room:] + second.tail
    return Printed(first.head + second.head[:room], (first.tail + rest)[-keep:], first.characters + second.characters)


# Numbers, since not every system knows every name.
SIGKILL, SIGSYS = 9, 31
SIGNALS = {
    11: "a segmentation fault, as recursion without end can cause one", 6: "an abort", 7: "a bus error",
    8: "an arithmetic fault",
}  # fmt: skip


def _ended(ending: Ending) -> tuple[Verdict, str]:
    if ending.code == m.CHANNEL_CLOSED:
        return "crashed", "Your code closed the connection to the grader."
    if ending.code is not None:
        return "crashed", f"Your code ended its own process (exit code {ending.code})."
    if ending.signal == SIGKILL:
        return "out_of_memory", "The system stopped your code, since the machine ran out of memory."
    if ending.signal == SIGSYS:
        return "crashed", "Your code asked the system for something that no submission may do, and was stopped."
    if ending.signal is not None:
        what = SIGNALS.get(ending.signal, f"signal {ending.signal}")
        return "crashed", f"Your code crashed Python itself ({what})."
    return "crashed", "Your code closed the connection to the grader."
