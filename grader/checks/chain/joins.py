"""How a network joins the two paths of one layer, seen at the only layer whose input and output have the same shape."""

from __future__ import annotations

import re
from collections.abc import Iterator

import torch
from torch.nn import functional

from grader.checks.chain.activations import ACTIVATION, ERF, LESSON
from grader.checks.chain.join_rules import width
from grader.checks.chain.layers import ONE, Chain, Rule, Seen, alike, run
from grader.checks.chain.rules import COUNT
from grader.checks.expect import EXACT, gap
from grader.checks.residual.half import Half, Identified, SublayerCall
from grader.checks.residual.identify import identify_half

JOINED = {
    "post-norm": "extra-op", "norm-on-output": "extra-op", "double-norm": "extra-op", "missing-norm": None,
    "skip-after-norm": "extra-op", "missing-skip": None,
}  # fmt: skip


def found_join(like: Rule, seen: Seen) -> Chain | None:
    """How a network joins the two paths of its last layer, the only one whose shapes match here."""
    x = run(alike(like, flag=lambda flag: False, stops=lambda step, added: step.index == COUNT - 2), seen)
    weight, bias = seen.layers[-1]
    if x is None or seen.output is None or seen.output.dim() != 2 or width(x) != weight.shape[1]:
        return None
    branch = like.branch(x, weight, bias, COUNT - 1)
    twice = {
        "F(F(x))": like.branch(branch, weight, bias, COUNT - 1),
        "F(x + F(x))": like.branch(x + branch, weight, bias, COUNT - 1),
    }
    if not all(bool(torch.isfinite(t).all()) for t in (x, branch, seen.output, *twice.values())):
        return None
    if any(gap(seen.output, value) <= EXACT for value in (branch, x + branch)):
        return None
    linear = functional.linear(x, weight, bias)
    again = [(f"x + {text}", "sublayer-twice", x + value) for text, value in twice.items()]  # W·F(x) may fit it, too
    for text, tag, value in (*_odd_joins(x, branch), *_activated(x, linear, branch), *again):
        if (distance := gap(seen.output, value)) <= EXACT:
            return _joined(like, text, tag, distance)
    known = {"x0": seen.x, "Linear(x)": linear}
    if like.branch_tag is not None:
        known[ONE] = ACTIVATION[LESSON](linear)
    for others in (known, {**twice, "gelu(x)": ACTIVATION[LESSON](x)}):
        found = identify_half(Half(x, [SublayerCall(x, branch)], seen.output, others=others))
        if found.text in ("x + F(x)", "F(x)", "x0 + F(x)"):
            return None
        if (means := _means(found)) is not None:
            return _joined(like, found.text or "", means, found.residual or 0.0)
    return None


def _means(found: Identified) -> str | None:
    """The tag of a join of layers, from that of a join of x and a sublayer F; None where it is none, or right."""
    text, tag = found.text or "", found.tag
    if not text or (found.residual or 0.0) > EXACT:  # outputs of a chain are small: what is near says nothing here
        return None
    if "F(x + F" in text:
        return "sublayer-twice"
    if (means := JOINED.get(tag or "", tag)) is None:
        return None
    if re.search(r"gelu(_erf)?\(x\)", text) and means == "wrong-skip-tensor":
        return "extra-op"
    if "Linear(x)" in text and "F(" not in text:
        return "activation-order" if "(x + Linear(x))" in text else "missing-activation"
    return means


def _odd_joins(x: torch.Tensor, branch: torch.Tensor) -> Iterator[tuple[str, str, torch.Tensor]]:
    """Joins that would also fit another description, so these are tried first."""
    for axis, words in ((0, "over the batch"), (-1, "over the features")):
        yield f"x + mean {words} of F(x)", "silent-broadcast", x + branch.mean(axis, keepdim=True)
        yield f"mean {words} of x + F(x)", "silent-broadcast", x.mean(axis, keepdim=True) + branch
        first = branch[:1] if axis == 0 else branch[:, :1]
        yield f"x + first {words} of F(x)", "silent-broadcast", x + first
        yield f"sum {words} of x + F(x)", "silent-broadcast", x.sum(axis, keepdim=True) + branch
        yield f"x + sum {words} of F(x)", "silent-broadcast", x + branch.sum(axis, keepdim=True)
    yield "x · F(x)", "wrong-combine", x * branch
    yield "x · F(x) + x", "wrong-combine", x * branch + x
    yield "max(x, F(x))", "wrong-combine", torch.maximum(x, branch)
    yield "cat(x, F(x))[half]", "wrong-combine", torch.cat([x, branch], -1)[:, ::2]


def _activated(x: torch.Tensor, linear: torch.Tensor, branch: torch.Tensor) -> Iterator[tuple[str, str, torch.Tensor]]:
    """An activation of the sum, whatever comes before it."""
    sums = (("F(x)", branch, "extra-op"), ("Linear(x)", linear, "activation-order"),
            (ONE, ACTIVATION[LESSON](linear), "extra-op"))  # fmt: skip
    for inner, value, tag in sums:
        for name, function in ACTIVATION.items():
            yield f"{LESSON if name == ERF else name}(x + {inner})", tag, function(x + value)


def _joined(like: Rule, text: str, tag: str, distance: float) -> Chain:
    text = re.sub(r"\bgelu(_erf)?\b", "GELU", text.replace("over tokens", "over the batch"))
    if not like.parts:
        for name, inner in (("F(x + F(x))", f"(x + {like.text})"), ("F(F(x))", f"({like.text})")):
            text = text.replace(name, like.text.replace("(x)", inner))
        text = text.replace("F(x)", like.text)
    elif "F(x)" in text:
        text += f"; F(x) is {like.text}"
    says = f"With shortcuts on, layers of your network compute {text}."
    return Chain(Rule(text, like.branch, like.branch_tag, tag, says), distance)
