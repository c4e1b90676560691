"""Naming the formula of a residual half: what goes into the sublayer, and what its result is combined with.

`identify` works from probes and numbers alone; no name, class or hook of the student's code is looked at. Outside the
catalogue the answer is "not a formula we know" (`text` is None), never a guess.
"""

from __future__ import annotations

from typing import Any

import torch

from grader.checks.expect import gap
from grader.checks.probe import Probe
from grader.checks.residual.combinations import ATTEMPTS, joined
from grader.checks.residual.half import NORMS, Half, Identified, SublayerCall
from grader.checks.residual.sublayer_input import known_terms, read_input
from grader.checks.student import Remote


def identify(
    block: Remote,
    x: torch.Tensor,
    probe: Probe,
    others: dict[str, torch.Tensor] | None = None,
    keywords: dict[str, Any] | None = None,
) -> Identified:
    """The formula of `block(x, **keywords)`, where `probe` is the sublayer that the block was built with.

    `others` are tensors that it may add by mistake, by the names that they have in a formula.
    """
    before = len(probe.calls)
    result = block(x, **(keywords or {}))
    calls = [SublayerCall(call.input, call.output) for call in probe.calls[before:]]
    vectors = [p for p in block.parameters().values() if p.shape == x.shape[-1:]]
    found = identify_half(Half(x, calls, result, vectors, others=others or {}))
    if found.tag != "wrong-norm" or "BatchNorm" not in (found.text or "") or not calls:
        return found
    block(3.0 * x)  # a fixed scale per channel follows its input, statistics over everything do not
    if gap(probe.calls[-1].input, calls[0].input) > 1e-3:
        return found
    text = (found.text or "").replace("BatchNorm", NORMS["everything"][0].format(norm="Norm"))
    return Identified(text, NORMS["everything"][1], found.residual)


def identify_half(half: Half) -> Identified:
    """Name the sublayer's input first, then the result as the simplest combination of what is known."""
    sub = half.names[1]
    read, input_tag = read_input(half) if half.calls else ("", None)
    inner = f"{sub}({read or '?'})"
    terms = known_terms(half, read, inner)
    attempts = ATTEMPTS if half.result.shape == half.base.shape else (joined,)
    found = next((result for attempt in attempts if (result := attempt(half, terms, inner)) is not None), None)
    if found is None:
        return Identified(None, None, half=half.half)
    if read is None:
        return Identified(None, found.tag, None, half.half)
    # The tag of the result wins, unless the result is as asked for: then the sublayer's input decides.
    return Identified(found.text, found.tag or input_tag, found.residual, half.half)
