"""Drawings of formulas: what deviates is marked, and what cannot be drawn is not drawn."""

import re
from itertools import combinations

import pytest

from reports.student.flow.difference import difference
from reports.student.flow.drawing import flow
from reports.student.flow.expression import read

BLOCK = "h = x + A(Norm1(x)); y = h + F(Norm2(h))"
HALF = "x + F(Norm(x))"
DRAWN = [
    HALF, BLOCK, "x", "F(Norm(x))", "Norm(x) + F(Norm(x))", "Norm(x + F(x))", "2·x + F(Norm(x))", "x - F(Norm(x))",
    "-x + 0.5·F(Norm(x))", "x · F(Norm(x))", "max(x, F(Norm(x)))", "W·cat(x, A(Norm1(x)))", "x + scale·F(Norm(x))",
    "x + F(Norm[std + eps](x))", "x[first call] + F(Norm(x))", "x0 + GELU(Linear(x))", "x0 + x + GELU(Linear(x))",
    "GELU(x) + GELU(Linear(x))", "mask·(x + F(Norm(x)))", "W·(x + F(x))", "relu(x + F(Norm(x)))", "network(x) + x",
    "h = A(Norm1(x)); y = h + F(Norm2(h))", "h = x + A(Norm1(x)); y = h", "h = x + A(Norm1(x)); y = h + F(Norm2(x))",
    "h = x + A(Norm1(x)); y = x + F(Norm2(h))", "h = x - A(Norm1(x)); y = Norm2(h) + F(Norm2(h))",
]  # fmt: skip
NOT_DRAWN = [
    "x + GELU(Linear(x)) where the shapes differ", "GELU(Linear(x)) in layer 3, x + GELU(Linear(x)) in layer 1",
    "all inputs so far + GELU(Linear(x))", "h = x + A(Norm1(x)); y = h + F(Norm2(A(…)))", "x +", "x + 1", "2·", "F()",
    "(x", "x; y; z; w", "F(" * 60 + "x" + ")" * 60, " + ".join("x" * 9), "x" * 500, "<b>x</b>", "",
]  # fmt: skip


def drawings(found, expected=HALF):
    return [drawing for one in flow({"found": found, "expected": expected}) for drawing in one.drawings]


def marks(found, expected=HALF):
    """What is said in each drawing, the one of the exercise first."""
    return [
        [*(one.text for one in drawing.words if one.kind == "differs"), *(b.name for b in drawing.boxes if b.kinds)]
        for drawing in drawings(found, expected)
    ]


@pytest.mark.parametrize("formula", DRAWN)
def test_known_formulas_are_drawn(formula):
    assert len(drawings(formula, "x + y")) == 2


@pytest.mark.parametrize("formula", NOT_DRAWN)
def test_other_texts_are_not_drawn_and_it_is_said(formula):
    assert read(formula) == ()
    (shown,) = flow({"found": formula, "expected": HALF})
    assert [drawing.caption for drawing in shown.drawings] == ["What the exercise asks for"]
    assert len(shown.notes) == 1


def test_nothing_is_drawn_where_even_what_is_asked_for_cannot_be():
    assert flow({"found": HALF, "expected": "a text"}) == ()


def test_equal_formulas_are_drawn_once_without_a_mark():
    assert marks(BLOCK, BLOCK) == [[]]


@pytest.mark.parametrize(
    ("found", "asked", "yours"),
    [
        ("F(Norm(x))", ["not in yours"], ["no sum here"]),
        ("Norm(x) + F(Norm(x))", ["differs"], ["differs"]),
        ("x + F(x)", ["not in yours", "Norm"], ["no Norm here"]),
        ("Norm(x + F(x))", ["not in yours", "Norm"], ["no Norm here", "only in yours", "Norm"]),
        ("2·x + F(Norm(x))", [], ["only in yours", "× 2"]),
        ("x - F(Norm(x))", [], ["only in yours", "× −1"]),
        ("x · F(Norm(x))", ["differs", "+"], ["differs", "×"]),
        ("x + F(F(Norm(x)))", [], ["only in yours", "F"]),
        ("x + F(RMSNorm(x))", ["differs", "Norm"], ["differs", "RMSNorm"]),
        ("x0 + x + F(Norm(x))", [], ["only in yours"]),
    ],
)
def test_what_deviates_is_marked_in_both(found, asked, yours):
    assert marks(found) == [asked, yours]


def test_only_the_line_of_the_formula_that_deviates_is_marked():
    assert marks("h = A(Norm1(x)); y = h + F(Norm2(h))", BLOCK) == [["not in yours"], ["no sum here"]]
    assert marks("h = x + A(Norm1(x)); y = h", BLOCK) == [["not in yours"], ["no sum here"]]


def test_lines_of_other_names_are_compared_as_a_whole():
    assert marks("x + A(Norm1(x))", "h = x + A(Norm1(x)); y = h") == [[], []]


@pytest.mark.parametrize("formula", DRAWN)
def test_a_marked_edge_or_box_is_dashed(formula):
    for drawing in drawings(formula):
        said = [one for one in drawing.words if one.kind == "differs"]
        dashed = [one for one in drawing.edges if one.kind == "edge differs"] + [b for b in drawing.boxes if b.kinds]
        assert len(said) == len(dashed)


@pytest.mark.parametrize("formula", DRAWN)
def test_boxes_stand_apart_and_everything_is_inside(formula):
    for drawing in drawings(formula, BLOCK):
        for one, other in combinations(drawing.boxes, 2):
            assert (
                one.x + one.width < other.x
                or other.x + other.width < one.x
                or one.y + one.height < other.y
                or other.y + other.height < one.y
            )
        for word in drawing.words:
            assert 0 < word.y < drawing.height
            assert 0 <= word.x <= drawing.width
        ends = [int(x) for edge in drawing.edges for x in re.findall(r"[MH](-?\d+)", edge.path)]
        assert 0 <= min(ends) <= max(ends) <= drawing.width


def test_the_drawing_is_told_in_words():
    asked, yours = drawings("h = x + A(Norm1(x)); y = x + F(Norm2(h))", BLOCK)
    assert asked.description == (
        "From left to right: x, Norm1, A, sum h, Norm2, F, sum, result. A line leads from x past the others to sum h. "
        "A line leads from sum h past the others to sum. Marked, the line from sum h: differs."
    )
    assert yours.description.endswith("A line leads from x past the others to sum. Marked, the line from x: differs.")


def test_boxes_know_the_tensor_that_leaves_them():
    (drawing,) = drawings(BLOCK, BLOCK)
    assert [box.step for box in drawing.boxes][2:4] == ["x + A(Norm1(x))", "Norm2(h)"]


def test_long_formulas_are_compared_in_no_time():
    one, other = ("F(" * 20 + "x" + ")" * 20, "G(" * 20 + "x" + ")" * 20)
    (mine,), (wanted,) = read(one), read(other)
    assert difference(mine.node, wanted.node).cost > 0
