"""What a shortcut of images makes of its input, and the formula of a block that has one."""

import pytest
import torch
from torch.nn import functional

from grader.checks.draw import Draw
from grader.checks.probe import Probe, ProbeCalled
from grader.checks.residual.projection import Change, identify_projection, in_training, read_shortcut

CHANGE = Change(4, 6, 2)
DRAW = Draw(0)
X = DRAW.input(8, 4, 8, 7)
WEIGHT, BIAS, KERNEL, NARROW = DRAW.normal(6, 4, 1, 1), DRAW.normal(6), DRAW.normal(6, 4, 3, 3), DRAW.normal(6, 1, 1, 1)


def project(x):
    return functional.conv2d(x, WEIGHT, BIAS, CHANGE.stride)


def pooled(x, pool):
    return functional.conv2d(pool(x, CHANGE.stride, ceil_mode=True), WEIGHT)


SHORTCUTS = {
    "": lambda x: torch.zeros(8, 6, 4, 4),
    "W·x": project,
    "Conv(x)": lambda x: functional.conv2d(x, KERNEL, None, 2, 1),
    "W·AvgPool(x)": lambda x: pooled(x, functional.avg_pool2d),
    "W·MaxPool(x)": lambda x: pooled(x, functional.max_pool2d),
    "relu(W·x)": lambda x: torch.relu(project(x)),
    "pad(x)": lambda x: functional.pad(x[..., ::2, ::2], (0, 0, 0, 0, 0, 2)),
    "W[some channels]·x": lambda x: functional.conv2d(x, WEIGHT[:, :2], None, 2, groups=2),
    "W[rank 1]·x": lambda x: functional.conv2d(functional.conv2d(x, WEIGHT[:1], None, 2), NARROW),
    "x[::2]": lambda x: x[..., ::2, ::2],
    None: lambda x: functional.interpolate(project(x).tanh(), (4, 4)),
}


class Block:
    """A block that runs here, around a probe."""

    def __init__(self, forward, change=CHANGE):
        draw = Draw(1)
        kernel, mixing = draw.normal(5, change.channels, 3, 3) / 6, draw.normal(change.out_channels, 5, 1, 1)
        self.forward = forward
        self.probe = Probe(
            lambda h: functional.conv2d(functional.conv2d(h, kernel, None, change.stride, 1).tanh(), mixing)
        )

    def sublayer(self, h):
        made = self.probe.function(h)
        self.probe.calls.append(ProbeCalled(h, made, {}, 1))
        return made

    def __call__(self, x):
        return self.forward(x, self.sublayer)


@pytest.mark.parametrize("read", SHORTCUTS)
def test_reads_a_shortcut(read):
    assert read_shortcut(SHORTCUTS[read](X), X, CHANGE.stride) == read


FORMULAS = {
    "W·x + F(x)": (None, lambda x, f: project(x) + f(x)),
    "F(x)": ("missing-skip", lambda x, f: f(x)),
    "W·x": ("sublayer-unused", lambda x, f: project(x)),
    "W·x + 0.5·F(x)": ("wrong-scale", lambda x, f: project(x) + f(x) / 2),
    "relu(W·x + F(x))": ("extra-op", lambda x, f: torch.relu(project(x) + f(x))),
    "Conv(x) + F(x)": ("wrong-projection", lambda x, f: SHORTCUTS["Conv(x)"](x) + f(x)),
    "cat(x, F(x))": ("wrong-combine", lambda x, f: torch.cat([x[..., ::2, ::2], f(x)], 1)),
}


@pytest.mark.parametrize("text", FORMULAS)
def test_names_a_block_that_changes_the_shape(text):
    block = Block(FORMULAS[text][1])

    found = identify_projection(block, X, block.probe, CHANGE)

    assert (found.text, found.tag) == (text, FORMULAS[text][0])


FITTING = {
    "x + F(x)": (None, lambda x, f: x + f(x)),
    "x - F(x)": ("wrong-combine", lambda x, f: x - f(x)),
    "x + F(relu(x))": ("extra-op", lambda x, f: x + f(torch.relu(x))),
    "W·x + F(x)": ("extra-op", lambda x, f: functional.conv2d(x, WEIGHT[:4]) + f(x)),
    "x + F(Norm(x))": ("extra-op", lambda x, f: x + f(functional.layer_norm(x.movedim(1, -1), (4,)).movedim(-1, 1))),
}


@pytest.mark.parametrize("text", FITTING)
def test_names_a_block_that_keeps_the_shape(text):
    block = Block(FITTING[text][1], Change(4, 4, 1))

    found = identify_projection(block, X, block.probe, Change(4, 4, 1))

    assert (found.text, found.tag) == (text, FITTING[text][0])


def test_the_sublayer_is_itself_again_afterwards():
    block = Block(FORMULAS["W·x + F(x)"][1])
    before = block.probe.function

    identify_projection(block, X, block.probe, CHANGE)

    assert block.probe.function is before


@pytest.mark.parametrize("text", ["BatchNorm(W·x) + F(x)", "BatchNorm(W·x + F(x))", None])
def test_tells_a_batch_norm_by_what_training_changes(text):
    branch, skip = Draw(2).normal(8, 6, 4, 4), project(X)
    norm = torch.nn.BatchNorm2d(6, dtype=torch.float64).requires_grad_(False)
    forward = {
        "BatchNorm(W·x) + F(x)": lambda: norm(skip) + branch,
        "BatchNorm(W·x + F(x))": lambda: norm(skip + branch),
        None: lambda: torch.tanh(skip + branch) if norm.training else skip + branch,
    }[text]
    trained = forward()
    norm.eval()

    assert in_training(forward(), trained, branch, "W·x + F(x)") == text


def test_a_change_says_what_is_asked_for():
    formulas = {change: Change(*change).formula for change in ((4, 4, 1), (4, 6, 1), (4, 4, 2))}

    assert formulas == {(4, 4, 1): "x + F(x)", (4, 6, 1): "W·x + F(x)", (4, 4, 2): "W·x + F(x)"}
