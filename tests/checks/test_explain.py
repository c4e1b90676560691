"""What a student reads of an exception's text."""

import pytest

from grader.checks.explain import shown

SHAPES = "mat1 and mat2 shapes cannot be multiplied (240x32 and 48x12)"


@pytest.mark.parametrize("visibility", ["visible", "hidden"])
def test_shapes_in_an_error_are_no_memory_address(visibility):
    assert shown(SHAPES, visibility) == SHAPES


def test_a_memory_address_is_left_out():
    assert (
        shown("<Block object at 0x7f3a5c0d1e50> is not callable.", "visible") == "<Block object at 0x…> is not callable"
    )
