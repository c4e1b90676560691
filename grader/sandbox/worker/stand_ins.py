"""What honest code uses for its comfort and a worker cannot have is made to do nothing, so that the code goes on.

`torch.compile` would start compilers, and costs seconds to import even where it is switched off; copied files would get
mode and times of the original, which the system refuses.
"""

from __future__ import annotations

import shutil
from typing import Any

import torch


def put_in_place() -> None:
    """Replace them in this process, for good."""
    torch.compile = as_it_is
    shutil.copymode = shutil.copystat = nothing


def as_it_is(model: Any = None, **_: Any) -> Any:
    """In place of `torch.compile`, called or used as a decorator: the same model."""
    return (lambda decorated: decorated) if model is None else model


def nothing(*_: Any, **__: Any) -> None:
    """In place of a function that only has an effect."""
