"""Dropout, recognised from numbers: every place in a half, every pair of places in a block."""

import itertools

import pytest
import torch
from torch.nn.functional import dropout

from grader.checks.residual.dropout import dropped
from grader.checks.residual.dropout_rules import DroppedHalf
from grader.checks.residual.dropped_block import dropped_block

RATES = (0.2, 0.7)
BRANCH = 3.0


@pytest.fixture(autouse=True)
def _seeded():
    torch.manual_seed(0)


def x_of(rows=160):
    return 1.2 * torch.randn(rows, 4, 48, dtype=torch.float64) + 20


def half(function):
    """What a half is taken for that computes `function(x, branch, rate)`."""
    seen = {}
    for rate in RATES:
        x = x_of()
        seen[rate] = dropped(function(x, torch.full_like(x, BRANCH), rate), x, BRANCH)
    return DroppedHalf(seen)


def mask(t, rate):
    return t * (torch.rand_like(t) > rate)


HALVES = {
    "x + Dropout(F(Norm(x)))": (None, lambda x, f, p: x + dropout(f, p)),
    "x + F(Norm(x))": ("missing-dropout", lambda x, f, p: x + f),
    "Dropout(x + F(Norm(x)))": ("dropout-on-sum", lambda x, f, p: dropout(x + f, p)),
    "Dropout(x) + F(Norm(x))": ("dropout-on-skip", lambda x, f, p: dropout(x, p) + f),
    "Dropout(x) + Dropout(F(Norm(x)))": ("dropout-on-skip", lambda x, f, p: dropout(x, p) + dropout(f, p)),
    "Dropout(x + Dropout(F(Norm(x))))": ("dropout-on-sum", lambda x, f, p: dropout(x + dropout(f, p), p)),
    "Dropout(Dropout(x) + F(Norm(x)))": ("dropout-on-sum", lambda x, f, p: dropout(dropout(x, p) + f, p)),
    "Dropout(Dropout(x) + Dropout(F(Norm(x))))": (
        "dropout-on-sum",
        lambda x, f, p: dropout(dropout(x, p) + dropout(f, p), p),
    ),
    "x + Dropout(Dropout(F(Norm(x))))": ("dropout-rate-ignored", lambda x, f, p: x + dropout(dropout(f, p), p)),
    "Dropout(Dropout(x + F(Norm(x))))": ("dropout-on-sum", lambda x, f, p: dropout(dropout(x + f, p), p)),
    "x + mask·F(Norm(x))": ("wrong-scale", lambda x, f, p: x + mask(f, p)),
    "x + Dropout[0.1](F(Norm(x)))": ("dropout-rate-ignored", lambda x, f, p: x + dropout(f, 0.1)),
    "x + Dropout[1 - rate](F(Norm(x)))": ("dropout-rate-ignored", lambda x, f, p: x + dropout(f, 1 - p)),
}


@pytest.mark.parametrize("formula", HALVES)
def test_a_half_reads_as_what_it_computes(formula):
    tag, function = HALVES[formula]

    found = half(function)

    assert (found.text, found.tag) == (formula, tag)


def test_what_is_no_dropout_is_not_named():
    found = half(lambda x, f, p: x + f * torch.rand_like(f))

    assert (found.text, found.tag) == (None, "dropout-wrong-place")


PLACES = ("skip", "branch", "sum")
OPTIONS = [frozenset(some) for count in range(3) for some in itertools.combinations(PLACES, count)]


def block(first, second, rate):
    """What a block returns for x with its halves' branches a and f, what is between, where it drops."""

    def half(base, branch, places):
        kept = {"skip": base, "branch": branch}
        parts = [dropout(t, rate) if place in places else t for place, t in kept.items()]
        return dropout(parts[0] + parts[1], rate) if "sum" in places else parts[0] + parts[1]

    def run(x, a, f):
        middle = half(x, a, first)
        return middle, half(middle, f, second)

    return run


def text(base, branch, places):
    skip = f"Dropout({base})" if "skip" in places else base
    inner = f"{skip} + " + (f"Dropout({branch})" if "branch" in places else branch)
    return f"Dropout({inner})" if "sum" in places else inner


@pytest.mark.parametrize("first", OPTIONS, ids=lambda places: "+".join(sorted(places)) or "none")
@pytest.mark.parametrize("second", OPTIONS, ids=lambda places: "+".join(sorted(places)) or "none")
def test_a_block_is_told_apart_from_two_experiments(first, second):
    tried = {"A": {}, "F": {}}
    for rate in RATES:
        for kind, (a, f) in {"A": (BRANCH, 0.0), "F": (0.0, BRANCH)}.items():
            x = x_of(320)
            _, output = block(first, second, rate)(x, torch.full_like(x, a), torch.full_like(x, f))
            tried[kind][rate] = dropped(output, x, BRANCH)
    between, _ = block(first, second, 0.5)(x, torch.full_like(x, BRANCH), torch.zeros_like(x))

    found = dropped_block(tried["A"], tried["F"], lambda: {"h": float((between == 0).double().mean())})

    assert [one.text for one in found] == [text("x", "A(Norm1(x))", first), text("h", "F(Norm2(h))", second)]


def test_whole_tokens_that_are_dropped_are_seen_in_a_block():
    tried = {"A": {}, "F": {}}
    for rate in RATES:
        for seen in tried.values():
            x = x_of(320)
            kept = dropout(torch.ones_like(x[..., :1]), rate)
            seen[rate] = dropped(x + BRANCH * kept, x, BRANCH)

    found = dropped_block(tried["A"], tried["F"], dict)

    assert [one.tag for one in found] == ["dropout-wrong-place"] * 2


@pytest.mark.parametrize("shape", [(1, 1, 48), (160, 4, 1)], ids=["one row for all tokens", "whole tokens"])
def test_one_random_number_for_many_elements_counts_once(shape):
    """Else the rate would look wrong on some seeds."""
    for _ in range(60):
        x = x_of()
        seen = dropped(x + dropout(torch.full(shape, BRANCH, dtype=x.dtype), 0.2), x, BRANCH)
        assert seen.place in ("branch", "nowhere")
        assert seen.place == "nowhere" or seen.branch.has_rate(0.2)
