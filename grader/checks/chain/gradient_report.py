"""What a helper that should print the mean absolute gradient of each weight has printed instead.

Numbers are looked for in the text, in any layout: the values must be there in their order, to three digits or as far as
they were printed.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import torch

from grader.checks.chain.activations import Tensor

PRECISION = 2e-3
MOST_CHARACTERS = 10_000
NUMBER = re.compile(  # not the numbers in a name such as layers.0.0.weight
    r"-?(?:(?<![\d.])\d{1,20}(?:\.\d{0,25})?|(?<![\w.])\.\d{1,25})(?:[eE][-+]?\d{1,3})?(?!\w|\.\w)"
)


@dataclass(frozen=True)
class Printed:
    """A number as it was printed: its value, and half of its last digit."""

    value: float
    half: float

    def is_about(self, wanted: float) -> bool:
        """Whether it is that value, as far as it was printed."""
        return abs(self.value - wanted) <= max(PRECISION * abs(wanted), 1.001 * self.half)


def numbers(text: str) -> list[Printed]:
    """All numbers of a text, in order."""
    found = []
    for match in NUMBER.finditer(text[:MOST_CHARACTERS]):
        mantissa, _, exponent = match[0].lower().partition("e")
        decimals = len(mantissa.partition(".")[2])
        value = float(match[0])
        if math.isfinite(value):
            whole = not decimals and not exponent  # a counter, or torch's way to show a whole number: not rounded
            found.append(Printed(value, 0.0 if whole else 0.5 * 10.0 ** (int(exponent or 0) - decimals)))
    return found


def are_in(wanted: Sequence[float], found: Sequence[Printed]) -> bool:
    """Whether all values are there, in this order."""
    rest = iter(found)
    return bool(wanted) and all(any(one.is_about(value) for one in rest) for value in wanted)


def in_order(wanted: Sequence[float], found: Sequence[Printed]) -> list[Printed | None]:
    """For each value the number that says it, behind that of the value before; None from where one is not there."""
    rest = iter(found)
    return [next((one for one in rest if one.is_about(value)), None) for value in wanted]


@dataclass(frozen=True)
class Learned:
    """A network's parameters, their gradients for one input, those of each layer's weight and bias, and the output.

    `layers` is empty where it is not known which parameter belongs to which layer.
    """

    parameters: list[Tensor]
    all_gradients: list[Tensor]
    layers: list[tuple[Tensor, Tensor]]
    output: float

    @property
    def weights(self) -> list[Tensor]:
        """The parameters that are matrices, in the order in which they are listed."""
        return [value for value in self.parameters if value.dim() > 1]

    @property
    def gradients(self) -> list[Tensor]:
        """The gradients of the weights, layer by layer where that is known."""
        listed = [g for g in self.all_gradients if g.dim() > 1]
        return [weight for weight, _ in self.layers] or listed

    @property
    def biases(self) -> list[Tensor]:
        """The gradients of the biases."""
        return [g for g in self.all_gradients if g.dim() <= 1]

    @property
    def wanted(self) -> list[float]:
        """The values that are asked for."""
        return _means(self.gradients)

    @property
    def everything(self) -> list[float]:
        """The same for all parameters, biases too."""
        return _means(self.all_gradients)

    @property
    def orders(self) -> list[list[float]]:
        """The values layer by layer, and in the order in which the parameters are listed."""
        return [self.wanted, _means([g for g in self.all_gradients if g.dim() > 1])]

    @property
    def tells_apart(self) -> bool:
        """Whether the values are of ordinary size, all different, and not means of gradients of one sign."""
        wanted = self.wanted
        signed = [abs(g.mean().item()) for g in self.gradients]
        near = [a for a, b in itertools.combinations(wanted, 2) if abs(a - b) <= 0.02 * max(a, b)]
        mixed = sum(mean < 0.9 * value for mean, value in zip(signed, wanted, strict=True))
        return bool(wanted) and min(wanted) >= 0.02 and max(wanted) <= 50 and not near and mixed > 1


def _means(tensors: Sequence[Tensor]) -> list[float]:
    return [t.abs().mean().item() for t in tensors]


STATISTICS: dict[str, Callable[[Tensor], Tensor]] = {
    "the mean of the gradients without taking absolute values": torch.mean,
    "the absolute value of the mean, not the mean of the absolute values": lambda t: t.mean().abs(),
    "the sum of the absolute gradients, not their mean": lambda t: t.abs().sum(),
    "the sum of the gradients": torch.sum,
    "the largest absolute gradient, not the mean": lambda t: t.abs().max(),
    "the largest gradient, not the mean": torch.max,
    "the norm of the gradients, not their mean": torch.linalg.vector_norm,
    "the mean of the squared gradients": lambda t: t.square().mean(),
    "the root of the mean of the squared gradients": lambda t: t.square().mean().sqrt(),
    "the standard deviation of the gradients": lambda t: t.std() if t.numel() > 1 else t.sum() * math.nan,
    "the median of the absolute gradients, not their mean": lambda t: t.abs().median(),
}
OF_WEIGHTS: dict[str, Callable[[Tensor], Tensor]] = {
    "the mean of the absolute weights, not of their gradients": lambda t: t.abs().mean(),
    "the mean of the weights, not of their gradients": torch.mean,
    "the norm of the weights, not their gradients": torch.linalg.vector_norm,
}


def printed_instead(found: Sequence[Printed], learned: Learned) -> str | None:
    """What the numbers are, in words that follow "it prints"; None where that cannot be said."""
    for words, values in _kinds(learned):
        if all(math.isfinite(value) for value in values) and are_in(values, found):
            return words
    wanted, measured = learned.wanted, [one for one in found if one.half]
    if len(measured) == 1 and any(measured[0].is_about(total) for total in _totals(learned)):
        return SINGLE
    if (other := _another_loss(found, learned)) is not None:
        return other
    there = sum(any(one.is_about(value) for one in found) for value in wanted)
    return f"only {there} of the {len(wanted)} values that are asked for" if there else None


def _kinds(learned: Learned) -> Iterator[tuple[str, list[float]]]:
    yield "the gradients themselves, not their mean", torch.cat([g.flatten() for g in learned.gradients]).tolist()
    for words, statistic in STATISTICS.items():
        yield words, [statistic(t).item() for t in learned.gradients]
    for words, statistic in OF_WEIGHTS.items():
        yield words, [statistic(t).item() for t in learned.weights]
    if len(learned.biases) == len(learned.weights):
        yield "gradients of the biases, not of the weights", _means(learned.biases)


SINGLE = "a single number for the whole network, not one for each weight"


def _totals(learned: Learned) -> Iterator[float]:
    weights = torch.cat([g.flatten() for g in learned.gradients])
    everything = torch.cat([g.flatten() for g in learned.all_gradients])
    for values in (weights, everything, torch.tensor(learned.wanted)):
        yield from (values.abs().mean().item(), values.abs().sum().item(), values.norm().item())


def _another_loss(found: Sequence[Printed], learned: Learned) -> str | None:
    """All gradients times one factor are those of another loss, since the output is one number."""
    wanted, slope = learned.wanted, abs(2 * learned.output)
    for factor, words in (
        (1 / slope if slope else math.nan, "gradients of the output itself, not of the mean squared error"),
        (2.0, "twice the gradients: does the backward pass run twice?"),
        (0.5, "half the gradients: is the error halved, or averaged over too much?"),
    ):
        if math.isfinite(factor) and are_in([factor * value for value in wanted], found):
            return words
    for one in found:
        factor = one.value / wanted[0] if wanted[0] else 0.0
        if factor > 0 and one.half < PRECISION * one.value and _all_times(factor, wanted, found):
            return "gradients of another loss than the mean squared error against zeros"
    return None


def _all_times(factor: float, wanted: Sequence[float], found: Sequence[Printed]) -> bool:
    rest = iter(found)
    return all(
        any(abs(one.value - factor * value) <= 3 * PRECISION * factor * value + one.half for one in rest)
        for value in wanted
    )


def are_in_another_order(wanted: Sequence[float], found: Sequence[Printed]) -> bool:
    """Whether each value is there, wherever it is."""
    places = [{at for at, one in enumerate(found) if one.is_about(value)} for value in wanted]
    return all(places) and len(set(itertools.chain(*places))) >= len(wanted)
