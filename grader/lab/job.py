"""What the command asks of a judge for experiments, and what it answers: plain JSON between two trusted processes."""

from __future__ import annotations

import msgspec

from grader.lab.record import Gradients, Share, Stack
from grader.model.course import Course
from grader.model.submission import Submission
from grader.sandbox.worker.messages import Sum


class TryGradients(msgspec.Struct, frozen=True, tag="gradients"):
    """Build networks of these depths, of the solution and of what was handed in, if anything was."""

    course: Course
    own: Submission | None
    solution: Submission
    depths: tuple[int, ...]


class FindSums(msgspec.Struct, frozen=True, tag="find-sums"):
    """Find the sums with the shortcuts in a block."""

    course: Course
    submission: Submission


class TrainOnce(msgspec.Struct, frozen=True, tag="train-once"):
    """Train a stack of blocks with one seed; with `sums`, the shortcuts are left out of these."""

    course: Course
    submission: Submission
    seed: int
    blocks: int
    steps: int
    every: int
    sums: tuple[Sum, ...] = ()


class TryStack(msgspec.Struct, frozen=True, tag="stack"):
    """Stack blocks of GPT-2 small's width."""

    course: Course
    submission: Submission
    own: bool
    blocks: int = 12
    width: int = 768
    heads: int = 12
    tokens: int = 64


class Said(msgspec.Struct, frozen=True, tag="said"):
    """What is being done."""

    words: str


class Stop(msgspec.Struct, frozen=True, tag="stop"):
    """The student's code did something else: a sentence, and whether its process was lost."""

    words: str
    lost: bool = False


class Sums(msgspec.Struct, frozen=True, tag="sums"):
    """The sums of a block, or in `why` the reason that keeps them from being left out, as a sentence."""

    sums: tuple[Sum, ...] = ()
    why: str = ""


class Learned(msgspec.Struct, frozen=True, tag="learned"):
    """The share of symbols that was repeated right, each time we looked."""

    shares: tuple[Share, ...]


class Tried(msgspec.Struct, frozen=True, tag="tried"):
    """What the other experiments found."""

    found: Gradients | Stack


class Broken(msgspec.Struct, frozen=True, tag="broken"):
    """It could not be done, through no fault of the student: a sentence, and details for `--debug`."""

    message: str
    details: str = ""


Job = TryGradients | FindSums | TrainOnce | TryStack
Result = Stop | Sums | Learned | Tried
Answer = Said | Stop | Sums | Learned | Tried | Broken
