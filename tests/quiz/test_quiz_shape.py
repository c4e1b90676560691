"""Shapes as students write them."""

import pytest

from grader.quiz.shape import NoShape, read_shape


@pytest.mark.parametrize(
    "text",
    ["(2, 4, 768)", "[2,4,768]", "2x4x768", "2 × 4 × 768", "torch.Size([2, 4, 768])", "2 4 768", "Size([2,4,768]).",
     "(batch=2, tokens=4, width=768)", "batch 2, tokens 4, width 768",
     "y.shape == (2, 4, 768)", "shape: 2, 4, 768", "{2, 4, 768}", "（2，4，768）", "2 by 4 by 768", "(2, 4, 768,)"],
)  # fmt: skip
def test_spellings_of_one_shape_are_equal(text):
    assert read_shape(text) == (2, 4, 768)


@pytest.mark.parametrize("text", ["()", "torch.Size([])"])
def test_a_single_number_has_a_shape_as_well(text):
    assert read_shape(text) == ()


@pytest.mark.parametrize(
    "text",
    ["", "the same", "(2, 4, 768", "(2, 4; d)", "2.5 x 4", "(-2, 4)", "shape", "(2,,4)", "9" * 199, "1," * 200, "\0"],
)
def test_what_is_no_shape_is_told_in_a_sentence(text):
    with pytest.raises(NoShape, match=r"\.$"):
        read_shape(text)
