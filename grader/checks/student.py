"""What a check holds of a submission: `student.ResidualAdd(...)` builds in the worker, the handle calls over there.

Every value that comes back is plain data made by us from bytes; see `grader.sandbox.worker` for the protocol.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec
import torch

from grader.checks.claims import Called, Leaf, Operation, claimed
from grader.checks.expect import described, fail
from grader.checks.probe import Probe, ProbeDesk
from grader.model.results import Formula
from grader.sandbox.session import Session
from grader.sandbox.worker import messages as m
from grader.sandbox.worker.values import pack, pack_tensor, unpack, unpack_tensor

Found = TypeVar("Found")


@dataclass(frozen=True)
class Reply:
    """One call: the value, the tensor arguments as they were afterwards, and whether a gradient can flow."""

    value: Any
    after: list[torch.Tensor]
    number: int
    graph: bool


@dataclass(frozen=True)
class Gradient:
    """A forward and a backward pass: output, gradient of the first argument, gradients of the parameters by name."""

    output: torch.Tensor
    input: torch.Tensor | None
    parameters: dict[str, torch.Tensor | None]


@dataclass(frozen=True)
class ModuleCall:
    """One module call seen inside a forward pass; see Called."""

    module: Remote
    name: str | None
    kind: str
    depth: int
    inputs: int
    input: Any
    result: Any


class Student:
    """The submission under check. Attributes are the names that it defines; calling one builds an object over there.

    `classes` are the names, beside `torch.nn.X`, that must give an object when they are called; `kept` is what `once`
    found before.
    """

    def __init__(
        self, session: Session, desk: ProbeDesk, classes: Collection[str] = (), kept: dict[str, Any] | None = None
    ) -> None:
        self._session, self._desk, self._classes = session, desk, classes
        self._kept = kept if kept is not None else {}
        self.remarks: list[str] = []
        self.evidence: dict[str, Any] = {}
        self.formula: Formula | None = None
        self.number_type: m.Dtype = "float64"

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *args, **kwargs: self.build(name, *args, **kwargs)

    def build(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """Build from a name of the submission, or from `torch.nn.X`. Objects come back as `Remote`, data as data."""
        return self._build(name, args, kwargs)

    def blank(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """`build`, but linear layers draw no weights and hold any numbers: for shapes of a large module."""
        return self._build(name, args, kwargs, blank=True)

    def _build(self, name: str, args: Sequence[Any], kwargs: dict[str, Any], *, blank: bool = False) -> Any:
        packed = {key: self._pack(value) for key, value in kwargs.items()}
        done = self.ask(m.Build(name, [self._pack(value) for value in args], packed, blank))
        made = self._unpack(done.value)
        if not isinstance(made, Remote) and (name in self._classes or name.startswith("torch.nn.")):
            fail(f"Building `{name}` gave {described(made)}.", expected=f"A module of the class `{name}`.",
                 tag="not-a-module")  # fmt: skip
        return made

    def begin(self, seed: int, dtype: m.Dtype = "float64") -> None:
        """Start over in this worker: objects forgotten, generators seeded, default dtype set."""
        self.number_type = dtype
        self._session.begin(seed, dtype)

    def state(self) -> dict[str, Any]:
        """The global state of torch over there: seed, dtype, grad."""
        return claimed(self._unpack(self.ask(m.State()).value), dict[str, bool | int | str])

    def once(self, name: str, find: Callable[[], Found]) -> Found:
        """What `find` returned the first time that a check of this submission asked for `name`.

        For what is found at some cost and read by several checks. It may hold tensors, formulas, names; an object in
        the worker does not outlive its check. Where `find` fails a check, the next one asks again.
        """
        if name not in self._kept:
            self._kept[name] = find()
        found: Found = self._kept[name]
        return found

    def defines(self, name: str) -> bool:
        """Whether the submission has a function or class of that name."""
        return claimed(self.ask(m.Defines(name)).value, bool)

    def printed(self) -> str:
        """What the submission printed since the last call, or since the check began; records keep it all the same."""
        return self._session.printed()

    def source(self, path: str, cell: int | None) -> list[str]:
        """The lines of a file or code cell as they were handed in; none where the student wrote no such file."""
        return self._session.lines(path, cell)

    def remark(self, sentence: str) -> None:
        """A sentence for the page that costs no points."""
        if sentence not in self.remarks:
            self.remarks.append(sentence)

    def computes(self, formula: Formula) -> None:
        """The formula that was found where it is the one asked for: the page says so beside another check's failure."""
        self.formula = formula

    def show(self, **evidence: Any) -> None:
        """Evidence for the page of a visible check: inputs, numbers, table, gradients."""
        self.evidence.update(evidence)

    # -- for Remote

    def ask(self, request: m.Request) -> m.Done:
        """Put a question; probe calls are recorded unless it is a backward pass."""
        self._desk.recording = not isinstance(request, m.Backward)
        return self._session.ask(request, self._desk.serve)

    def _pack(self, value: Any) -> m.Value:
        return pack(value, self._reference)

    def _reference(self, value: Any) -> m.Value | None:
        if isinstance(value, Probe):
            return m.ProbeReference(self._desk.number(value))
        return m.Reference(value.handle) if isinstance(value, Remote) else None

    def _unpack(self, value: m.Value) -> Any:
        return unpack(value, self._resolve)

    def _resolve(self, value: m.Value) -> Any:
        if isinstance(value, m.TensorData):
            return unpack_tensor(value)
        return Remote(self, value.handle) if isinstance(value, m.Reference) else value


class Remote:
    """An object in the worker, most often a module. Calling it runs its forward pass over there."""

    def __init__(self, student: Student, handle: int) -> None:
        self.student, self.handle = student, handle

    @property
    def _target(self) -> m.Reference:
        return m.Reference(self.handle)

    def __call__(self, *args: Any, **kwargs: Any) -> torch.Tensor:
        """The tensor that it returns, part of the autograd graph on this side. Anything else fails the check."""
        reply = self.call(*args, **kwargs)
        if not isinstance(reply.value, torch.Tensor):
            fail(f"Your forward returned {described(reply.value)}.", expected="One tensor.", tag="wrong-return")
        if not reply.value.is_floating_point():
            what = "truth values" if reply.value.dtype is torch.bool else "whole numbers"
            fail(f"Your forward returned a tensor of {what}.", expected="The number type of the input.",
                 tag="wrong-dtype-device")  # fmt: skip
        _expect_finite(reply.value, args)
        inputs = [t for t in (*args, *kwargs.values()) if isinstance(t, torch.Tensor) and t.requires_grad]
        if not inputs:
            return reply.value
        joined: torch.Tensor = _Connected.apply(self, reply, reply.value, *inputs)  # type: ignore[no-untyped-call]
        return joined  # `apply` carries no annotations in torch

    def call(self, *args: Any, **kwargs: Any) -> Reply:
        """Like calling it, with everything that came back, whatever it is."""
        packed = {key: self.student._pack(value) for key, value in kwargs.items()}
        done = self.student.ask(m.Call(self._target, [self.student._pack(value) for value in args], packed))
        after = [unpack_tensor(data) for data in done.after]
        if len(after) != sum(isinstance(value, torch.Tensor) for value in (*args, *kwargs.values())):
            raise m.BadFrame(f"{len(after)} tensors as they were afterwards")
        graph = isinstance(done.value, m.TensorData) and done.value.graph
        return Reply(self.student._unpack(done.value), after, done.call, graph)

    def gradient(self, x: torch.Tensor, cotangent: torch.Tensor) -> Gradient:
        """Forward on `x`, then backward with `cotangent`. Fails the check where no gradient can flow at all."""
        leaf = x.detach().clone().requires_grad_()
        output = self(leaf)
        if output.shape != cotangent.shape:
            fail(
                f"Your forward returned {described(output)}.",
                expected=f"The shape {tuple(x.shape)}.",
                tag="wrong-return",
            )
        (output * cotangent).sum().backward()  # `backward(cotangent)` would import sympy first (half a second)
        return Gradient(output.detach(), leaf.grad, self._parameters(gradients=True))

    def eval(self) -> Remote:
        """Evaluation mode; returns itself."""
        self.student.ask(m.Mode(self._target, False))
        return self

    def train(self) -> Remote:
        """Training mode; returns itself."""
        self.student.ask(m.Mode(self._target, True))
        return self

    def parameters(self) -> dict[str, torch.Tensor]:
        """`named_parameters()`, as copies."""
        return {name: value for name, value in self._parameters(gradients=False).items() if value is not None}

    def gradients(self) -> dict[str, torch.Tensor | None]:
        """`.grad` of each parameter after the last backward pass, None where there is none."""
        return self._parameters(gradients=True)

    def _parameters(self, *, gradients: bool) -> dict[str, torch.Tensor | None]:
        table = self.student._unpack(self.student.ask(m.Parameters(self._target, gradients)).value)
        if not isinstance(table, dict):
            fail("Your module does not list its parameters.", expected="An nn.Module.", tag="not-a-module")
        return {name: _numbers(v) if isinstance(v, torch.Tensor) else None for name, v in table.items()}

    def assign(self, values: dict[str, torch.Tensor]) -> None:
        """Overwrite parameters over there."""
        self.student.ask(m.Assign(self._target, {name: pack_tensor(v.detach()) for name, v in values.items()}))

    def leaves(self, reply: Reply) -> list[Leaf]:
        """Each parameter that the result of an earlier call depends on."""
        done = self.student.ask(m.Leaves(reply.number, self._target))
        return claimed(self.student._unpack(done.value), list[Leaf])

    def operations(self, *args: Any, spots: bool = False) -> tuple[int | None, list[Operation]]:
        """Every call of torch inside a call, in order, and the number of the one that gave the result."""
        done = self.student.ask(m.Operations(self._target, [self.student._pack(value) for value in args], spots))
        number, listed = claimed(self.student._unpack(done.value), tuple[int | None, list[Operation]])
        earlier = all(max(one.inputs, default=-1) < at for at, one in enumerate(listed))
        if not earlier or not (number is None or 0 <= number < len(listed)):
            raise m.BadFrame("operations that are made of later ones")
        return number, listed

    def trace(self, *args: Any) -> tuple[Any, list[ModuleCall]]:
        """The value of a call, and every module call inside it in the order in which they began."""
        done = self.student.ask(m.Trace(self._target, [self.student._pack(value) for value in args]))
        value, calls = claimed(self.student._unpack(done.value), tuple[Any, list[Called]])
        told = [msgspec.structs.astuple(call) for call in calls]
        return value, [ModuleCall(Remote(self.student, handle), *rest) for handle, *rest in told]


def _numbers(value: torch.Tensor) -> torch.Tensor:
    """A parameter, or what claims to be one, to reckon with."""
    return value if value.is_floating_point() else value.double()


def _expect_finite(value: torch.Tensor, args: tuple[Any, ...]) -> None:
    """Finite inputs give finite results. Where all features of a token are equal, the check says what NaN means."""
    inputs = [arg for arg in args if isinstance(arg, torch.Tensor) and arg.dim()]
    ordinary = all(bool(torch.isfinite(x).all()) and bool((x != x[..., :1]).any(-1).all()) for x in inputs)
    if ordinary and not bool(torch.isfinite(value).all()):
        what = "NaN" if bool(torch.isnan(value).any()) else "infinite numbers"
        fail(f"Your block returned {what}.", expected="Finite numbers for a finite input.", tag="not-finite")


class _Connected(torch.autograd.Function):
    """Joins the graph on this side with the one in the worker."""

    @staticmethod
    def forward(ctx: Any, remote: Remote, reply: Reply, value: torch.Tensor, *inputs: torch.Tensor) -> torch.Tensor:
        ctx.remote, ctx.reply, ctx.inputs = remote, reply, inputs
        return value.view_as(value)

    @staticmethod
    def backward(ctx: Any, *cotangents: torch.Tensor) -> Any:
        if not ctx.reply.graph:
            fail(
                "No gradient can flow back through your block.",
                expected="A result that autograd can follow: no `.detach()`, `.data` or `no_grad` on the way.",
                tag="broken-gradient",
            )
        student = ctx.remote.student
        done = student.ask(m.Backward(ctx.reply.number, pack_tensor(cotangents[0])))
        gradients = claimed(student._unpack(done.value), list[torch.Tensor | None])
        pairs = list(zip(gradients, ctx.inputs, strict=False))
        if len(gradients) != len(ctx.inputs) or any(g is not None and g.shape != x.shape for g, x in pairs):
            raise m.BadFrame("gradients that do not fit the inputs")
        return (None, None, None, *(g if g is None else g.to(x.dtype) for g, x in pairs))
