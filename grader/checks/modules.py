"""What every nn.Module owes its user: parameters that are seen, and global settings that stay."""

from __future__ import annotations

from grader.checks.expect import fail
from grader.checks.student import Remote, Reply, Student


def expect_registered(module: Remote, first: Reply, second: Reply) -> None:
    """Every parameter that the results of two calls depend on is listed by `parameters()`.

    The autograd graph decides, not the counting of parameters; one that is another in the second call was made in
    `forward`.
    """
    unseen = [leaf for leaf in module.leaves(first) if leaf.name is None]
    if not unseen:
        return
    again = {leaf.identity for leaf in module.leaves(second)}
    count = sum(_numbers(leaf.shape) for leaf in unseen)
    if any(leaf.identity not in again for leaf in unseen):
        fail(
            "Your forward makes new layers each time it is called, so nothing that they learn is kept.",
            expected="All layers made once, in `__init__`.",
            tag="fresh-layer-in-forward",
        )
    fail(
        f"Your code uses {count:,} trainable numbers that `parameters()` does not see, so they are never trained.",
        expected="Each layer as an attribute of the module, or in an nn.ModuleList.",
        tag="unregistered-params",
    )


def _numbers(shape: tuple[int, ...]) -> int:
    count = 1
    for size in shape:
        count *= size
    return count


def expect_state(student: Student, *, seed: int, dtype: str) -> None:
    """The global state of torch is what it was before the student's code ran."""
    state = student.state()
    words = {
        "seed": "Your code sets the random seed for the whole program.",
        "dtype": "Your code changes the default number type for the whole program.",
        "grad": "Your code switches gradients off for the whole program.",
    }
    for key, wanted in {"seed": seed, "dtype": dtype, "grad": True}.items():
        if state.get(key) != wanted:
            fail(words[key], expected="Global settings left alone.", tag="global-state")
