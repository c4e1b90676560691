"""From what happened in the worker to what the student reads: one sentence each, and a tag of the vocabulary."""

from __future__ import annotations

import re
from dataclasses import dataclass

from grader.model.results import Verdict, Visibility
from grader.sandbox.session import StudentRaised

SHOWN_IN_HIDDEN = 200
NUMBER = re.compile(r"-?\d+\.\d*(?:e[-+]?\d+)?|-?\d+e[-+]?\d+|\d{5,}")
ASKED = re.compile(r"tried to allocate (\d{1,20}) bytes")
ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}")  # not the shape of a matrix, as in "240x32"
FORWARD_RUNS = "A forward pass that runs to its end and returns one tensor."


@dataclass(frozen=True)
class Explained:
    """A verdict in words."""

    verdict: Verdict
    tag: str | None
    happened: str
    expected: str


@dataclass(frozen=True)
class _Known:
    """An exception that has a sentence of its own. `type` and `text` are patterns for the exception."""

    type: str
    text: str
    tag: str
    happened: str
    expected: str


KNOWN = (
    _Known(
        "NotImplementedError",
        'missing the required "forward"',
        "does-not-run",
        "Your code calls something that has no forward, such as an nn.ModuleList, as if it were a layer.",
        "Each layer of a list called by itself.",
    ),
    _Known(
        "NotImplementedError",
        "",
        "not-written",
        "This part is not written yet: it still raises NotImplementedError.",
        "Your own code in place of `raise NotImplementedError`.",
    ),
    _Known(
        "SystemExit|KeyboardInterrupt",
        "",
        "does-not-run",
        "Your code tried to end the program (`sys.exit` or `raise SystemExit`).",
        "A forward pass that returns its result and leaves the program running.",
    ),
    _Known(
        "RecursionError",
        "",
        "does-not-run",
        "Your code calls itself again and again without an end.",
        "Each layer called once. Does a method call itself by mistake?",
    ),
    _Known(
        "EOFError",
        "reading a line",
        "does-not-run",
        "Your code waits for keyboard input (`input()`); nobody is there to type.",
        "Code that runs without asking anybody.",
    ),
    _Known(
        ".*",
        "a submission may not",
        "does-not-run",
        "Your code asks for something that is refused while it is graded: {text}.",
        "Code that computes its result from its input, and needs nothing else.",
    ),
    _Known(
        "OSError|PermissionError|FileNotFoundError|IsADirectoryError|NotADirectoryError",
        r"\[Errno (1|2|13|20|21|30)\]",  # not permitted, not there, no access, (not) a folder, read-only
        "does-not-run",
        "Your code uses a file, or something else of the system, that is out of its reach while it is graded: {text}.",
        "Code that needs no files but those it writes itself: it runs in a folder of its own, which starts empty.",
    ),
    _Known(
        "RuntimeError",
        "Parent directory .* does not exist|cannot be opened|open file failed",
        "does-not-run",
        "Your code uses a file that is out of its reach while it is graded: {text}.",
        "Code that needs no files but those it writes itself: it runs in a folder of its own, which starts empty.",
    ),
    _Known(
        "OSError",
        "No space left on device|File too large|Too many open files",
        "does-not-run",
        "Your code writes or opens more files than it may: {text}.",
        "A few small files, or none.",
    ),
    _Known(
        "ModuleNotFoundError",
        "",
        "does-not-run",
        "Your code uses a package that is not installed here: {text}.",
        "Only torch and the modules that come with the exercise.",
    ),
    _Known(
        "AttributeError",
        "before Module.__init__",
        "does-not-run",
        "Your class sets its layers up before `super().__init__()` has run.",
        "`super().__init__()` as the first line of `__init__`.",
    ),
    _Known(
        ".*",
        "CUDA|cuda|NVIDIA|MPS|mps device",
        "wrong-dtype-device",
        "Your code asks for a graphics card; there is none here.",
        "Code that works on the device of its input.",
    ),
    _Known(
        "RuntimeError",
        "dtype|scalar type|same type",
        "wrong-dtype-device",
        "Your code mixes number types: {text}.",
        "The number type of the input, all the way through.",
    ),
    _Known(
        "RuntimeError",
        "inplace operation|in-place|leaf Variable",
        "inplace-input",
        "Your code changes a tensor in place that the backward pass still needs.",
        "New tensors instead of changes in place (`x = x + …`, not `x += …`).",
    ),
    _Known(
        "RuntimeError",
        "does not require grad|does not have a grad_fn|element 0 of tensors",
        "broken-gradient",
        "No gradient can flow back through your code.",
        "A result that autograd can follow: no `.detach()`, `.data` or `no_grad` on the way.",
    ),
    _Known(
        "ValueError",
        "Expected more than 1 (value per channel|spatial element) when training",
        "wrong-norm",
        "Your code normalises over the batch or the tokens (BatchNorm, InstanceNorm): {text}.",
        "A layer norm: over the features of each token alone.",
    ),
    _Known(
        "RuntimeError|ValueError",
        "shapes cannot be multiplied|normalized_shape|size of tensor|is invalid for input of size",
        "wrong-size",
        "In your code two sizes do not fit: {text}.",
        "Sizes that follow the arguments.",
    ),
    _Known(
        "BadFrame",
        r"\d (?:MiB|numbers|tensors|axes)|of shape",
        "wrong-return",
        "Your code returned something that is too large to look at: {text}.",
        "One tensor of the size of the input.",
    ),
    _Known(
        "BadFrame",
        "",
        "wrong-return",
        "Your code made something of its input that cannot be looked at: {text}.",
        "Ordinary tensors of the number type of the input.",
    ),
    _Known(
        "RuntimeError",
        "sublayer was called",
        "does-not-run",
        "Your code calls the sublayer again and again without an end.",
        "One call of the sublayer. Is it inside a loop that never stops?",
    ),
    _Known(
        "RuntimeError",
        "sublayer cannot take",
        "does-not-run",
        "In your code {text}.",
        "The sublayer gets one tensor, and the keyword arguments.",
    ),
)


def raised(error: StudentRaised, visibility: Visibility) -> Explained:
    """An exception in the student's code."""
    frame = error.frame
    text = shown(frame.text, visibility)
    if frame.memory:
        return _out_of_memory(frame.text, error.memory_mib)
    for known in KNOWN:
        if re.fullmatch(known.type, frame.type) and re.search(known.text, frame.text):
            return Explained("raised", known.tag, known.happened.format(text=text), known.expected)
    if frame.type == "TypeError" and not frame.places:
        return Explained(
            "raised",
            "wrong-signature",
            f"Your code does not take the arguments of the task: {text}.",
            "The arguments as the task lists them.",
        )
    name = shown(frame.type, "hidden") if frame.type.isidentifier() else "an exception"
    happened = f"Your code raised {name}: {text}" if text else f"Your code raised {name}."
    return Explained("raised", "does-not-run", happened, FORWARD_RUNS)


def _out_of_memory(text: str, allowed_mib: int) -> Explained:
    asked = ASKED.search(text)
    asked_mib = int(asked[1]) >> 20 if asked else 0
    if asked_mib > allowed_mib:
        how = f"it asked for {_size(asked_mib)} at once"
        question = "Is a size multiplied that should not be?"
    else:
        how = "it kept asking for more"
        question = "Is one made in a loop without end?"
    return Explained(
        "out_of_memory",
        None,
        f"Your code ran out of memory: {how}. It may use {_size(allowed_mib)} beside PyTorch itself.",
        f"Tensors no larger than the input and the layers. {question}",
    )


def _size(mib: int) -> str:
    return f"{mib:,} MiB" if mib < 10_000 else f"{mib >> 10:,} GiB"


LOST = {
    "timed_out": "Code that ends. Is there a loop that never stops?",
    "out_of_memory": "Tensors no larger than the input and the layers.",
    "crashed": "Code that returns its result and leaves its process alone.",
}


def lost(verdict: Verdict, happened: str) -> Explained:
    """A worker that did not answer."""
    return Explained(verdict, None, happened, LOST.get(verdict, FORWARD_RUNS))


def shown(text: str, visibility: Visibility) -> str:
    """An exception's text for the student. In a hidden check it could spell out inputs: numbers are left out there.

    Memory addresses differ from run to run and say nothing, so they go too.
    """
    text = ADDRESS.sub("0x…", text).strip().rstrip(".")
    if visibility == "visible":
        return text
    text = NUMBER.sub("#", text)
    return text if len(text) <= SHOWN_IN_HIDDEN else text[:SHOWN_IN_HIDDEN] + "…"
