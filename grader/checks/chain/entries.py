"""Finding weights and biases that no shape gives away: packed into one tensor, stacked, cut into rows, transposed.

In a chain of layers, the gradient of a weight is that of its unit's bias times the input that it multiplies. So
gradients of a few random inputs tell which number is what, layer by layer: known inputs of a layer show its units, and
known units give the inputs of the next layer. Nothing is believed before it gives the network's own output.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import torch

from grader.checks.chain.activations import ACTIVATION, Activation, Tensor
from grader.checks.chain.layout import Layers
from grader.checks.draw import Draw
from grader.checks.expect import EXACT, gap
from grader.checks.student import Remote

SAMPLES = 3
MOST_NUMBERS = 1000  # of a network that is looked at this way
AGREES = 1e-7


@dataclass(frozen=True)
class Entries:
    """For each layer, the positions of its weight (out, in) and bias (out,) in all parameters laid end to end."""

    weights: list[Tensor]
    biases: list[Tensor]

    def layers(self, values: Sequence[Tensor], sizes: Sequence[int]) -> Layers | None:
        """As Places."""
        flat = _flat(values)
        wanted = [(n_out, n_in) for n_in, n_out in itertools.pairwise(sizes)]
        last = max(int(one.max()) for one in (*self.weights, *self.biases))
        if [tuple(one.shape) for one in self.weights] != wanted or last >= flat.numel():
            return None
        return [(flat[weight], flat[bias]) for weight, bias in zip(self.weights, self.biases, strict=True)]

    def pieces(self, values: Sequence[Tensor], sizes: Sequence[int]) -> Layers | None:
        """As Places."""
        return self.layers(values, sizes)

    def with_layer(self, values: Sequence[Tensor], number: int, weight: Tensor, bias: Tensor) -> list[Tensor]:
        """As Places."""
        flat = _flat(values)
        flat[self.weights[number]], flat[self.biases[number]] = weight, bias
        parts = flat.split([value.numel() for value in values])
        return [part.reshape(value.shape) for part, value in zip(parts, values, strict=True)]


@dataclass(frozen=True)
class Samples:
    """A network's parameters laid end to end, some inputs, its outputs, and for each input the gradients likewise."""

    flat: Tensor
    inputs: Tensor
    outputs: Tensor
    gradients: Tensor


def found_entries(net: Remote, sizes: Sequence[int], draw: Draw) -> Entries | None:
    """The entries of a network without shortcuts, whatever its activation is. Its parameters change."""
    samples = _samples(net, sizes, draw)
    if samples is None:
        return None
    first = _units(samples, samples.inputs, sizes[1])
    if first is None:
        return None
    return next((found for function in ACTIVATION.values() if (found := _chain(samples, sizes, first, function))), None)


def _samples(net: Remote, sizes: Sequence[int], draw: Draw) -> Samples | None:
    """Inputs and parameters are positive, so that no unit is silent, whatever the activation."""
    known = {name: 0.1 + 0.3 * draw.normal(*value.shape).abs() for name, value in net.parameters().items()}
    inputs = draw.input(SAMPLES, sizes[0]).abs()
    if not 0 < sum(value.numel() for value in known.values()) <= MOST_NUMBERS:
        return None
    net.assign(known)
    reply = net.call(inputs[:1])
    if not reply.graph or not isinstance(reply.value, torch.Tensor) or reply.value.shape != (1, sizes[-1]):
        return None
    outputs, gradients = [], []
    for row in inputs.split(1):
        told = net.gradient(row, draw.normal(1, sizes[-1]))
        mine = [(told.parameters.get(name), value) for name, value in known.items()]
        given = [g if g is not None and g.shape == value.shape else torch.zeros_like(value) for g, value in mine]
        outputs.append(told.output)
        gradients.append(_flat(given))
    return Samples(_flat(known.values()), inputs, torch.cat(outputs), torch.stack(gradients))


def _flat(values: Iterable[Tensor]) -> Tensor:
    return torch.cat([value.reshape(-1) for value in values])


def _chain(
    samples: Samples, sizes: Sequence[int], first: tuple[Tensor, Tensor], function: Activation
) -> Entries | None:
    found, x = [first], samples.inputs
    for size in (*sizes[2:], None):
        weight, bias = found[-1]
        x = function(torch.nn.functional.linear(x, samples.flat[weight], samples.flat[bias]))
        if size is None:
            break
        if (units := _units(samples, x, size)) is None:
            return None
        found.append(units)
    if not gap(samples.outputs, x) <= EXACT:
        return None
    return Entries([weight for weight, _ in found], [bias for _, bias in found])


def _units(samples: Samples, x: Tensor, count: int) -> tuple[Tensor, Tensor] | None:
    """Positions of the weight and bias of the layer whose input is `x`, its units in the order of their biases."""
    gradients = samples.gradients
    size = gradients.norm(dim=0)
    used = (size.isfinite() & (size > 0)).nonzero().flatten()
    wanted = gradients[:, used, None] * x[:, None]  # sample, bias, input
    scale = wanted.norm(dim=0).clamp_min(1e-30)
    first, room = gradients[0].sort().values, 2 * AGREES * scale  # what is far off in one sample is no match in all
    near = torch.searchsorted(first, wanted[0] + room) > torch.searchsorted(first, wanted[0] - room)
    weights, biases = [], []
    for bias in near.all(1).nonzero().flatten().tolist():
        apart = (gradients[:, None] - wanted[:, bias, :, None]).norm(dim=0) / scale[bias, :, None]
        if bool((apart <= AGREES).sum(1).eq(1).all()):
            weights.append(apart.argmin(1))
            biases.append(bias)
    if len(biases) != count:
        return None
    return torch.stack(weights), used[biases]
