"""What the worker says beside tensors, in the forms that were agreed on. All of it is claims."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

import msgspec

from grader.sandbox.worker import messages as m

Form = TypeVar("Form")


class Leaf(msgspec.Struct, array_like=True, frozen=True):
    """A parameter at the end of an autograd graph. `name` is None when `parameters()` does not list it."""

    shape: Annotated[tuple[m.Index, ...], msgspec.Meta(max_length=64)]
    name: str | None
    identity: int


class Called(msgspec.Struct, array_like=True, frozen=True):
    """A module call seen inside a forward pass. `name` is None for a module that is not registered."""

    handle: m.Index
    name: str | None
    kind: str
    depth: m.Index
    inputs: m.Index
    input: Any
    result: Any


class Spot(msgspec.Struct, array_like=True, frozen=True):
    """An expression of the student's source: lines count from 1, columns from 0 in bytes of UTF-8."""

    path: str
    cell: m.Index | None
    line: m.Index
    last_line: m.Index
    column: m.Index
    last_column: m.Index


class Operation(msgspec.Struct, array_like=True, frozen=True):
    """A call of torch inside a forward pass: what it was made from, by number, and what came out.

    `tracked` says whether autograd follows the result; `parameter` is a parameter's name; `result` is None for what is
    not of floating point or beyond the bounds. `spots` are the expressions that made the call, outermost and innermost.
    """

    name: str
    inputs: Annotated[tuple[m.Index, ...], msgspec.Meta(max_length=1000)]
    result: Any
    tracked: bool
    parameter: str | None
    spots: Annotated[tuple[Spot, ...], msgspec.Meta(max_length=2)] = ()


def claimed(value: object, form: type[Form]) -> Form:
    """The value in that form.

    Raises:
        BadFrame: it has another form, which a worker that nobody tampered with never sends.
    """
    try:
        return msgspec.convert(value, form)
    except msgspec.ValidationError as error:
        raise m.BadFrame(str(error)) from None
