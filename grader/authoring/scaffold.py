"""A new exercise that is proven from the start: the author changes one thing at a time and sees what breaks.

It asks for `x + F(x)`, with one check, one mistake and one rewrite.
"""

from __future__ import annotations

import keyword
import re
import sys
from pathlib import Path

from grader.authoring.listing import with_exercise
from grader.errors import UsageError
from grader.model.course import Course
from grader.out import write_files

TAKEN = {"previous_chapters", "readme", "torch", "grader", "reports"} | {
    name.lower() for name in sys.stdlib_module_names
}

_EXERCISE = """\
title = "{title}"
defines = ["{main}"]  # the main class first
formula = "x + F(x)"
"""
_SOLUTION = '''\
"""Exercise: {title}.

Fill in the class below. Its docstring is the task.
"""

from collections.abc import Callable

import torch
from torch import nn


class {main}(nn.Module):
    """Call a sublayer and add the input back.

    With F for the sublayer, build

        y = x + F(x)

    Shape:
        - input `x`: any
        - output: the same shape as `x`

    Example:
        >>> import torch
        >>> block = {main}(torch.zeros_like)  # a sublayer that returns zeros
        >>> print(block(torch.ones(2)))  # so only the input is left
        tensor([1., 1.])
    """

    def __init__(self, sublayer: Callable[[torch.Tensor], torch.Tensor]) -> None:
        super().__init__()
        # BEGIN SOLUTION: Keep the sublayer.
        self.sublayer = sublayer
        # END SOLUTION

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Apply the block to `x`."""
        # BEGIN SOLUTION: Sublayer, sum.
        return x + self.sublayer(x)
        # END SOLUTION
'''
_CHECKS = '''\
"""What `{main}` has to do. The docstring of a check is the line that students read."""

from grader.checks import Draw, Probe, Student, check, expect, identify


HINTS = ("What comes out if the sublayer returns only zeros?", "Print the block's output for such a sublayer.")


@check(points=1, concept="the shortcut", hints=HINTS)
def check_adds_the_input_back(student: Student, draw: Draw) -> None:
    """The block adds its input to what the sublayer returns."""
    probe = Probe(draw.map(8))
    block = student.{main}(probe).eval()
    draw.parameters(block)
    expect(identify(block, draw.input(4, 6, 8), probe)).to_be("x + F(x)")
'''
_MISTAKE = '''\
# tag: missing-skip | formula: F(x)
"""The input is not added back."""

from torch import nn


class {main}(nn.Module):
    def __init__(self, sublayer):
        super().__init__()
        self.sublayer = sublayer

    def forward(self, x):
        return self.sublayer(x)
'''
_REWRITE = '''\
"""The sum as a function, the other way round."""

import torch
from torch import nn


class {main}(nn.Module):
    def __init__(self, sublayer):
        super().__init__()
        self.f = sublayer

    def forward(self, x):
        return torch.add(self.f(x), x)
'''
FILES = {
    "exercise.toml": _EXERCISE,
    "solution.py": _SOLUTION,
    "checks.py": _CHECKS,
    "mistakes/missing_skip.py": _MISTAKE,
    "rewrites/torch_add.py": _REWRITE,
}


def scaffold(course: Course, name: str) -> list[Path]:
    """Write a new exercise of that name and list it in course.toml; returns what was written, course.toml last.

    Raises:
        UsageError: the name cannot be one, or is taken.
        CourseError: course.toml cannot be added to.
    """
    main = class_name(name)
    root = Path(course.root)
    if name.lower() in (path.name.lower() for path in root.iterdir()):
        raise UsageError(f"{root / name} is there already. Choose another name, or change what is there.")
    texts = {f"{name}/{file}": text.format(title=_title(name), main=main) for file, text in FILES.items()}
    listed = root / "course.toml"
    as_it_is = listed.read_bytes().decode()  # with its line ends
    texts["course.toml"] = with_exercise(as_it_is, name, str(listed))
    write_files(root, {file: text.encode() for file, text in texts.items()})
    return [root / file for file in texts]


def class_name(name: str) -> str:
    """`rms_norm` gives `RmsNorm`. Raises UsageError for what can name no module that students may import."""
    main = "".join(part[:1].upper() + part[1:] for part in name.split("_"))
    if not re.fullmatch(r"[A-Za-z]\w*", name, re.ASCII) or keyword.iskeyword(name) or keyword.iskeyword(main):
        raise UsageError(
            f"{name!r} cannot be the name of an exercise: use letters, digits and _, a letter first, like `rms_norm`."
        )
    if name.lower() in TAKEN:
        raise UsageError(f"An exercise {name!r} would hide the module or file of that name. Choose another name.")
    return main


def _title(name: str) -> str:
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:]
