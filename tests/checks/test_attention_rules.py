"""Which tokens an attention sees, found out by changing tokens: of a block that is right, and of three that are not."""

import pytest
import torch

from grader.checks.expect import CheckFailed
from grader.checks.residual.attention_rules import expect_causal, expect_no_mask

DIM, TOKENS = 4, 6
BEFORE = torch.ones(TOKENS, TOKENS, dtype=torch.float64).tril()
ALL = torch.ones(TOKENS, TOKENS, dtype=torch.float64)
WINDOW = BEFORE - BEFORE.tril(-3)
RANDOM = torch.Generator().manual_seed(0)


def draw(*shape):
    return torch.randn(shape, generator=RANDOM, dtype=torch.float64)


class Mixing:
    """A block whose tokens see those that `seen` names, another table in each mode."""

    def __init__(self, evaluating, training):
        self.tables = evaluating, training

    def eval(self):
        self.seen = self.tables[0]
        return self

    def train(self):
        self.seen = self.tables[1]
        return self

    def __call__(self, x):
        return x + self.seen @ torch.tanh(x)


def test_a_causal_block_is_causal():
    expect_causal(Mixing(BEFORE, BEFORE), draw(2, TOKENS, DIM), draw)


@pytest.mark.parametrize(
    ("evaluating", "training", "happened"),
    [
        (ALL, ALL, "Changing a token changed the output of tokens before it."),
        (BEFORE, ALL, "Changing a token changed the output of tokens before it."),
        (WINDOW, WINDOW, "Changing the first token did not change the output of the last."),
    ],
    ids=["no mask", "no mask in training", "a window"],
)
def test_a_block_that_is_not_causal_is_told(evaluating, training, happened):
    with pytest.raises(CheckFailed) as failed:
        expect_causal(Mixing(evaluating, training), draw(2, TOKENS, DIM), draw)

    assert (failed.value.happened, failed.value.tag) == (happened, "wrong-mask")


@pytest.mark.parametrize(
    ("evaluating", "training", "whose"),
    [
        (BEFORE, BEFORE, "any patch before it"),
        (ALL, BEFORE, "any patch before it"),
        (WINDOW.mT, WINDOW.mT, "some of the others"),
    ],
    ids=["a causal mask", "a causal mask in training", "a window"],
)
def test_a_needless_mask_is_told(evaluating, training, whose):
    with pytest.raises(CheckFailed) as failed:
        expect_no_mask(Mixing(evaluating, training), draw, DIM, ("patch", "patches"))

    assert failed.value.happened == f"Changing a patch did not change the output of {whose}."
    assert failed.value.tag == "needless-mask"
