"""What judge and worker say to each other: each struct is one message, or a value in one. Both ends use this file."""

from __future__ import annotations

import math
from typing import Annotated, Literal

import msgspec

MAX_TENSORS = 4096  # in a frame
MAX_NUMBERS = 8 << 20  # in all tensors of a frame, whatever their dtype: the judge may turn each into 8 bytes
MAX_TEXT = 2000
MAX_DIMENSIONS = 8
MAX_KEYWORDS = 16
CHANNEL_CLOSED = 71  # the exit code of a worker whose channel was closed under it

Dtype = Literal["float64", "float32", "float16", "bfloat16", "int64", "int32", "int16", "int8", "uint8", "bool"]
ITEM_BYTES: dict[Dtype, int] = {
    "float64": 8, "float32": 4, "float16": 2, "bfloat16": 2, "int64": 8, "int32": 4, "int16": 2, "int8": 1, "uint8": 1,
    "bool": 1,
}  # fmt: skip

Text = Annotated[str, msgspec.Meta(max_length=MAX_TEXT)]
Name = Annotated[str, msgspec.Meta(max_length=400)]
Size = Annotated[int, msgspec.Meta(ge=0, le=MAX_NUMBERS)]
Index = Annotated[int, msgspec.Meta(ge=0, le=2**31)]


class BadFrame(ValueError):
    """What arrived is not a frame of this protocol, or something cannot be made one."""


class Frame(msgspec.Struct, array_like=True, tag_field="frame", forbid_unknown_fields=True):
    """Base of everything that travels; subclasses are told apart by their tag."""


# ---------------------------------------------------------------- values


class TensorData(Frame, tag="tensor", dict=True):
    """A tensor. `graph`: it takes part in a gradient. `transposed`: lay it out with the last two axes swapped.

    `data`, its bytes in row-major order, is no field: they travel behind the structure.
    """

    dtype: Dtype
    shape: Annotated[tuple[Size, ...], msgspec.Meta(max_length=MAX_DIMENSIONS)]
    graph: bool = False
    transposed: bool = False

    def __post_init__(self) -> None:
        self.data = b""

    @property
    def size(self) -> int:
        """How many bytes that is."""
        return math.prod(self.shape) * ITEM_BYTES[self.dtype]

    @property
    def numbers(self) -> int:
        """How many numbers it holds, where an axis of length 0 counts as 1: what is made from its shape stays small."""
        return math.prod(self.shape) or math.prod(length or 1 for length in self.shape)


class Items(Frame, tag="items"):
    """A list or a tuple."""

    kind: Literal["list", "tuple"]
    items: list[Value]


class Table(Frame, tag="table"):
    """A dictionary with text keys."""

    items: dict[str, Value]


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


PLAIN = frozenset({type(None), bool, int, float, str})  # values that travel as themselves
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
    """Call a name of the loaded module, or `torch.nn.X`, and keep the object.

    `blank`: torch's linear layers draw no weights; what lies in their memory stays there.
    """

    name: str
    args: list[Value]
    kwargs: dict[str, Value]
    blank: bool = False


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


class Operations(Frame, tag="operations"):
    """Call an object, with gradients on, and list every call of torch inside it that gives a tensor.

    With `spots`, also which expressions of the student's source made it.
    """

    target: Reference
    args: list[Value]
    spots: bool = False


class Sum(Frame, tag="sum"):
    """A sum on the residual stream of a block: the call of torch that finishes it, by its number and its name.

    `base` is the call that gave what is added to the branch, None for the input of the block. Calls are counted from 0,
    and a call counts once for each tensor that it gives.
    """

    call: Index
    name: Name
    base: Index | None


class Remove(Frame, tag="remove"):
    """Make an object that calls `target` and leaves the shortcuts out of these sums."""

    target: Reference
    sums: list[Sum]


class CopyTask(Frame, tag="copy-task"):
    """How to train: `length` symbols out of so many and the same again, and how often it is looked what was learned."""

    symbols: int
    length: int
    width: int
    batch: int
    steps: int
    every: int
    rate: float


class Train(Frame, tag="train"):
    """Train these objects, one after the other as the blocks of a model, on the copy task."""

    blocks: list[Reference]
    task: CopyTask
    seed: int


class Peak(Frame, tag="peak"):
    """The most memory that the process has used so far."""


class Defines(Frame, tag="defines"):
    """Whether the loaded module has a name that can be called."""

    name: Name


class State(Frame, tag="state"):
    """The global state of torch: seed, default dtype, gradient mode."""


Request = (
    Load
    | Begin
    | Build
    | Call
    | Backward
    | Mode
    | Parameters
    | Assign
    | Leaves
    | Trace
    | Operations
    | Remove
    | Train
    | Peak
    | Defines
    | State
)


# ---------------------------------------------------------------- what the worker answers


class Place(Frame, tag="place"):
    """A line of the student's source."""

    path: str
    cell: Index | None
    line: Index
    function: Name


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
    kwargs: Annotated[dict[Name, Value], msgspec.Meta(max_length=MAX_KEYWORDS)]


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
