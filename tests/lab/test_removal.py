"""A block without its residuals, made from outside, however its sums are made."""

import pytest
import torch
from torch import nn

from grader.sandbox.worker import messages as m
from grader.sandbox.worker.operations import Recorder
from grader.sandbox.worker.removal import Removed


class Block(nn.Module):
    """`join(x, F(x))`, where F is a linear layer of 2·x and a tanh."""

    def __init__(self, join):
        super().__init__()
        self.layer, self.join = nn.Linear(4, 4), join

    def branch(self, x):
        return torch.tanh(self.layer(2 * x))  # x itself is not needed on the way back

    def forward(self, x):
        return self.join(x, self.branch(x))


def in_place(x, f):
    x = x.clone()
    x += f
    return x


def in_place_on_the_input(x, f):
    x += f
    return x


def in_place_as_a_statement(x, f):
    y = x * 1
    y.add_(f)
    return y


def by_hand(x, f):
    made = torch.zeros_like(x)
    for one in (x, f):
        made = made + one
    return made


SUMS = {
    "x + f": lambda x, f: x + f,
    "f + x": lambda x, f: f + x,
    "torch.add": torch.add,
    "torch.add with out of order names": lambda x, f: torch.add(other=x, input=f),
    "x - (-f)": lambda x, f: x - (-f),
    "sum of a list": lambda x, f: sum([x, f]),
    "stack": lambda x, f: torch.stack([x, f]).sum(0),
    "lerp": lambda x, f: 2 * torch.lerp(x, f, 0.5),
    "einsum": lambda x, f: torch.einsum("k...,k->...", torch.stack([x, f]), torch.ones(2)),
    "x += f": in_place,
    "x += f on the input itself": in_place_on_the_input,
    "add_": in_place_as_a_statement,
    "a sum that grows": by_hand,
}


def sums_in(block, x):
    """The first call that gives the result."""
    wanted, given = block(x.clone()), x.clone()
    with Recorder([given], {}) as recorder:
        block(given)
    calls = [one for one in recorder.operations if one.name not in ("input", "parameter", "given")]
    at = next(at for at, one in enumerate(calls) if one.result.shape == x.shape and torch.allclose(one.result, wanted))
    return [m.Sum(at, calls[at].name, None)]


def run(module, x):
    """Result and gradient; the module gets no leaf, so that it may change its input."""
    leaf = x.clone().requires_grad_()
    result = module(leaf * 1)
    result.square().sum().backward()
    return result.detach(), leaf.grad


@pytest.mark.parametrize("join", SUMS.values(), ids=SUMS.keys())
def test_the_branch_is_left_forward_and_backward(join):
    torch.manual_seed(0)
    block, x = Block(join), torch.randn(2, 3, 4)
    wanted, gradient = run(block.branch, x)

    found, its_gradient = run(Removed(block, sums_in(block, x)), x)

    assert torch.allclose(found, wanted, atol=1e-6)
    assert torch.allclose(its_gradient, gradient, atol=1e-6)


def test_with_the_residual_both_are_others():
    torch.manual_seed(0)
    block, x = Block(torch.add), torch.randn(2, 3, 4)
    wanted, gradient = run(block.branch, x)

    found, its_gradient = run(block, x)

    assert not torch.allclose(found, wanted, atol=1e-2)
    assert not torch.allclose(its_gradient, gradient, atol=1e-2)


def test_the_second_sum_adds_to_what_the_first_one_left():
    torch.manual_seed(0)
    first, second, x = Block(torch.add), Block(torch.add), torch.randn(2, 3, 4)
    both = nn.Sequential(first, second)
    one = sums_in(first, x)[0]
    two = m.Sum(2 * one.call + 1, one.name, one.call)

    assert torch.allclose(Removed(both, [one, two])(x), second.branch(first.branch(x)), atol=1e-6)


def test_the_twin_has_the_parameters_of_the_block():
    block = Block(torch.add)

    assert list(map(id, Removed(block, []).parameters())) == list(map(id, block.parameters()))


def test_other_steps_than_those_that_were_seen_are_told():
    block, x = Block(torch.add), torch.randn(2, 3, 4)
    twin = Removed(block, sums_in(block, x))
    block.join = lambda x, f: torch.mul(x, f) + x

    with pytest.raises(RuntimeError, match="other steps"):
        twin(x)


def test_fewer_steps_are_told():
    block, x = Block(torch.add), torch.randn(2, 3, 4)
    twin = Removed(block, sums_in(block, x))
    block.join = lambda x, f: f

    with pytest.raises(RuntimeError, match="other steps"):
        twin(x)
