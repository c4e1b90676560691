"""Highway layers read from numbers alone, and formulas of gated layers named from their operations."""

import pytest
import torch
from torch.nn import functional

from grader.checks.claims import Operation
from grader.checks.draw import Draw
from grader.checks.expect import gap
from grader.checks.residual.gated import HIGHWAY, identify_gated
from grader.checks.residual.highway import as_highway, places
from grader.sandbox.worker.operations import Recorder

DIM = 3


class Layer:
    """A gated layer in functions; `mix` makes its output of the input and its two linear maps."""

    def __init__(self, draw, mix):
        self.weights = [draw.normal(DIM, DIM) / DIM**0.5 for _ in range(2)]
        self.biases = [0.5 * draw.normal(DIM) for _ in range(2)]
        self.mix = mix

    def __call__(self, x):
        return self.mix(self, x)

    def h(self, x):
        return torch.relu(x @ self.weights[0] + self.biases[0])

    def z(self, x):
        return x @ self.weights[1] + self.biases[1]

    def t(self, x):
        return torch.sigmoid(self.z(x))

    def operations(self, x):
        with Recorder([x], {}) as recorder:
            result = self(x)
        listed = [Operation(o.name, tuple(o.inputs), o.result, o.tracked, None) for o in recorder.operations]
        return recorder.number(result), listed


def mixed(t, h, x):
    return t * h + (1 - t) * x


RIGHT = {
    "as in the task": lambda s, x: mixed(s.t(x), s.h(x), x),
    "one operation": lambda s, x: torch.lerp(x, s.h(x), s.t(x)),
    "a gate that carries": lambda s, x: s.t(x) * x + (1 - s.t(x)) * s.h(x),
}
WRONG = {
    "T·H(x)": ("missing-skip", lambda s, x: s.t(x) * s.h(x)),
    "T·H(x) + x": ("wrong-scale", lambda s, x: s.t(x) * s.h(x) + x),
    "H(x) + (1 - T)·x": ("wrong-scale", lambda s, x: s.h(x) + (1 - s.t(x)) * x),
    "T·H(x) + T·x": ("wrong-scale", lambda s, x: s.t(x) * (s.h(x) + x)),
    "T·H(x) + (1 + T)·x": ("wrong-scale", lambda s, x: s.t(x) * s.h(x) + (1 + s.t(x)) * x),
    "0.5·T·H(x) + (1 - 0.5·T)·x": ("wrong-scale", lambda s, x: mixed(0.5 * s.t(x), s.h(x), x)),
    "H(x) + x": ("wrong-gate", lambda s, x: s.h(x) + x),
    f"{HIGHWAY}, T = tanh(W·x + b)": ("wrong-gate", lambda s, x: mixed(torch.tanh(s.z(x)), s.h(x), x)),
    f"{HIGHWAY}, T = (W·x + b)": ("wrong-gate", lambda s, x: mixed(s.z(x), s.h(x), x)),
    f"{HIGHWAY}, T = sigmoid(W·H(x) + b)": ("wrong-gate", lambda s, x: mixed(s.t(s.h(x)), s.h(x), x)),
    "T·(W·x + b) + (1 - T)·x": (
        "missing-activation",
        lambda s, x: mixed(s.t(x), x @ s.weights[0] + s.biases[0], x),
    ),
    "T·gelu(W·x + b) + (1 - T)·x": (
        "wrong-activation",
        lambda s, x: mixed(s.t(x), functional.gelu(x @ s.weights[0] + s.biases[0]), x),
    ),
    f"relu({HIGHWAY})": ("extra-op", lambda s, x: torch.relu(mixed(s.t(x), s.h(x), x))),
    f"Norm({HIGHWAY})": ("extra-op", lambda s, x: functional.layer_norm(mixed(s.t(x), s.h(x), x), (DIM,))),
}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", ["as in the task", "one operation"])
def test_reads_gate_and_transform(name, seed):
    draw = Draw(seed)
    layer, x = Layer(draw, RIGHT[name]), places(draw, DIM)

    found = as_highway(layer(x), x)

    assert gap(found.gate.weight, layer.weights[1]) < 1e-6
    assert gap(found.gate.bias, layer.biases[1]) < 1e-6
    assert gap(found.transform.weight, layer.weights[0]) < 1e-6
    assert gap(found.transform.bias, layer.biases[0]) < 1e-6


def test_reads_the_gate_of_a_layer_that_says_what_it_carries():
    draw = Draw(0)
    layer, x = Layer(draw, RIGHT["a gate that carries"]), places(draw, DIM)

    found = as_highway(layer(x), x)

    assert gap(found.gate.bias, -layer.biases[1]) < 1e-6


def test_a_transform_that_is_zero_leaves_the_gate():
    draw = Draw(0)
    layer, x = Layer(draw, lambda s, x: (1 - s.t(x)) * x), places(draw, DIM)

    found = as_highway(layer(x), x)

    assert (found.transform, found.alive) == (None, 0)
    assert gap(found.gate.weight, layer.weights[1]) < 1e-6


@pytest.mark.parametrize("text", WRONG)
def test_another_layer_is_no_highway(text):
    draw = Draw(0)
    layer, x = Layer(draw, WRONG[text][1]), places(draw, DIM)

    found = as_highway(layer(x), x)

    assert found is None


@pytest.mark.parametrize("text", WRONG)
def test_names_the_formula(text):
    draw = Draw(0)

    found = identify_gated(Layer(draw, WRONG[text][1]), draw.input(60, DIM))

    assert (found.text, found.tag) == (text, WRONG[text][0])


def test_names_a_highway():
    draw = Draw(0)

    found = identify_gated(Layer(draw, RIGHT["as in the task"]), draw.input(60, DIM))

    assert (found.text, found.tag) == (HIGHWAY, None)


def test_does_not_guess():
    draw = Draw(0)

    found = identify_gated(Layer(draw, lambda s, x: s.t(x).square() * s.h(x).exp() * x), draw.input(60, DIM))

    assert found.text is None
