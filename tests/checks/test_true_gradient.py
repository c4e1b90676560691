"""Gradients compared with small steps: what has a kink nearby, and what changes the shape."""

import pytest
import torch

from grader.checks.draw import Draw
from grader.checks.expect import CheckFailed
from grader.checks.modules import expect_true_gradient
from grader.checks.student import Gradient

NEARBY = 1e-6  # how far the kink is: the largest step goes across


class Rectified:
    """`relu(scale) · x`, of which `cut` keeps the gradient from the parameter; twice as wide as its input."""

    def __init__(self, scale, cut=False):
        self.scale, self.cut = torch.tensor([scale], dtype=torch.float64), cut

    def __call__(self, x):
        return torch.cat([x * torch.relu(self.scale)] * 2, -1)

    def parameters(self):
        return {"scale": self.scale.clone()}

    def assign(self, values):
        self.scale = values["scale"].clone()

    def gradient(self, x, cotangent):
        leaf, scale = x.clone().requires_grad_(), self.scale.clone().requires_grad_()
        output = torch.cat([leaf * torch.relu(scale)] * 2, -1)
        (output * cotangent).sum().backward()
        return Gradient(output.detach(), leaf.grad, {"scale": None if self.cut else scale.grad})


@pytest.mark.parametrize("seed", range(5))
def test_a_kink_within_the_largest_step_fails_nobody(seed):
    draw = Draw(seed)

    expect_true_gradient(Rectified(NEARBY), draw.input(4, 3), draw)


@pytest.mark.parametrize("scale", [NEARBY, 1.0])
def test_a_gradient_that_is_lost_is_found_with_every_step(scale):
    draw = Draw(0)

    with pytest.raises(CheckFailed) as found:
        expect_true_gradient(Rectified(scale, cut=True), draw.input(4, 3), draw)

    assert found.value.tag == "broken-gradient"


def test_the_parameters_are_what_they_were():
    draw, module = Draw(0), Rectified(1.0)

    expect_true_gradient(module, draw.input(4, 3), draw)

    assert module.scale.item() == 1.0
