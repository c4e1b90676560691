"""A block's forward pass taken apart by its module calls, and what of that serves for other passes."""

from types import SimpleNamespace

import pytest
import torch
from torch import nn

from grader.checks.residual import anatomy as taking_apart
from grader.checks.residual.anatomy import anatomy
from grader.checks.student import ModuleCall

DIM = 12


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.value, self.out = nn.Linear(DIM, DIM), nn.Linear(DIM, DIM)

    def forward(self, x):
        return self.out(torch.softmax(x @ x.transpose(-1, -2), -1) @ self.value(x))


class Block(nn.Module):
    def __init__(self, *middle):
        super().__init__()
        self.norm1, self.norm2, self.attention = nn.LayerNorm(DIM), nn.LayerNorm(DIM), Attention()
        self.up, self.middle, self.down = nn.Linear(DIM, 48), nn.Sequential(*middle), nn.Linear(48, DIM)

    def forward(self, x):
        h = x + self.attention(self.norm1(x))
        return h + self.down(self.middle(torch.relu(self.up(self.norm2(h)))))


class Watched:
    """A module on this side, in a remote one's place."""

    def __init__(self, module):
        self.module, self.names = module.double(), {part: name for name, part in module.named_modules()}

    def trace(self, x):
        calls, depth = [], [0]

        def begin(part, given):
            one = [Called(part), self.names[part], type(part).__name__, depth[0], 1, given[0].detach(), None]
            calls.append(one)
            part.open = one
            depth[0] += 1

        def end(part, given, made):
            part.open[-1] = made.detach()
            depth[0] -= 1

        hooks = [
            handle
            for part in self.names
            for handle in (part.register_forward_pre_hook(begin), part.register_forward_hook(end))
        ]
        result = self.module(x).detach()
        for handle in hooks:
            handle.remove()
        return result, [ModuleCall(*one) for one in calls]


class Called:
    def __init__(self, part):
        self.part = part

    def call(self, x):
        return SimpleNamespace(value=self.part(x).detach())


def draw():
    return torch.randn(16, 4, DIM, dtype=torch.float64)


def told(found):
    return [at for at, _ in found.norms], [(one.kind, one.at, len(one.parts)) for one in found.sublayers]


def test_a_block_is_two_norms_an_attention_and_a_feed_forward():
    found = anatomy(Watched(Block()), draw())

    assert told(found) == ([1, 5], [("A", 2, 3), ("F", 6, 2)])


def test_the_plan_of_one_block_serves_for_another_without_looking_at_its_calls(monkeypatch):
    plan = anatomy(Watched(Block()), draw()).plan
    other, x = Watched(Block()), draw()
    looked_at = anatomy(other, x)
    monkeypatch.setattr(taking_apart, "as_norm", lambda *_: pytest.fail("a call was looked at"))

    found = anatomy(other, x, plan)

    assert told(found) == told(looked_at)
    for one, two in zip(found.sublayers, looked_at.sublayers, strict=True):
        assert torch.equal(one.input, two.input)
        assert torch.equal(one.output, two.output)


def test_a_block_that_makes_other_calls_is_taken_apart_anew():
    plan = anatomy(Watched(Block()), draw()).plan
    other, x = Watched(Block(nn.Linear(48, 48))), draw()

    found = anatomy(other, x, plan)

    assert told(found) == told(anatomy(other, x))
    assert told(found) != told(anatomy(Watched(Block()), x))
