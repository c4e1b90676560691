"""What a feed forward consists of, read from the layers that were called: width, biases, and what stands between."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from grader.checks.combine import ACTIVATIONS
from grader.checks.expect import EXACT, fail, gap
from grader.checks.halves import Sublayer
from grader.checks.student import ModuleCall, Student

ASKED = "Linear to four times the width, GELU, Linear back."


@dataclass(frozen=True)
class FeedForward:
    """The linear layers of a feed forward in the order of their calls, and what it returned."""

    layers: tuple[ModuleCall, ...]
    output: torch.Tensor

    def expect(self, *, width: int, student: Student) -> None:
        """Two layers with biases, `width` inside, GELU between them. Remarks on nn.GELU, which is the exact form."""
        if len(self.layers) != 2:
            student.remark("Your feed forward could not be looked into from outside; your teacher can.")
            return
        inner, outer = self.layers[0].result, self.layers[1].input
        if inner.shape[-1] != width:
            fail(
                f"Your feed forward is {inner.shape[-1]} wide inside.",
                expected=f"4 × emb_dim, here {width}.",
                tag="wrong-size",
            )
        self._expect_activation(inner, outer, student)
        for layer in self.layers:
            if gap(layer.module(torch.zeros_like(layer.input)), torch.zeros_like(layer.result)) == 0:
                fail(
                    "A linear layer of your feed forward has no bias.",
                    expected="nn.Linear with its bias.",
                    tag="missing-bias",
                )

    def _expect_activation(self, inner: torch.Tensor, outer: torch.Tensor, student: Student) -> None:
        found = next((n for n, f in ACTIVATIONS.items() if gap(outer, f(inner)) <= EXACT), None)
        if found == "gelu_erf":
            student.remark(
                "nn.GELU() is the exact GELU; the lesson's GELU is the tanh form. They differ by less than 0.0005."
            )
        elif gap(outer, inner) <= EXACT:
            if gap(self.output, self.layers[1].result) > EXACT:
                fail(
                    "The activation of your feed forward comes after its second layer.",
                    expected=ASKED,
                    tag="activation-order",
                )
            fail(
                "There is no activation between the two layers of your feed forward.",
                expected=ASKED,
                tag="missing-activation",
            )
        elif found != "gelu":
            what = f"is {found}" if found else "is not the GELU of the lesson"
            fail(f"The activation between the two layers {what}.", expected=ASKED, tag="wrong-activation")


def feed_forward_of(sublayer: Sublayer) -> FeedForward:
    """The feed forward behind a sublayer of kind "F"."""
    layers = tuple(part for part in sublayer.parts if part.kind.endswith("Linear"))
    return FeedForward(layers, sublayer.output)
