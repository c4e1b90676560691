"""Blocks that are asked for as Norm(x + Dropout(F(x))): formulas from numbers, and dropout seen through the norm."""

import pytest
import torch

from grader.checks.residual.dropout import Dropped
from grader.checks.residual.dropout_in_norm import dropout_in_norm
from grader.checks.residual.half import Half, SublayerCall
from grader.checks.residual.post_norm import identify_normed_sum

DIM = 8
RANDOM = torch.Generator().manual_seed(0)


def draw(*shape):
    return torch.randn(shape, generator=RANDOM, dtype=torch.float64)


X, OTHER = 1.2 * draw(4, 6, DIM) + 0.5, 1.2 * draw(4, 6, DIM) + 0.5
MATRICES = draw(DIM, DIM), draw(DIM, DIM)
AFFINE = [(1 + 0.5 * draw(DIM), 0.5 * draw(DIM)) for _ in range(2)]


def sublayer(t):
    return torch.tanh(t @ MATRICES[0]) @ MATRICES[1]


def n(t, number=0, eps=1e-5):
    return torch.nn.functional.layer_norm(t, (DIM,), *AFFINE[number], eps)


def named(result, given=X, more=()):
    """What a block is called whose sublayer gets `given`, and later `more`, and that returns `result(x, f)`."""
    calls = [SublayerCall(t, sublayer(t)) for t in (given, *more)]
    vectors = [vector for pair in AFFINE for vector in pair]
    return identify_normed_sum(Half(X, calls, result(X, calls[0].output), vectors))


FORMULAS = {
    "Norm(x + F(x))": (None, lambda x, f: n(x + f)),
    "x + F(x)": ("missing-norm", lambda x, f: x + f),
    "x + Norm(F(x))": ("norm-on-output", lambda x, f: x + n(f)),
    "Norm(F(x))": ("missing-skip", lambda x, f: n(f)),
    "Norm(x)": ("sublayer-unused", lambda x, f: n(x)),
    "F(x) + Norm(x)": ("skip-after-norm", lambda x, f: n(x) + f),
    "Norm(x - F(x))": ("wrong-combine", lambda x, f: n(x - f)),
    "Norm(-x + F(x))": ("wrong-combine", lambda x, f: n(f - x)),
    "Norm(x · F(x))": ("wrong-combine", lambda x, f: n(x * f)),
    "Norm(max(x, F(x)))": ("wrong-combine", lambda x, f: n(torch.maximum(x, f))),
    "Norm(2·x + F(x))": ("wrong-scale", lambda x, f: n(2 * x + f)),
    "Norm(x + 0.1·F(x))": ("wrong-scale", lambda x, f: n(x + 0.1 * f)),
    "Norm(relu(x + F(x)))": ("extra-op", lambda x, f: n(torch.relu(x + f))),
    "relu(Norm(x + F(x)))": ("extra-op", lambda x, f: torch.relu(n(x + f))),
    "x + Norm(x + F(x))": ("extra-op", lambda x, f: x + n(x + f)),
    "Norm(Norm(x + F(x)))": ("double-norm", lambda x, f: n(n(x + f), 1)),
    "Norm(x + mean_tokens(F(x)))": ("silent-broadcast", lambda x, f: n(x + f.mean(1, keepdim=True))),
    "Norm[eps = 0.1](x + F(x))": ("norm-wrong-stat", lambda x, f: n(x + f, eps=0.1)),
    "RMSNorm(x + F(x))": ("wrong-norm", lambda x, f: (x + f) * ((x + f).square().mean(-1, keepdim=True)).rsqrt()),
}


@pytest.mark.parametrize("formula", FORMULAS)
def test_a_formula_is_named(formula):
    tag, result = FORMULAS[formula]

    found = named(result)

    assert (found.text, found.tag) == (formula, tag)


@pytest.mark.parametrize(
    ("formula", "tag", "result"),
    [
        ("x + F(Norm(x))", "pre-norm", lambda x, f: x + f),
        ("Norm(x) + F(Norm(x))", "pre-norm", lambda x, f: n(x) + f),
        ("Norm2(x + F(Norm(x)))", "double-norm", lambda x, f: n(x + f, 1)),
        ("F(Norm(x))", "missing-skip", lambda x, f: f),
    ],
)
def test_a_norm_before_the_sublayer_is_named(formula, tag, result):
    found = named(result, given=n(X))

    assert (found.text, found.tag) == (formula, tag)


def test_a_sublayer_on_its_own_result_is_named():
    twice = sublayer(sublayer(X))

    found = named(lambda x, f: n(x + twice), more=(sublayer(X),))

    assert (found.text, found.tag) == ("Norm(x + F(F(x)))", "sublayer-twice")


@pytest.mark.parametrize("factor", [0.5, 1.0, 3.0])
def test_a_factor_of_the_whole_sum_makes_no_other_formula(factor):
    found = named(lambda x, f: n(factor * (x + f)))

    assert (found.text, found.tag) == ("Norm(x + F(x))", None)


@pytest.mark.parametrize(
    "result",
    [lambda x, f: n(x + f * OTHER), lambda x, f: n(x + f + OTHER), lambda x, f: n(x + f.flip(1))],
    ids=["times something", "plus something", "flipped"],
)
def test_outside_the_catalogue_nothing_is_guessed(result):
    assert named(result).text is None


# Dropout --------------------------------------------------------------------------------------------------------------


class Block:
    """Stands for a block in a worker: `forward(x, f, drop)` with dropout of a rate in training."""

    def __init__(self, forward, probe, rate):
        self.forward, self.probe, self.rate, self.training = forward, probe, rate, True

    def train(self):
        self.training = True
        return self

    def eval(self):
        self.training = False
        return self

    def drop(self, t, rate=None):
        rate = self.rate if rate is None else rate
        mask = torch.rand(t.shape, generator=RANDOM, dtype=t.dtype) >= rate
        return t * mask / (1 - rate) if self.training else t

    def __call__(self, x):
        return self.forward(x, self.probe.function, self.drop)


def norm(t):
    return torch.nn.functional.layer_norm(t, t.shape[-1:])


PLACES = {
    "Norm(x + Dropout(F(x)))": (None, lambda x, f, drop: norm(x + drop(f(x)))),
    "Norm(x + F(x))": ("missing-dropout", lambda x, f, drop: norm(x + f(x))),
    "Norm(Dropout(x + F(x)))": ("dropout-on-sum", lambda x, f, drop: norm(drop(x + f(x)))),
    "Dropout(Norm(x + F(x)))": ("dropout-on-sum", lambda x, f, drop: drop(norm(x + f(x)))),
    "Norm(Dropout(x) + F(x))": ("dropout-on-skip", lambda x, f, drop: norm(drop(x) + f(x))),
    "Norm(Dropout(x) + Dropout(F(x)))": ("dropout-on-skip", lambda x, f, drop: norm(drop(x) + drop(f(x)))),
    "Norm(x + Dropout[0.5](F(x)))": ("dropout-rate-ignored", lambda x, f, drop: norm(x + drop(f(x), 0.5))),
    "Norm(x + Dropout(Dropout(F(x))))": ("dropout-rate-ignored", lambda x, f, drop: norm(x + drop(drop(f(x))))),
}


@pytest.mark.parametrize("formula", PLACES)
def test_dropout_is_seen_through_the_norm(formula):
    tag, forward = PLACES[formula]

    seen = dropout_in_norm(
        lambda probe, rate: Block(forward, probe, rate), 1.2 * draw(400, 50) + 20, {0.2: (0.2,), 0.7: (0.7,)}
    )

    assert (seen.tag, seen.text) == (tag, formula)


def test_what_is_no_norm_of_the_sum_is_left_to_another_check():
    seen = dropout_in_norm(
        lambda probe, rate: Block(lambda x, f, drop: x + drop(f(x)), probe, rate), draw(400, 50) + 20, {0.2: (0.2,)}
    )

    assert seen.half.seen == {0.2: Dropped("hidden")}
    assert seen.tag is None


def test_a_norm_that_is_missing_in_training_is_not_a_formula_we_know():
    seen = dropout_in_norm(
        lambda probe, rate: Block(lambda x, f, drop: norm(x + f(x)) if drop(x) is x else x + f(x), probe, rate),
        draw(400, 50) + 20,
        {0.2: (0.2,)},
    )

    assert (seen.tag, seen.text) == ("unknown-formula", None)
