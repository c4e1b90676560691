"""What a feed forward consists of, read from what it computes: width, biases, and what stands between its layers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch

from grader.checks.expect import EXACT, cannot_tell, fail, gap
from grader.checks.residual.anatomy import Sublayer
from grader.checks.residual.combinations import linear_residual
from grader.checks.residual.combine import ACTIVATIONS
from grader.checks.student import ModuleCall, Student

ASKED = "Linear to four times the width, GELU, Linear back."


@dataclass(frozen=True)
class FeedForward:
    """The linear layers of a feed forward in the order of their calls, what it returned, and what it computed between.

    `inside` decides where it is not made of two layers that are modules.
    """

    layers: tuple[ModuleCall, ...]
    output: torch.Tensor
    inside: Sequence[torch.Tensor] = ()

    def expect(self, *, width: int, student: Student | None) -> None:
        """Two layers with biases, `width` inside, GELU between them. `student` is told where it is the exact form."""
        if len(self.layers) != 2:
            self._expect_inside(width, student)
            return
        inner, outer = self.layers[0].result, self.layers[1].input
        _expect_width(inner.shape[-1], width)
        self._expect_activation(inner, outer, student)
        for layer in self.layers:
            if gap(layer.module(torch.zeros_like(layer.input)), torch.zeros_like(layer.result)) == 0:
                fail(
                    "A linear layer of your feed forward has no bias.",
                    expected="nn.Linear with its bias.",
                    tag="missing-bias",
                )

    def _expect_activation(self, inner: torch.Tensor, outer: torch.Tensor, student: Student | None) -> None:
        found = next((n for n, f in ACTIVATIONS.items() if gap(outer, f(inner)) <= EXACT), None)
        if gap(outer, inner) <= EXACT:
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
        _expect_gelu(found, student)

    def _expect_inside(self, width: int, student: Student | None) -> None:
        """The same from the tensors: one is GELU of an earlier one, both are linear in what goes in and comes out."""
        found = list(_activations(self.inside))
        if not found:
            cannot_tell(
                "Your feed forward could not be looked into from outside; your teacher can.",
                expected=ASKED,
                staff_note="Nothing that the feed forward computes is a known activation of something else in it.",
            )
        tokens = self.inside[-1].numel() // self.output.shape[-1]
        name, inner, outer = next((one for one in found if one[0].startswith("gelu")), found[0])
        _expect_width(inner.numel() // tokens, width)
        _expect_gelu(None if name in ("tanh", "sigmoid") else name, student)  # these are parts of other activations
        first, last = self.inside[0], self.inside[-1]
        linear = linear_residual(inner, first) <= EXACT and linear_residual(last, outer) <= EXACT
        if not linear and inner.shape[:-1] == last.shape[:-1] == first.shape[:-1]:
            fail("Your feed forward computes more than two layers.", expected=ASKED, tag="extra-op")


def _activations(inside: Sequence[torch.Tensor]) -> Iterator[tuple[str, torch.Tensor, torch.Tensor]]:
    """(activation, what went in, what came out) wherever a tensor is an activation of an earlier one."""
    for at, inner in enumerate(inside):
        for outer in inside[at + 1 :]:
            if outer.shape == inner.shape and gap(inner, outer) > EXACT:
                for name in (n for n, f in ACTIVATIONS.items() if gap(outer, f(inner)) <= EXACT):
                    yield name, inner, outer


def _expect_width(found: int, wanted: int) -> None:
    if found != wanted:
        fail(
            f"Your feed forward is {found} wide inside.",
            expected=f"4 × emb_dim, here {wanted}.",
            tag="wrong-size",
        )


def _expect_gelu(found: str | None, student: Student | None) -> None:
    if found == "gelu_erf":
        if student is not None:
            student.remark(
                "nn.GELU() is the exact GELU; the lesson's GELU is the tanh form. They differ by less than 0.0005."
            )
    elif found != "gelu":
        what = f"is {found}" if found else "is not the GELU of the lesson"
        fail(f"The activation between the two layers {what}.", expected=ASKED, tag="wrong-activation")


def feed_forward_of(sublayer: Sublayer) -> FeedForward:
    """The feed forward behind a sublayer of kind "F"."""
    layers = tuple(part for part in sublayer.parts if part.kind.endswith("Linear"))
    return FeedForward(layers, sublayer.output, sublayer.inside)
