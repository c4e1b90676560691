"""A session without a worker: the worker's operations are called in the process of the checks. No frames, no clock.

What the two sides share in one process, and would not share in two, is kept apart where a check could see it: torch's
number type, gradient mode and generator, and the modules that a submission brings.
"""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal, NamedTuple, NoReturn
from unittest import mock

import torch

from grader.checks import bench
from grader.errors import SandboxError
from grader.model.confinement import Confinement, layers
from grader.model.limits import Limits
from grader.model.results import Printed
from grader.sandbox.process import Output, Workers
from grader.sandbox.session import Serve, Session, Source, StudentRaised, WorkerLost, no_probes
from grader.sandbox.worker import doors, serving
from grader.sandbox.worker import messages as m
from grader.sandbox.worker.channel import Channel
from grader.sandbox.worker.values import unpack


@contextmanager
def without_isolation() -> Iterator[None]:
    """In the block, checks run on sessions without a worker, and no door is closed: that could not be undone."""
    with mock.patch.object(bench, "Session", DirectSession), mock.patch.object(doors, "close"):
        yield


class NoWorkers(Workers):
    """In the place of workers: there are none."""

    @property
    def confinement(self) -> Confinement:
        """None at all."""
        return Confinement((), dict.fromkeys(layers(), "left out, to measure without"))

    def start(self, limits: Limits) -> NoReturn:
        """Nobody should come to this."""
        raise SandboxError("A worker was asked for where everything runs in one process.")


class Settings(NamedTuple):
    """What torch keeps for a whole process."""

    dtype: torch.dtype
    gradients: bool
    generator: torch.Tensor

    @classmethod
    def now(cls) -> Settings:
        """As they are."""
        return cls(torch.get_default_dtype(), torch.is_grad_enabled(), torch.get_rng_state())

    def put_in_force(self) -> None:
        """Set them."""
        torch.set_default_dtype(self.dtype)
        torch.set_grad_enabled(self.gradients)
        torch.set_rng_state(self.generator)


class DirectChannel(Channel):
    """The worker's end of a wire that is a function call: what it says to a probe is answered at once."""

    def __init__(self) -> None:
        self.serve: Serve = no_probes
        self.judges = Settings.now()
        self._answer: m.Answer | m.Refuse | None = None

    def send(self, message: m.Frame) -> None:
        """Only probes are told anything here; the checks' side of torch holds while they work."""
        assert isinstance(message, m.ProbeCall | m.ProbeBackward)
        students = Settings.now()
        self.judges.put_in_force()
        try:
            with torch._C.DisableTorchFunction():  # whoever records the student's calls must not see ours
                self._answer = self.serve(message)
        finally:
            students.put_in_force()

    def receive(self, kind: Literal["request", "answer"]) -> Any:
        """What the probe answered."""
        return self._answer


class Printing(io.TextIOBase):
    """A stream into what a session keeps of a student's output."""

    def __init__(self, output: Output) -> None:
        self._output = output

    def write(self, text: str) -> int:
        """All of it."""
        self._output.add(text.encode("utf-8", "backslashreplace"))
        return len(text)


class DirectSession(Session):
    """Answers like a session with a worker. For code that neither hangs nor ends its process."""

    def __init__(self, workers: Workers, source: Source, limits: Limits) -> None:
        super().__init__(workers, source, limits)
        self._output = Output(limits.output_characters)
        self._worker: serving.Worker | None = None
        self._replaced: dict[str, Any] = {}

    def load(self) -> Any:
        """The names of the submission, from its source."""
        self._replaced = {unit.module: sys.modules.pop(unit.module, None) for unit in self._source.units}
        self._channel = DirectChannel()
        self._worker = serving.Worker(self._channel)
        self._students = Settings.now()
        done = self.ask(m.Load(list(self._source.units), list(self._source.wanted)))
        return unpack(done.value, lambda value: value)

    def begin(self, seed: int, dtype: m.Dtype = "float64") -> None:
        """Open a check."""
        if self._worker is None:
            self.load()
        self.ask(m.Begin(seed, dtype))

    def ask(self, request: m.Request, serve: Serve = no_probes) -> m.Done:
        """Call the operation that answers the question."""
        if self._worker is None:
            raise WorkerLost("crashed", "Your code had already ended its own process.")
        self._channel.serve = serve
        reply = self._answered(self._worker, request)
        if isinstance(reply, m.Raised):
            places = (self._source.where(place.path, place.cell, place.line) for place in reversed(reply.places))
            raise StudentRaised(reply, next(filter(None, places), None), self._limits.memory_mib)
        return reply

    def _answered(self, worker: serving.Worker, request: m.Request) -> m.Done | m.Raised:
        self._channel.judges = Settings.now()
        self._students.put_in_force()
        printing: Any = Printing(self._output)
        try:
            with contextlib.redirect_stdout(printing), contextlib.redirect_stderr(printing):
                done: m.Done = getattr(worker, type(request).__name__.lower())(request)
                return done
        except BaseException as error:  # `sys.exit` too, as in a worker
            return worker.raised(error)
        finally:
            self._students = Settings.now()
            self._channel.judges.put_in_force()

    def _fresh_output(self) -> Printed:
        return self._output.take()

    def close(self) -> None:
        """Take the submission's modules out again, and put back what had their names."""
        if self._worker is None:
            return
        loader, self._worker = self._worker.loader, None
        if loader in sys.meta_path:
            sys.meta_path.remove(loader)
        for name in (*loader.absent, *self._replaced):
            sys.modules.pop(name, None)
        sys.modules.update({name: module for name, module in self._replaced.items() if module is not None})
