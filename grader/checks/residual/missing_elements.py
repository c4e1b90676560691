"""Which elements are missing in training before the sublayers of a block, for where dropout does not belong."""

from __future__ import annotations

from collections.abc import Collection

import torch

from grader.checks.expect import gap
from grader.checks.residual.anatomy import Plan, anatomy
from grader.checks.student import Remote


def missing_elements(block: Remote, x: torch.Tensor, plan: Plan | None = None) -> dict[str, float]:
    """The share of elements missing from what each sublayer gets ("A", "F"), and from what is normalised ("x", "h").

    `block` is in training, its parameters are random; no number of `x` is near zero. `plan`: see `anatomy`.
    """
    parts = anatomy(block, x, plan)
    normed = [norm.output for _, norm in parts.norms]
    missing = {
        kind: max((_dropped_from(one.input, normed) for one in parts.sublayers if one.kind == kind), default=0.0)
        for kind in ("A", "F")
    }
    begins = [one.at for one in parts.sublayers][:2] + [len(parts.norms)] * 2
    missing["x"] = max((_dropped_from(n.input, [parts.x]) for at, n in parts.norms if at < begins[0]), default=0.0)
    missing["h"] = max((_zeros(n.input) for at, n in parts.norms if begins[0] < at < begins[1]), default=0.0)
    return missing


def _zeros(values: torch.Tensor) -> float:
    return float((values == 0).double().mean())


def _dropped_from(values: torch.Tensor, sources: Collection[torch.Tensor]) -> float:
    """The share of zeros, if the other elements are those of a source, all times the same factor."""
    for source in sources:
        kept = (values / source)[values != 0] if source.shape == values.shape else values[:0]
        if kept.numel() and gap(kept, kept.flatten()[:1].expand_as(kept)) <= 1e-6:
            return _zeros(values)
    return 0.0
