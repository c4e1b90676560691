"""Probes: callables that live with the grader and are handed to student code as sublayers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

from grader.sandbox.session import ProbeRequest
from grader.sandbox.worker import messages as m
from grader.sandbox.worker.values import pack_tensor, unpack_tensor

MAX_CALLS = 1000  # in one check
MAX_NUMBERS = 2 << 20  # in all that the probes of one check are given


@dataclass(frozen=True)
class ProbeCalled:
    """One call: what the student's code passed, and what it got back."""

    input: torch.Tensor
    output: torch.Tensor
    kwargs: dict[str, Any]
    positional: int


class Probe:
    """`function` maps a tensor (and any keyword arguments) to a tensor; `calls` are the calls of forward passes.

    The student's code sees a module; gradients flow through it in both directions.
    """

    def __init__(self, function: Callable[..., torch.Tensor]) -> None:
        self.function = function
        self.calls: list[ProbeCalled] = []


class ProbeDesk:
    """Serves the probes of one check while the worker runs.

    What it is given and what it returned is kept for the check and for gradients, so there is a bound on both.
    """

    def __init__(self) -> None:
        self._probes: list[Probe] = []
        self._graphs: list[tuple[torch.Tensor, torch.Tensor]] = []
        self._room = MAX_NUMBERS
        self.recording = True

    def number(self, probe: Probe) -> int:
        """The number under which the worker knows it."""
        if probe not in self._probes:
            self._probes.append(probe)
        return self._probes.index(probe)

    def serve(self, request: ProbeRequest) -> m.Answer | m.Refuse:
        """Run a probe, or its gradient. What does not fit is refused in words, never an error of ours."""
        try:
            if isinstance(request, m.ProbeCall):
                return self._call(self._probes[request.probe], request)
            return self._gradient(*self._graphs[request.call], unpack_tensor(request.cotangent))
        except (RuntimeError, TypeError, ValueError, IndexError, ArithmeticError) as error:
            return m.Refuse(f"the sublayer cannot take this: {str(error)[:300]}")

    def _call(self, probe: Probe, request: m.ProbeCall) -> m.Answer | m.Refuse:
        if len(self._graphs) >= MAX_CALLS:
            return m.Refuse(f"the sublayer was called {MAX_CALLS:,} times")
        if not request.args or not isinstance(request.args[0], m.TensorData):
            return m.Refuse("the sublayer takes a tensor as its first argument")
        if not all(isinstance(value, int | float | None) for value in request.kwargs.values()):
            return m.Refuse("the sublayer cannot take this: its keyword arguments are numbers")
        self._room -= request.args[0].numbers
        if self._room < 0:
            numbers = request.args[0].numbers
            return m.Refuse(f"the sublayer cannot take this: {numbers:,} numbers in call {len(self._graphs) + 1:,}")
        return self._run(probe, unpack_tensor(request.args[0]), request)

    def _run(self, probe: Probe, tensor: torch.Tensor, request: m.ProbeCall) -> m.Answer:
        given = tensor.to(torch.float64).requires_grad_()
        with torch.enable_grad():
            returned = probe.function(given, **request.kwargs)
        answer = pack_tensor(returned.detach().to(tensor.dtype))
        if self.recording:
            called = ProbeCalled(given.detach(), returned.detach(), request.kwargs, len(request.args))
            probe.calls.append(called)
        self._graphs.append((given, returned))
        return m.Answer(answer, len(self._graphs) - 1)

    def _gradient(self, given: torch.Tensor, returned: torch.Tensor, cotangent: torch.Tensor) -> m.Answer | m.Refuse:
        if cotangent.shape != returned.shape:
            return m.Refuse("the sublayer cannot take this: a gradient of another shape than its result")
        with torch.enable_grad():  # this may run inside a backward pass, where recording is off
            product = (returned * cotangent.to(returned.dtype)).sum()
        (gradient,) = torch.autograd.grad(product, given, retain_graph=True, allow_unused=True)
        gradient = torch.zeros_like(given) if gradient is None else gradient
        return m.Answer(m.Items("list", [pack_tensor(gradient)]))
