"""Formulas of a half, named from its numbers: single mistakes and two at a time."""

import pytest
import torch

from grader.checks.residual.half import Half, SublayerCall
from grader.checks.residual.identify import identify_half

DIM = 8


class Numbers:
    """Random numbers for one half: its input `x`, a sublayer `f`, norms of which each has its own scale and shift."""

    def __init__(self):
        self.random = torch.Generator().manual_seed(0)
        self.x = 1.2 * self.draw(4, 6, DIM) + 0.5
        self.other = 1.2 * self.draw(4, 6, DIM) + 0.5
        self.matrices = self.draw(DIM, DIM), self.draw(DIM, DIM)
        self.affine = [(1 + 0.5 * self.draw(DIM), 0.5 * self.draw(DIM)) for _ in range(2)]

    def draw(self, *shape):
        return torch.randn(shape, generator=self.random, dtype=torch.float64)

    def f(self, t):
        return torch.tanh(t @ self.matrices[0]) @ self.matrices[1]

    def n(self, t, number=0, eps=1e-5):
        weight, bias = self.affine[number]
        return torch.nn.functional.layer_norm(t, (DIM,), weight, bias, eps)

    def vectors(self):
        return [vector for pair in self.affine for vector in pair]


def named(given, result, called=True):
    """What a half is called whose sublayer gets `given(numbers)` and that returns `result(numbers, f)`."""
    numbers = Numbers()
    went_in = given(numbers)
    came_out = numbers.f(went_in)
    calls = [SublayerCall(went_in, came_out)] if called else []
    return identify_half(Half(numbers.x, calls, result(numbers, came_out), numbers.vectors()))


def normed(s):
    return s.n(s.x)


FORMULAS = {
    "x + F(Norm(x))": (None, normed, lambda s, f: s.x + f),
    "F(Norm(x))": ("missing-skip", normed, lambda s, f: f),
    "x + F(x)": ("missing-norm", lambda s: s.x, lambda s, f: s.x + f),
    "Norm(x + F(x))": ("post-norm", lambda s: s.x, lambda s, f: s.n(s.x + f)),
    "x + Norm(F(x))": ("norm-on-output", lambda s: s.x, lambda s, f: s.x + s.n(f)),
    "Norm(x) + F(Norm(x))": ("skip-after-norm", normed, lambda s, f: normed(s) + f),
    "Norm(F(x))": ("missing-skip", lambda s: s.x, lambda s, f: s.n(f)),
    "x + Norm2(F(Norm(x)))": ("norm-on-output", normed, lambda s, f: s.x + s.n(f, 1)),
    "x + Norm(F(Norm(x)))": ("norm-on-output", normed, lambda s, f: s.x + s.n(f)),
    "Norm2(x + F(Norm(x)))": ("double-norm", normed, lambda s, f: s.n(s.x + f, 1)),
    "Norm(x + F(Norm(x)))": ("double-norm", normed, lambda s, f: s.n(s.x + f)),
    "x + F(Norm(Norm(x)))": ("double-norm", lambda s: s.n(s.n(s.x)), lambda s, f: s.x + f),
    "x + F(Norm2(Norm(x)))": ("double-norm", lambda s: s.n(s.n(s.x), 1), lambda s, f: s.x + f),
    "2·x + F(Norm(x))": ("wrong-scale", normed, lambda s, f: 2 * s.x + f),
    "0.5·x + 0.5·F(Norm(x))": ("wrong-scale", normed, lambda s, f: (s.x + f) / 2),
    "x + scale·F(Norm(x))": ("wrong-scale", normed, lambda s, f: s.x + s.affine[1][0] * f),
    "x - F(Norm(x))": ("wrong-combine", normed, lambda s, f: s.x - f),
    "x · F(Norm(x))": ("wrong-combine", normed, lambda s, f: s.x * f),
    "max(x, F(Norm(x)))": ("wrong-combine", normed, lambda s, f: torch.maximum(s.x, f)),
    "relu(x + F(Norm(x)))": ("extra-op", normed, lambda s, f: torch.relu(s.x + f)),
    "x + relu(F(Norm(x)))": ("extra-op", normed, lambda s, f: s.x + torch.relu(f)),
    "relu(F(Norm(x)))": ("extra-op", normed, lambda s, f: torch.relu(f)),
    "F(Norm(x)) + relu(x)": ("missing-skip", normed, lambda s, f: torch.relu(s.x) + f),
    "2·x + relu(F(Norm(x)))": ("extra-op", normed, lambda s, f: 2 * s.x + torch.relu(f)),
    "x + F(relu(Norm(x)))": ("extra-op", lambda s: torch.relu(s.n(s.x)), lambda s, f: s.x + f),
    "F(x)": ("missing-skip", lambda s: s.x, lambda s, f: f),
    "2·F(Norm(x))": ("wrong-skip-tensor", normed, lambda s, f: 2 * f),
    "x": ("sublayer-unused", normed, lambda s, f: s.x),
    "x + mean_tokens(F(Norm(x)))": ("silent-broadcast", normed, lambda s, f: s.x + f.mean(1, keepdim=True)),
    "x + F(Norm(x))[last token]": ("silent-broadcast", normed, lambda s, f: s.x + f[:, -1:]),
    "W·x + F(Norm(x))": ("extra-op", normed, lambda s, f: s.x @ s.matrices[0] + f),
    "W·cat(x, F(Norm(x)))": ("wrong-combine", normed, lambda s, f: s.x @ s.matrices[0] + f @ s.matrices[1]),
}


@pytest.mark.parametrize("formula", FORMULAS)
def test_a_formula_is_named(formula):
    tag, given, result = FORMULAS[formula]

    found = named(given, result)

    assert (found.text, found.tag) == (formula, tag)


@pytest.mark.parametrize(
    "result",
    [
        lambda s, f: s.x + f + 0.01 * torch.sin(s.x),
        lambda s, f: s.x + f.flip(1),
        lambda s, f: s.x + f * s.other,
        lambda s, f: s.x + f + s.other,
    ],
    ids=["a wave", "flipped", "times something", "plus something"],
)
def test_outside_the_catalogue_nothing_is_guessed(result):
    assert named(normed, result).text is None


def test_an_input_outside_the_catalogue_is_not_guessed():
    assert named(lambda s: torch.sin(s.x) * 3, lambda s, f: s.x + f).text is None


@pytest.mark.parametrize("eps", [1e-6, 3e-5, 1e-4])
def test_another_eps_is_the_same_formula(eps):
    found = named(lambda s: s.n(s.x, eps=eps), lambda s, f: s.x + f)

    assert (found.text, found.tag) == ("x + F(Norm(x))", None)


NORMS = {
    "unbiased": ("norm-wrong-stat", lambda c, x: c / (x.var(-1, keepdim=True) + 1e-5).sqrt()),
    "std + eps": ("norm-wrong-stat", lambda c, x: c / (x.std(-1, keepdim=True) + 1e-2)),
    "variance": ("norm-wrong-stat", lambda c, x: c / (x.var(-1, keepdim=True, unbiased=False) + 1e-5)),
    "rms": ("wrong-norm", lambda c, x: x / (x.square().mean(-1, keepdim=True) + 1e-6).sqrt()),
    "tokens": ("norm-wrong-axis", lambda c, x: torch.nn.functional.layer_norm(x.mT, (6,)).mT),
    "range": ("wrong-norm", lambda c, x: (x - x.amin(-1, keepdim=True)) / (x.amax(-1, True) - x.amin(-1, True))),
}


@pytest.mark.parametrize("name", NORMS)
def test_another_norm_is_told_from_a_layer_norm(name):
    tag, function = NORMS[name]

    def given(s):
        return function(s.x - s.x.mean(-1, keepdim=True), s.x) * s.affine[0][0] + s.affine[0][1]

    assert named(given, lambda s, f: s.x + f).tag == tag


def test_a_sublayer_of_another_width_is_no_error():
    numbers = Numbers()
    given = numbers.n(numbers.x)

    found = identify_half(Half(numbers.x, [SublayerCall(given, given[..., :3])], numbers.other, numbers.vectors()))

    assert found.text is None
