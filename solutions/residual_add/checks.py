"""Hidden checks of ResidualAdd."""

from grader.checks import Probe, check, expect, identify


@check(points=3, concept="the shortcut")
def check_adds_the_input_back(student, draw):
    """The block adds its input back to what the sublayer returns."""
    probe = Probe(draw.map(8))
    block = student.ResidualAdd(8, probe, dropout=0.0)
    draw.parameters(block)
    expect(identify(block, draw.input(4, 6, 8), probe)).to_be("x + F(Norm(x))")
