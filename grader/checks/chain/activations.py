"""Activation functions by the name under which a formula shows them: the lesson's GELU, and what stands in for it."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import torch
from torch.nn import functional

Tensor = torch.Tensor
Activation = Callable[[Tensor], Tensor]


def gelu(t: Tensor, factor: float = 0.044715, scale: float = math.sqrt(2 / math.pi), power: int = 3) -> Tensor:
    """The lesson's GELU with the usual slips."""
    return 0.5 * t * (1 + torch.tanh(scale * (t + factor * t**power)))


LESSON, ERF = "GELU", "GELU[erf]"
ACTIVATION: dict[str, Activation] = {
    LESSON: partial(functional.gelu, approximate="tanh"),
    ERF: functional.gelu, "relu": torch.relu, "silu": functional.silu, "sigmoid": torch.sigmoid,
    "tanh": torch.tanh, "leaky_relu": functional.leaky_relu, "elu": functional.elu, "selu": functional.selu,
    "softplus": functional.softplus, "mish": functional.mish, "relu6": functional.relu6,
    "hardswish": functional.hardswish,
    "softmax": lambda t: torch.softmax(t, -1), "sin": torch.sin, "softsign": functional.softsign,
    "leaky_relu[0.1]": lambda t: functional.leaky_relu(t, 0.1),
    "leaky_relu[0.2]": lambda t: functional.leaky_relu(t, 0.2),
    "GELU[x·sigmoid(1.702·x)]": lambda t: t * torch.sigmoid(1.702 * t),
    "GELU[0.44715]": lambda t: gelu(t, 0.44715), "GELU[0.0044715]": lambda t: gelu(t, 0.0044715),
    "GELU[0.04715]": lambda t: gelu(t, 0.04715), "GELU[0.044715 missing]": lambda t: gelu(t, 1.0),
    "GELU[no cubic term]": lambda t: gelu(t, 0.0), "GELU[x² for x³]": lambda t: gelu(t, power=2),
    "GELU[2/π without root]": lambda t: gelu(t, scale=2 / math.pi),
    "GELU[√2/π]": lambda t: gelu(t, scale=math.sqrt(2) / math.pi),
    "GELU[√(π/2)]": lambda t: gelu(t, scale=math.sqrt(math.pi / 2)), "GELU[no √(2/π)]": lambda t: gelu(t, scale=1.0),
    "GELU[tanh around √(2/π) only]":
        lambda t: 0.5 * t * (1 + math.tanh(math.sqrt(2 / math.pi)) * (t + 0.044715 * t**3)),
    "GELU[no 0.5]": lambda t: 2 * gelu(t), "GELU[no 1 +]": lambda t: gelu(t) - 0.5 * t,
    "GELU[1 - tanh]": lambda t: t - gelu(t),
    "GELU[no x in front]": lambda t: 0.5 * (1 + torch.tanh(math.sqrt(2 / math.pi) * (t + 0.044715 * t**3))),
    "GELU[0.5·x + tanh]": lambda t: 0.5 * t + torch.tanh(math.sqrt(2 / math.pi) * (t + 0.044715 * t**3)),
}  # fmt: skip
