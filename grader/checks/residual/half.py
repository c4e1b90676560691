"""What is known of one residual half while its formula is looked for, and how its norms are called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import torch

from grader.checks.expect import gap
from grader.checks.residual.combine import NormFound

SAME_AFFINE = 1e-6

NORMS = {  # kind: (how it reads in a formula, tag when it stands where a layer norm should)
    "layer": ("{norm}", None),
    "deviation": ("{norm}[std + eps]", "norm-wrong-stat"),
    "unbiased": ("{norm}[n - 1]", "norm-wrong-stat"),
    "rms": ("RMSNorm", "wrong-norm"),
    "batch": ("BatchNorm", "wrong-norm"),
    "sequence": ("{norm}[over tokens]", "norm-wrong-axis"),
    "everything": ("{norm}[over everything]", "norm-wrong-axis"),
    "variance": ("{norm}[variance for deviation]", "norm-wrong-stat"),
    "absolute deviation": ("{norm}[mean absolute deviation]", "norm-wrong-stat"),
    "centred": ("{norm}[mean only]", "norm-wrong-stat"),
    "range": ("MinMaxNorm", "wrong-norm"),
    "largest": ("MaxNorm", "wrong-norm"),
    "sum": ("L1Norm", "wrong-norm"),
    "features and sequence": ("{norm}[over tokens and features]", "norm-wrong-axis"),
}


@dataclass(frozen=True)
class Identified:
    """A formula that was found: `text` as the student reads it (None: unknown), `tag` what it means if it is wrong."""

    text: str | None
    tag: str | None = None
    residual: float | None = None
    half: str | None = None


@dataclass(frozen=True)
class SublayerCall:
    """What went into a sublayer and what came out."""

    input: torch.Tensor
    output: torch.Tensor


class NormNames:
    """Names for norms by their weight and bias, so that one norm reads the same wherever it stands.

    `extra` is the number of the first norm that has no place in the formula asked for.
    """

    def __init__(self, extra: int = 2) -> None:
        self._extra, self._known = extra, dict[str, NormFound]()

    def name(self, found: NormFound, preferred: str) -> str:
        """The name that this norm has already, else `preferred` if that is free, else one with the next number."""
        for name, known in self._known.items():
            if gap(found.weight, known.weight) <= SAME_AFFINE and gap(found.bias, known.bias) <= SAME_AFFINE:
                return name
        name, number = preferred, self._extra
        while name in self._known:
            name, number = f"Norm{number}", number + 1
        self._known[name] = found
        return name

    def names(self) -> tuple[str, ...]:
        """The names given so far."""
        return tuple(self._known)

    def __contains__(self, name: str) -> bool:
        return name in self._known


@dataclass(frozen=True)
class Half:
    """What is known of one half: its input `base`, the sublayer's calls, its result, and what else it may have used.

    `vectors` are the module's own parameters of shape (dim,), candidates for a norm's weight and bias; `normed` are
    norms of `base` that were seen; `others` are earlier tensors by name that may be added, `earlier` those that a
    sublayer may have got by mistake. The names are those of the formula: base "x",
    sublayer "F", norm "Norm".
    """

    base: torch.Tensor
    calls: Sequence[SublayerCall]
    result: torch.Tensor
    vectors: Sequence[torch.Tensor] = ()
    normed: Sequence[torch.Tensor] = ()
    others: dict[str, torch.Tensor] = field(default_factory=dict)
    names: tuple[str, str, str] = ("x", "F", "Norm")
    half: str | None = None
    norms: NormNames = field(default_factory=NormNames)
    earlier: dict[str, torch.Tensor] = field(default_factory=dict)

    def skips(self) -> dict[str, torch.Tensor]:
        """Tensors that may stand for the shortcut: the base first."""
        return {self.names[0]: self.base, **self.others}

    def read(self, found: NormFound, argument: str) -> str:
        """A norm of `argument` as it reads in a formula."""
        text = NORMS[found.kind][0]
        return f"{text.format(norm=self.norms.name(found, self.names[2]))}({argument})"
