"""Probes: callables that live with the grader and are handed to student code as sublayers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

from grader.sandbox.session import ProbeRequest
from grader.sandbox.worker import messages as m


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
    """Serves the probes of one check while the worker runs."""

    def __init__(self) -> None:
        self._probes: list[Probe] = []
        self._graphs: list[tuple[torch.Tensor, torch.Tensor]] = []
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
            given, returned = self._graphs[request.call]
            cotangent = m.unpack_tensor(request.cotangent).to(returned.dtype)
            with torch.enable_grad():  # this may run inside a backward pass, where recording is off
                product = (returned * cotangent).sum()
            (gradient,) = torch.autograd.grad(product, given, retain_graph=True, allow_unused=True)
            gradient = torch.zeros_like(given) if gradient is None else gradient
            return m.Answer(m.Items("list", [m.pack_tensor(gradient)]))
        except (RuntimeError, TypeError, ValueError, IndexError) as error:
            return m.Refuse(f"the sublayer cannot take this: {str(error)[:300]}")

    def _call(self, probe: Probe, request: m.ProbeCall) -> m.Answer | m.Refuse:
        args = [m.unpack(value, _plain) for value in request.args]
        kwargs = {key: m.unpack(value, _plain) for key, value in request.kwargs.items()}
        if not args or not isinstance(args[0], torch.Tensor):
            return m.Refuse("the sublayer takes a tensor as its first argument")
        dtype = args[0].dtype
        given = args[0].to(torch.float64).requires_grad_()
        with torch.enable_grad():
            returned = probe.function(given, **kwargs)
        if self.recording:
            probe.calls.append(ProbeCalled(given.detach(), returned.detach(), kwargs, len(args)))
        self._graphs.append((given, returned))
        return m.Answer(m.pack_tensor(returned.detach().to(dtype)), len(self._graphs) - 1)


def _plain(value: m.Value) -> Any:
    return m.unpack_tensor(value) if isinstance(value, m.TensorData) else value
