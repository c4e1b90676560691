"""Where dropout sits in a chain of layers: seen by silencing all layers but one and looking at what gets lost.

With shortcuts, layers whose weights and biases are all zero hand their input on, since GELU(0) = 0. What is dropped
from zeros does not show, so each place of one layer can be looked at alone.
"""

from __future__ import annotations

import math

import torch

from grader.checks.chain.activations import ACTIVATION, ERF, LESSON, Tensor
from grader.checks.chain.layers import ONE
from grader.checks.chain.layout import Places
from grader.checks.chain.onlooker import Onlooker
from grader.checks.chain.rules import COUNT, named
from grader.checks.student import Remote

ROWS, WIDTH = 60, 4
SIZES = (WIDTH,) * (COUNT + 1)
LARGE = 8.0  # where GELU is the identity
CLOSE = 1e-6


def dropout_formula(look: Onlooker) -> str | None:
    """The formula with dropout in its place, for a network that computes the formula asked for in evaluation mode."""
    net, values = look.build(SIZES, True)
    _, which = look.look_at(net, list(values.values()), SIZES, True)
    quiet = Quiet(net.train(), values, which, look.draw.input(ROWS, WIDTH).abs() + LARGE)
    if (text := quiet.on_the_stream()) is not None:
        return text
    found = {number: quiet.in_layer(number) for number in range(COUNT)}
    texts = {text for text in found.values() if text is not None}
    if len(texts) != 1:
        return None
    layers = [number for number, text in found.items() if text is not None]
    (text,) = texts
    return text if len(layers) == COUNT else f"{text} in {named(layers)}"


class Quiet:
    """A network in training of which one layer at a time speaks. `x` is so large that GELU leaves it as it is."""

    def __init__(self, net: Remote, values: dict[str, Tensor], which: Places, x: Tensor) -> None:
        self._net, self._values, self._which, self._x = net, values, which, x

    def output(self, number: int, bias: Tensor, weight: Tensor | None = None) -> Tensor:
        """The output where all layers but one are zero."""
        values = [torch.zeros_like(value) for value in self._values.values()]
        values = self._which.with_layer(values, number, torch.zeros(WIDTH, WIDTH) if weight is None else weight, bias)
        self._net.assign(dict(zip(self._values, values, strict=True)))
        output = self._net(self._x)
        return output if output.shape == self._x.shape else torch.full_like(self._x, math.nan)

    def in_layer(self, number: int) -> str | None:
        """The formula of one layer that drops something on its way from x to the sum; None where it does not."""
        none, small = torch.zeros(WIDTH), torch.linspace(0.5, 1.5, WIDTH)
        if (factor := dropped(self.output(number, none, torch.eye(WIDTH)) - self._x, self._x)) is None:
            return None
        if dropped(self.output(number, none + LARGE) - self._x, none + LARGE) is None:
            return f"x + {ONE.replace('(x)', '(Dropout(x))')}"
        made = self.output(number, small) - self._x
        for function in (ACTIVATION[LESSON], ACTIVATION[ERF]):
            for text, whole in (
                (f"x + Dropout({ONE})", factor * function(small)),
                (f"x + {ONE.replace('Linear(x)', 'Dropout(Linear(x))')}", function(factor * small)),
            ):
                if (told := dropped(made, whole)) is not None and abs(told - 1) < CLOSE:
                    return text
        return None

    def on_the_stream(self) -> str | None:
        """The formula where something of x itself is dropped, on the shortcut or after the sum."""
        all_of_it = dropped(self.output(0, torch.zeros(WIDTH)), self._x)
        if all_of_it is None:
            return None
        bias = torch.full((WIDTH,), LARGE)
        last, first = self.output(COUNT - 1, bias), self.output(0, bias)
        if bool((last.abs() < CLOSE).any()):  # the last layer's own branch is lost, too
            alone = last[(last.abs() >= CLOSE) & (last < last[last.abs() >= CLOSE].min() + CLOSE)]
            once, text = alone.min() / LARGE, f"Dropout(x + {ONE})"
        else:
            without_x = first[first.abs() >= CLOSE].min() / LARGE
            once, text = all_of_it / without_x, f"Dropout(x) + {ONE}"
        times = math.log(all_of_it) / math.log(once) if once > 1 else math.inf
        if abs(times - COUNT) < CLOSE:
            return text
        return f"{text} in {named([COUNT - 1])}" if abs(times - 1) < CLOSE and text.startswith("Dropout(x +") else None


def dropped(made: Tensor, whole: Tensor) -> float | None:
    """The factor of what was kept, where some of `whole` was dropped and the rest multiplied; None otherwise."""
    lost = made.abs() < CLOSE
    factors = (made / whole)[~lost]
    if not lost.any() or not factors.numel() or not bool(((factors - factors.median()).abs() < CLOSE).all()):
        return None
    return float(factors.median())
