"""What the experiments found: `grade/lab/v1`, plain data that is stored in lab.json and shown by `reports`."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from grader.model.submission import Submission

LENGTH, SYMBOLS = 8, 16  # of the copy task: so many symbols, out of so many, and the same again

Who = Literal["yours", "without", "reference"]
Count = Annotated[int, msgspec.Meta(ge=0, le=10**12)]
Text = Annotated[str, msgspec.Meta(max_length=4000)]
Most = msgspec.Meta(max_length=1000)
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]


class FileTried(msgspec.Struct, frozen=True):
    """The file that was tried: the one handed in, or the solution of the course (`own` is false then)."""

    path: Text
    digest: Text
    own: bool


class Network(msgspec.Struct, frozen=True):
    """A network of a depth: the mean absolute gradient of each layer's weight, with shortcuts and without.

    `stopped` is a sentence that says why there are none.
    """

    who: Who
    depth: Count
    seed: Count
    on: Annotated[tuple[float, ...], Most] = ()
    off: Annotated[tuple[float, ...], Most] = ()
    stopped: Text = ""


class Gradients(msgspec.Struct, frozen=True, tag="gradients"):
    """`grade lab gradients`: networks of several depths."""

    tried: FileTried
    networks: Annotated[tuple[Network, ...], Most]


class Curve(msgspec.Struct, frozen=True):
    """What one kind of block learned, for each seed: the share of symbols that it repeated right, each time we looked.

    `stopped` is a sentence that says why there is no curve, or not one for each seed.
    """

    who: Who
    runs: Annotated[tuple[Annotated[tuple[Share, ...], Most], ...], Most] = ()
    stopped: Text = ""


class CopyTask(msgspec.Struct, frozen=True):
    """`grade lab copy-task`: so many blocks were trained on sequences of `length` out of `symbols`, twice each."""

    tried: FileTried
    blocks: Count
    length: Count
    symbols: Count
    steps: Count
    every: Annotated[int, msgspec.Meta(ge=1, le=10**6)]
    curves: Annotated[tuple[Curve, ...], Most]


class Stack(msgspec.Struct, frozen=True, tag="stack"):
    """`grade lab gpt2`: blocks one after the other.

    `gradients` are the mean absolute gradients of each block's weights, None where a parameter got none. Seconds are
    wall time; `memory_mib` is what the process took beyond what it had before (None: not known).
    """

    tried: FileTried
    blocks: Count
    width: Count
    given: Annotated[tuple[Count, ...], msgspec.Meta(max_length=8)]
    returned: Annotated[tuple[Count, ...], msgspec.Meta(max_length=8)] = ()
    finite: bool = False
    parameters: Count = 0
    gradients: Annotated[tuple[float | None, ...], Most] = ()
    forward_seconds: float = 0.0
    backward_seconds: float = 0.0
    memory_mib: Count | None = None
    stopped: Text = ""


class LabRecord(msgspec.Struct, frozen=True):
    """Each experiment as it went the last time."""

    schema: Literal["grade/lab/v1"] = "grade/lab/v1"
    course: Text = ""
    gradients: Gradients | None = None
    copy_task: CopyTask | None = None
    gpt2: Stack | None = None


def file_tried(submission: Submission, *, own: bool) -> FileTried:
    """Which file is tried; where none fits, the first one that was handed in."""
    file = submission.works[0].file or next(iter(submission.files), None)
    return FileTried(file.path, file.digest, own) if file is not None else FileTried("", "", own)
