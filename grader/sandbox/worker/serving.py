"""The loop of a worker: answers requests until the channel closes. Everything from `Load` on runs untrusted code."""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any, NoReturn

import torch
from torch import nn

from . import doors, stand_ins
from . import messages as m
from . import values as v
from .channel import Channel, JudgeGone
from .loading import Loader, Note, describe
from .operations import Recorder, Spots
from .probing import ProbeModule
from .removal import Removed
from .tracing import graph_leaves, recording
from .training import learned


class Worker:
    """The state between requests: the loaded module, the objects built from it, and the calls made on them."""

    def __init__(self, channel: Channel) -> None:
        self.channel = channel
        self.loader = Loader([])
        self.names: dict[str, Any] = {}
        self.objects: list[Any] = []
        self.probes: dict[int, ProbeModule] = {}
        self.calls: list[tuple[list[torch.Tensor], Any]] = []

    # -- the loop

    def serve(self) -> NoReturn:
        """Answer until the judge closes the channel; then end the process at once."""
        while True:
            try:
                request: m.Request = self.channel.receive("request")
            except JudgeGone:
                os._exit(0)
            try:
                self.channel.send(getattr(self, type(request).__name__.lower())(request))
            except JudgeGone:
                os._exit(0)
            except BaseException as error:
                self.channel.send(self.raised(error))

    def raised(self, error: BaseException) -> m.Raised:
        """An exception as a frame: type, text, and the student's own lines."""
        name, _, text = describe(error).partition(": ")
        memory = isinstance(error, MemoryError) or "can't allocate memory" in text or "std::bad_alloc" in text
        text = doors.refusal(error) or text
        return m.Raised(name, text, self.loader.places(error), memory)

    # -- values

    def pack(self, value: object) -> m.Value:
        """A value for the wire; modules and other callables become references."""
        return v.pack(value, self._reference)

    def _reference(self, value: object) -> m.Value | None:
        if isinstance(value, nn.Module):
            return m.Reference(self._keep(value))
        return None

    def _keep(self, value: object) -> int:
        for handle, known in enumerate(self.objects):
            if known is value:
                return handle
        self.objects.append(value)
        return len(self.objects) - 1

    def unpack(self, value: m.Value, leaves: list[torch.Tensor] | None = None) -> Any:
        """A value from the wire. Tensors that take part in a gradient are added to `leaves` and passed as copies.

        The student's code gets a non-leaf, so that a change in place is seen rather than refused by autograd.
        """

        def resolve(found: m.Value) -> Any:
            if isinstance(found, m.TensorData):
                tensor = v.unpack_tensor(found)
                if not found.graph or leaves is None:
                    return tensor
                leaves.append(tensor.requires_grad_())
                return tensor.clone()
            if isinstance(found, m.Reference):
                return self.objects[found.handle]
            if isinstance(found, m.ProbeReference):
                return self._probe(found.probe)
            raise TypeError(f"{type(found).__name__} cannot be passed to the student's code")

        return v.unpack(value, resolve)

    # -- probes

    def _probe(self, probe: int) -> ProbeModule:
        if probe not in self.probes:
            self.probes[probe] = ProbeModule(probe, self.ask_probe, self.ask_probe_backward)
        return self.probes[probe]

    def _answer(self) -> m.Answer:
        answer: m.Answer | m.Refuse = self.channel.receive("answer")
        if isinstance(answer, m.Refuse):
            raise RuntimeError(answer.text)
        return answer

    def ask_probe(self, probe: int, args: list[Any], kwargs: dict[str, Any]) -> tuple[Any, int]:
        """Let the judge run a probe."""
        packed = {key: self.pack(value) for key, value in kwargs.items()}
        self.channel.send(m.ProbeCall(probe, [self.pack(value) for value in args], packed))
        answer = self._answer()
        return self.unpack(answer.value), answer.call

    def ask_probe_backward(self, call: int, cotangent: torch.Tensor) -> list[Any]:
        """Let the judge send a gradient through a probe's call."""
        self.channel.send(m.ProbeBackward(call, v.pack_tensor(cotangent)))
        gradients = self.unpack(self._answer().value)
        return list(gradients)

    # -- requests

    def load(self, request: m.Load) -> m.Done:
        """Run the source; the reply says what is defined, what happened, and where things stand."""
        torch.set_default_dtype(torch.float64)
        doors.close()
        stand_ins.put_in_place()
        self.loader = Loader(request.units)
        sys.meta_path.append(self.loader)
        loaded = self.loader.load(request.units[-1], request.wanted)
        self.names = loaded.module.__dict__
        return m.Done(self.pack(self._describe(request.wanted, loaded.notes)))

    def _describe(self, wanted: list[str], notes: list[Note]) -> dict[str, Any]:
        classes = {name: value for name, value in self.names.items() if issubclass(type(value), type)}
        asked = {name: classes[name] for name in wanted if name in classes}
        return {
            "classes": [name for name, cls in classes.items() if cls.__module__ == self.names["__name__"]][:200],
            "modules": [name for name, cls in asked.items() if issubclass(cls, nn.Module)],
            "present": [name for name in wanted if name in self.names],
            "forward": {name: self.loader.place_of(getattr(cls, "forward", None)) for name, cls in asked.items()},
            "notes": [note.as_value() for note in notes[:100]],
        }

    def begin(self, request: m.Begin) -> m.Done:
        """A clean slate for the next check, as far as one process can give it."""
        self.objects, self.probes, self.calls = [], {}, []
        torch.set_grad_enabled(True)
        torch.set_default_dtype(v.DTYPES[request.dtype])
        torch.default_generator.manual_seed(request.seed)  # torch.manual_seed looks for graphics cards each time
        random.seed(request.seed)
        return m.Done(None)

    def build(self, request: m.Build) -> m.Done:
        """Make an object from a name of the student's module, or from `torch.nn`."""
        prefix, _, rest = request.name.rpartition(".")
        make = getattr(nn, rest) if prefix == "torch.nn" else self.names[request.name]
        args = [self.unpack(value) for value in request.args]
        kwargs = {key: self.unpack(value) for key, value in request.kwargs.items()}
        with _no_weights_drawn() if request.blank else nullcontext():
            made = make(*args, **kwargs)
        if isinstance(made, nn.Module) or callable(made):
            return m.Done(m.Reference(self._keep(made)))
        return m.Done(self.pack(made))

    def call(self, request: m.Call) -> m.Done:
        """Call an object; keep what is needed for a gradient later."""
        leaves: list[torch.Tensor] = []
        args = [self.unpack(value, leaves) for value in request.args]
        kwargs = {key: self.unpack(value, leaves) for key, value in request.kwargs.items()}
        value = self.objects[request.target.handle](*args, **kwargs)
        self.calls.append((leaves, value))
        after = [v.pack_tensor(given) for given in (*args, *kwargs.values()) if isinstance(given, torch.Tensor)]
        return m.Done(self.pack(value), after, len(self.calls) - 1)

    def backward(self, request: m.Backward) -> m.Done:
        """`.grad` of parameters is set as `loss.backward()` would; the gradients of the arguments are returned."""
        leaves, value = self.calls[request.call]
        for leaf in (*leaves, *graph_leaves(value)):
            leaf.grad = None
        # A sum of products has the same gradient; `backward(cotangent)` would import sympy first (half a second).
        (value * v.unpack_tensor(request.cotangent)).sum().backward(retain_graph=True)
        return m.Done(self.pack([leaf.grad for leaf in leaves]))

    def mode(self, request: m.Mode) -> m.Done:
        """Training or evaluation."""
        self.objects[request.target.handle].train(request.training)
        return m.Done(None)

    def parameters(self, request: m.Parameters) -> m.Done:
        """Name to value, or to gradient."""
        named = self.objects[request.target.handle].named_parameters()
        return m.Done(self.pack({name: p.grad if request.gradients else p.detach() for name, p in named}))

    def assign(self, request: m.Assign) -> m.Done:
        """Overwrite parameters in place."""
        named = dict(self.objects[request.target.handle].named_parameters())
        with torch.no_grad():
            for name, data in request.values.items():
                named[name].copy_(v.unpack_tensor(data))
        return m.Done(None)

    def leaves(self, request: m.Leaves) -> m.Done:
        """[shape, name or None, identity] for each leaf of the graph that is not an argument."""
        given, value = self.calls[request.call]
        names = {id(p): name for name, p in self.objects[request.target.handle].named_parameters()}
        found = [leaf for leaf in graph_leaves(value) if not any(leaf is one for one in given)]
        return m.Done(self.pack([[list(leaf.shape), names.get(id(leaf)), id(leaf)] for leaf in found[:500]]))

    def trace(self, request: m.Trace) -> m.Done:
        """Call an object and list the module calls inside it."""
        target = self.objects[request.target.handle]
        args = [self.unpack(value) for value in request.args]
        names = {id(module): name for name, module in target.named_modules()} if isinstance(target, nn.Module) else {}
        with recording() as events, torch.no_grad():
            value = target(*args)
        calls = [
            [self._keep(e.module), names.get(id(e.module)), type(e.module).__name__[:80], e.depth, e.inputs,
             e.first, e.result]
            for e in events if e.module is not target
        ]  # fmt: skip
        return m.Done(self.pack([value, calls]))

    def operations(self, request: m.Operations) -> m.Done:
        """Call an object and list the fields of `Operation` for each operation; the result's number."""
        target = self.objects[request.target.handle]
        args = [self.unpack(value) for value in request.args]
        args = [arg.requires_grad_() * 1.0 if v.is_tensor(arg) and arg.is_floating_point() else arg for arg in args]
        names = {id(p): name for name, p in target.named_parameters()} if isinstance(target, nn.Module) else {}
        spots = Spots(self.loader.origins) if request.spots else tuple
        with Recorder([arg for arg in args if v.is_tensor(arg)], names, spots) as recorder:
            value = target(*args)
        number = recorder.number(value) if v.is_tensor(value) else None
        listed = [[o.name, o.inputs, o.result, o.tracked, o.parameter, o.spots] for o in recorder.operations]
        return m.Done(self.pack([number, listed]))

    def remove(self, request: m.Remove) -> m.Done:
        """The object with its residuals removed, in the mode that it is in."""
        target = self.objects[request.target.handle]
        return m.Done(m.Reference(self._keep(Removed(target, request.sums).train(target.training))))

    def train(self, request: m.Train) -> m.Done:
        """The share that is repeated right, each time it was looked."""
        blocks = [self.objects[block.handle].train() for block in request.blocks]
        return m.Done(self.pack(learned(blocks, request.task, request.seed)))

    def peak(self, request: m.Peak) -> m.Done:
        """In MiB; None where the system does not say."""
        try:
            import resource
        except ImportError:
            return m.Done(None)
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return m.Done(most >> (20 if sys.platform == "darwin" else 10))

    def defines(self, request: m.Defines) -> m.Done:
        """Whether the student's module has such a name, and it can be called."""
        return m.Done(callable(self.names.get(request.name)))

    def state(self, request: m.State) -> m.Done:
        """What a student's code may have changed for everybody."""
        dtype = str(torch.get_default_dtype()).removeprefix("torch.")
        return m.Done(self.pack({"seed": torch.initial_seed(), "dtype": dtype, "grad": torch.is_grad_enabled()}))


def serve(reading: int, writing: int) -> NoReturn:
    """Be a worker on these descriptors; says `Done` once to show that it is ready, and never returns."""
    channel = Channel(reading, writing)
    channel.send(m.Done(None))
    Worker(channel).serve()


@contextmanager
def _no_weights_drawn() -> Iterator[None]:
    """Torch's layers of large weights leave these as they are."""
    drawing = [(nn.Linear, "reset_parameters"), (nn.MultiheadAttention, "_reset_parameters")]
    originals = [(cls, name, cls.__dict__[name]) for cls, name in drawing]
    for cls, name in drawing:
        setattr(cls, name, lambda self: None)
    try:
        yield
    finally:
        for cls, name, original in originals:
            setattr(cls, name, original)
