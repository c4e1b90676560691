"""The frames between judge and worker, and how Python values become frames. Both ends use this file."""

from __future__ import annotations

import ctypes
import math
import struct
from collections.abc import Callable
from typing import Annotated, Any, Literal

import msgspec
import torch

HEAD = struct.Struct("<I")
MAX_DIMENSIONS = 8
MAX_TEXT = 2000
MAX_TENSOR = 32 << 20  # bytes; a frame may hold two of them
CHANNEL_CLOSED = 71  # the exit code of a worker whose channel was closed under it

Dtype = Literal["float64", "float32", "float16", "bfloat16", "int64", "int32", "int16", "int8", "uint8", "bool"]
DTYPES: dict[Dtype, torch.dtype] = {
    "float64": torch.float64, "float32": torch.float32, "float16": torch.float16, "bfloat16": torch.bfloat16,
    "int64": torch.int64, "int32": torch.int32, "int16": torch.int16, "int8": torch.int8, "uint8": torch.uint8,
    "bool": torch.bool,
}  # fmt: skip
NAMES = {dtype: name for name, dtype in DTYPES.items()}

Text = Annotated[str, msgspec.Meta(max_length=4 * MAX_TEXT)]
Name = Annotated[str, msgspec.Meta(max_length=400)]
Size = Annotated[int, msgspec.Meta(ge=0, le=2**40)]
Index = Annotated[int, msgspec.Meta(ge=0, le=2**31)]


class BadFrame(ValueError):
    """What arrived is not a frame of this protocol."""


class Frame(msgspec.Struct, array_like=True, tag_field="frame", forbid_unknown_fields=True):
    """Base of everything that travels; subclasses are told apart by their tag."""


# ---------------------------------------------------------------- values


class TensorData(Frame, tag="tensor"):
    """A tensor. `graph`: it takes part in a gradient. `transposed`: lay it out with the last two axes swapped."""

    dtype: Dtype
    shape: Annotated[tuple[Size, ...], msgspec.Meta(max_length=MAX_DIMENSIONS)]
    data: bytes
    graph: bool = False
    transposed: bool = False


class Items(Frame, tag="items"):
    """A list or a tuple."""

    kind: Literal["list", "tuple"]
    items: list[Value]


class Table(Frame, tag="table"):
    """A dictionary with text keys."""

    items: dict[Name, Value]


class Reference(Frame, tag="object"):
    """An object that lives in the worker."""

    handle: Index


class ProbeReference(Frame, tag="probe"):
    """A callable that lives with the judge."""

    probe: Index


class Opaque(Frame, tag="opaque"):
    """Something that cannot travel: its type's name and a short text."""

    type: Name
    text: Text


Value = None | bool | int | float | str | TensorData | Items | Table | Reference | ProbeReference | Opaque


# ---------------------------------------------------------------- what the judge asks


class Unit(Frame, tag="unit"):
    """One module of source. `cells` are (code cell number or None, source); a notebook runs definitions first."""

    module: str
    path: str
    notebook: bool
    cells: list[tuple[int | None, str]]


class Load(Frame, tag="load"):
    """Load the last unit; the earlier ones can be imported from it by name. `wanted` are names it should define."""

    units: list[Unit]
    wanted: list[str]


class Begin(Frame, tag="begin"):
    """A new check starts: forget all objects, seed the generators, set the default dtype."""

    seed: int
    dtype: Dtype


class Build(Frame, tag="build"):
    """Call a name of the loaded module, or `torch.nn.X`, and keep the object."""

    name: str
    args: list[Value]
    kwargs: dict[str, Value]


class Call(Frame, tag="call"):
    """Call an object. The reply holds the value and the tensor arguments as they are afterwards."""

    target: Reference
    args: list[Value]
    kwargs: dict[str, Value]


class Backward(Frame, tag="backward"):
    """Send a cotangent through an earlier call: fills `.grad` of parameters, returns the arguments' gradients."""

    call: int
    cotangent: TensorData


class Mode(Frame, tag="mode"):
    """`train(training)` on an object."""

    target: Reference
    training: bool


class Parameters(Frame, tag="parameters"):
    """`named_parameters()` as values, or as gradients (None where there is none)."""

    target: Reference
    gradients: bool


class Assign(Frame, tag="assign"):
    """Overwrite parameters by name."""

    target: Reference
    values: dict[str, TensorData]


class Leaves(Frame, tag="leaves"):
    """The leaves of an earlier call's autograd graph beside the parameters of `target`."""

    call: int
    target: Reference


class Trace(Frame, tag="trace"):
    """Call an object and list every module call inside it."""

    target: Reference
    args: list[Value]


class State(Frame, tag="state"):
    """The global state of torch: seed, default dtype, gradient mode."""


Request = Load | Begin | Build | Call | Backward | Mode | Parameters | Assign | Leaves | Trace | State


# ---------------------------------------------------------------- what the worker answers


class Place(Frame, tag="place"):
    """A line of the student's source."""

    path: Name
    cell: int | None
    line: Index
    function: Name
    code: Name


class Done(Frame, tag="done"):
    """The answer to a request."""

    value: Value
    after: list[TensorData] = []
    call: Index = 0


class Raised(Frame, tag="raised"):
    """The student's code raised. `places` are its own lines, outermost first; none when the call itself did not fit."""

    type: Name
    text: Text
    places: Annotated[list[Place], msgspec.Meta(max_length=50)]
    memory: bool = False


class ProbeCall(Frame, tag="probe-call"):
    """The student's code calls a probe."""

    probe: Index
    args: list[Value]
    kwargs: dict[Name, Value]


class ProbeBackward(Frame, tag="probe-backward"):
    """A gradient arrives at what a probe returned."""

    call: Index
    cotangent: TensorData


Reply = Done | Raised | ProbeCall | ProbeBackward


class Answer(Frame, tag="answer"):
    """What a probe returned, and the number by which its gradient can be asked for."""

    value: Value
    call: int = 0


class Refuse(Frame, tag="refuse"):
    """A probe could not take what it was given; raised in the student's code as RuntimeError."""

    text: str


_encoder = msgspec.msgpack.Encoder()
_decoders: dict[str, msgspec.msgpack.Decoder[Any]] = {
    "request": msgspec.msgpack.Decoder(Request),
    "reply": msgspec.msgpack.Decoder(Reply),
    "answer": msgspec.msgpack.Decoder(Answer | Refuse),
}


def encode(message: Frame) -> bytes:
    """A frame with its length in front."""
    body = _encoder.encode(message)
    return HEAD.pack(len(body)) + body


def decode(kind: Literal["request", "reply", "answer"], body: bytes) -> Any:
    """The message in a frame's body.

    Raises:
        BadFrame: it is not MessagePack, or not one of the messages of that kind.
    """
    try:
        return _decoders[kind].decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadFrame(f"{type(error).__name__}: {error}") from None


# ---------------------------------------------------------------- tensors


def pack_tensor(tensor: torch.Tensor) -> TensorData:
    """A CPU tensor of a plain dtype as bytes.

    Raises:
        BadFrame: the tensor cannot travel; the text is what it is ("tensor with 20 axes").
    """
    with torch._C.DisableTorchFunctionSubclass():
        plain = torch.Tensor.detach(tensor)
        if plain.device.type != "cpu":
            raise BadFrame(f"tensor on the device {plain.device.type}")
        if plain.layout is not torch.strided:
            raise BadFrame("sparse tensor" if "sparse" in str(plain.layout) else f"tensor with layout {plain.layout}")
        if plain.dtype not in NAMES:
            raise BadFrame(f"tensor of the number type {str(plain.dtype).removeprefix('torch.')}")
        if plain.dim() > MAX_DIMENSIONS:
            raise BadFrame(f"tensor with {plain.dim()} axes")
        if plain.numel() * plain.element_size() > MAX_TENSOR:
            raise BadFrame(f"tensor of {plain.numel():,} numbers")
        plain = plain.resolve_conj().resolve_neg().contiguous()
        data = ctypes.string_at(plain.data_ptr(), plain.numel() * plain.element_size()) if plain.numel() else b""
        graph = bool(tensor.requires_grad)
        transposed = plain.dim() > 1 and not tensor.is_contiguous()
        return TensorData(NAMES[plain.dtype], tuple(plain.shape), data, graph, transposed)


def unpack_tensor(data: TensorData) -> torch.Tensor:
    """A fresh plain tensor made from the bytes (leaf, no gradient asked for).

    Raises:
        BadFrame: the byte count does not fit the shape, no tensor has that shape, or a bool byte is neither 0 nor 1.
    """
    dtype = DTYPES[data.dtype]
    count = math.prod(data.shape)
    if count * dtype.itemsize != len(data.data):
        raise BadFrame(f"{len(data.data)} bytes do not fit shape {data.shape} of {data.dtype}")
    if dtype is torch.bool and data.data.strip(b"\0\1"):
        raise BadFrame("a bool tensor holds bytes other than 0 and 1")
    try:
        tensor = torch.empty(data.shape, dtype=dtype)
    except RuntimeError as error:  # empty, and its strides overflow
        raise BadFrame(str(error)) from None
    ctypes.memmove(tensor.data_ptr(), data.data, len(data.data))
    return tensor.transpose(-1, -2).contiguous().transpose(-1, -2) if data.transposed else tensor


# ---------------------------------------------------------------- values


def pack(value: object, reference: Callable[[object], Value | None], depth: int = 20) -> Value:
    """A Python value as frames; `reference` names objects that have a frame of their own, or returns None."""
    if (known := reference(value)) is not None:
        return known
    if value is None or type(value) in (bool, float) or (type(value) is int and abs(value) < 2**63):
        return value  # type: ignore[return-value]  # narrowed by `type(…) in`, which mypy does not follow
    if type(value) is str:
        return readable(value)
    if isinstance(value, torch.Tensor):
        try:
            return pack_tensor(value)
        except BadFrame as error:
            return Opaque(str(error), "")
    if depth and type(value) in (list, tuple):
        kind: Literal["list", "tuple"] = "list" if type(value) is list else "tuple"
        return Items(kind, [pack(item, reference, depth - 1) for item in value])  # type: ignore[attr-defined]
    if depth and type(value) is dict and all(type(key) is str for key in value):
        return Table({key: pack(item, reference, depth - 1) for key, item in value.items()})
    return Opaque(_kind(value), "")


def _kind(value: object) -> str:
    if type(value) is int:
        return "number"
    return "class" if issubclass(type(value), type) else readable(type(value).__name__[:80])


def readable(text: str) -> str:
    """The text with what UTF-8 cannot express (lone surrogates) spelled out."""
    return text.encode("utf-8", "backslashreplace").decode()


def unpack(value: Value, resolve: Callable[[Value], object], depth: int = 20) -> Any:
    """The Python value of frames; `resolve` turns tensors, references, probes and opaque things into objects.

    Raises:
        BadFrame: values nest deeper than `pack` makes them.
    """
    if depth < 0:
        raise BadFrame("values nest too deeply")
    if isinstance(value, Items):
        made = [unpack(item, resolve, depth - 1) for item in value.items]
        return made if value.kind == "list" else tuple(made)
    if isinstance(value, Table):
        return {key: unpack(item, resolve, depth - 1) for key, item in value.items.items()}
    if isinstance(value, TensorData | Reference | ProbeReference | Opaque):
        return resolve(value)
    return value
