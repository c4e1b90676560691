"""The experiments on real code: right in any writing, wrong, unfinished, crashing, endless."""

from pathlib import Path

import msgspec
import pytest

from grader.errors import CourseError
from grader.lab import experiments
from grader.lab.job import TryStack

SOLUTIONS = Path(__file__).parents[2] / "solutions"
CASES = Path(__file__).parents[1] / "cases"
BLOCKS, NETWORKS = SOLUTIONS / "transformer_block", SOLUTIONS / "deep_network"
STUB = SOLUTIONS.parent / "exercises" / "transformer_block.py"
BLOCK = """\
import torch
from torch import nn
from previous_chapters import FeedForward, LayerNorm, MultiHeadAttention


class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        d = cfg["emb_dim"]
        self.a = MultiHeadAttention(d, d, cfg["context_length"], num_heads=cfg["n_heads"], dropout=cfg["drop_rate"],
                                    qkv_bias=cfg["qkv_bias"])
        self.f, self.n, self.m, self.drop = FeedForward(cfg), LayerNorm(d), LayerNorm(d), nn.Dropout(cfg["drop_rate"])

    def attended(self, x):
        return self.drop(self.a(self.n(x)))

    def fed(self, x):
        return self.drop(self.f(self.m(x)))

    def forward(self, x):
"""
FORWARDS = {
    "torch.add": ("h = torch.add(x, self.attended(x))", "return torch.add(self.fed(h), h)"),
    "in place": ("h = x + 0", "h += self.attended(x)", "y = h * 1", "y.add_(self.fed(h))", "return y"),
    "sum of a list": ("h = sum([x, self.attended(x)])", "return sum([h, self.fed(h)])"),
    "stacked": ("h = torch.stack([x, self.attended(x)]).sum(0)", "return torch.stack([h, self.fed(h)]).sum(0)"),
    "first sum made twice": ("a = self.attended(x)", "f = self.fed(x + a)", "h = x + a", "return h + f"),
}
RIGHT = (
    BLOCKS / "rewrites" / "parameters_only.py",
    BLOCKS / "rewrites" / "tokens_first.py",
    CASES / "transformer_block" / "correct" / "checkpointed_feed_forward.py",
    CASES / "transformer_block" / "correct" / "rows_of_tokens.py",
)


def block(*lines):
    return BLOCK + "".join(f"        {line}\n" for line in lines)


def curves(lab, blocks=1, seeds=(1,), steps=1):
    return {curve.who: curve for curve in experiments.copy_task(lab, blocks, seeds, steps).curves}


# The copy task --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lines", FORWARDS.values(), ids=FORWARDS.keys())
def test_sums_are_found_however_they_are_made(lab, lines):
    assert experiments.sums_of(lab(block(*lines))).sums


@pytest.mark.parametrize("path", RIGHT, ids=lambda path: path.stem)
def test_the_sums_of_a_right_file_are_found(lab, path):
    assert experiments.sums_of(lab(path)).sums


def test_the_same_call_gives_the_same_curves(lab):
    assert curves(lab(), 2, (1,), 3) == curves(lab(), 2, (1,), 3)


def test_four_blocks_learn_to_copy_with_their_residuals_and_not_without(lab):
    found = curves(lab(), 4, (1,), 96)

    assert found["reference"].runs[0][-1] > 0.9
    assert found["without"].runs[0][-1] < 0.5


def test_a_block_without_a_shortcut_has_no_twin_and_is_told_its_formula(lab):
    found = curves(lab(BLOCKS / "mistakes" / "missing_skip_attn.py"))

    assert "h = A(Norm1(x)); y = h + F(Norm2(h))" in found["without"].stopped
    assert found["without"].runs == ()
    assert len(found["yours"].runs) == 1


def test_a_sum_that_cannot_be_taken_apart_is_not_guessed(lab):
    """The two results are added to each other first: no call adds a branch to what its half began with."""
    found = experiments.sums_of(lab(block("a = self.attended(x)", "return x + (a + self.fed(x + a))")))

    assert found.sums == ()
    assert "not found" in found.why


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (STUB, "still the stub"),
        (block("raise ValueError('my own words')"), "my own words (transformer_block.py, line 21)"),
        (block("import os", "os._exit(3)"), "ended its own process (exit code 3)"),
        ("class Other:\n    pass\n", "TransformerBlock"),
    ],
    ids=["stub", "raises", "crashes", "defines nothing"],
)
def test_what_a_file_does_instead_is_told_and_the_reference_is_drawn(lab, source, words):
    found = curves(lab(source))

    assert words in found["yours"].stopped
    assert found["yours"].runs == found["without"].runs == ()
    assert len(found["reference"].runs) == 1


def test_an_endless_loop_is_told_and_not_trained(lab):
    """Training has two minutes: that it is not begun is what keeps this short."""
    found = curves(lab(block("while True:", "    pass"), check_seconds=1.0), seeds=(1, 2, 3))

    assert "still running" in found["yours"].stopped
    assert len(found["reference"].runs) == 3


def test_a_course_without_the_exercise_is_told(course, launch):
    without = msgspec.structs.replace(course, exercises=course.exercises[:1])

    with pytest.raises(CourseError, match="transformer_block"):
        experiments.open_lab(None, without, "transformer_block", launch, lambda _: None)


# Gradients ------------------------------------------------------------------------------------------------------------


def networks(lab, *depths):
    return {(one.who, one.depth): one for one in experiments.gradients(lab, depths).networks}


def test_the_lessons_numbers_come_out_at_five_layers(lab):
    one = networks(lab(exercise="deep_network"), 5)["reference", 5]

    assert one.off[0] == pytest.approx(0.0002017, rel=1e-3)
    assert one.on[0] == pytest.approx(0.2217, rel=1e-3)


def test_with_depth_the_gradient_vanishes_without_shortcuts_only(lab):
    one = networks(lab(exercise="deep_network"), 30)["reference", 30]

    assert len(one.on) == len(one.off) == 30
    assert one.off[0] < 1e-12 * one.off[-1]
    assert one.on[0] > 1e-3 * one.on[-1]


@pytest.mark.parametrize(
    "path",
    [
        NETWORKS / "rewrites" / "reversed_creation.py",
        NETWORKS / "rewrites" / "convolutions.py",
        CASES / "deep_network" / "correct" / "lazy_linear.py",
    ],
    ids=lambda path: path.stem,
)
def test_a_right_network_has_the_gradients_of_the_reference(lab, path):
    found = networks(lab(path, "deep_network"), 20)

    assert found["yours", 20].on == pytest.approx(found["reference", 20].on, rel=1e-6)
    assert found["yours", 20].off == pytest.approx(found["reference", 20].off, rel=1e-6)


def test_a_cut_shortcut_buys_less(lab):
    found = networks(lab(NETWORKS / "mistakes" / "broken_gradient_skip.py", "deep_network"), 20)

    assert found["yours", 20].on[0] < 1e-6 * found["reference", 20].on[0]


def test_weights_that_cannot_be_told_apart_are_not_guessed(lab):
    found = networks(lab(CASES / "deep_network" / "correct" / "one_vector.py", "deep_network"), 5)

    assert "cannot be told" in found["yours", 5].stopped
    assert found["reference", 5].on


def test_a_depth_that_a_network_does_not_take_leaves_the_others(lab):
    found = networks(lab(CASES / "deep_network" / "wrong" / "missing_skip_last_output.py", "deep_network"), 5, 20)

    assert found["yours", 5].on
    assert "(1, 3)" in found["yours", 20].stopped


# The stack ------------------------------------------------------------------------------------------------------------


def stack(lab):
    """The same experiment, on a small stack."""
    return experiments.gpt2(lab, TryStack(lab.course, lab.submission, lab.own is not None, 3, 24, 2, 5))


def test_a_stack_keeps_the_shape_and_a_gradient_gets_to_each_block(lab):
    found = stack(lab())

    assert found.returned == found.given == (1, 5, 24)
    assert found.finite
    assert len(found.gradients) == 3
    assert all(found.gradients)


def test_all_that_is_trained_is_counted(lab):
    attention, feed_forward, norms = 4 * 24 * 24 + 24, 2 * 4 * 24 * 24 + 5 * 24, 4 * 24

    assert stack(lab()).parameters == 3 * (attention + feed_forward + norms)


def test_a_block_that_cuts_the_gradient_is_seen_in_the_blocks_before_it(lab):
    found = stack(lab(block("h = x + self.attended(x)", "h = h.detach()", "return h + self.fed(h)")))

    assert found.stopped == ""
    assert not any(found.gradients[:-1])


def test_another_shape_is_told(lab):
    found = stack(lab(block("return x[:, :, :-1]")))

    assert found.returned == (1, 5, 21)
