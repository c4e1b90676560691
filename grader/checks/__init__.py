"""What authors of checks import, and how checks are run.

A check is a pytest function in the trusted process. It builds the student's objects with the fixture `student`, draws
its inputs from the fixture `draw`, may compare with the fixture `reference` (the solution as a module), and ends
with `expect` or `fail`::

    @check(points=3, concept="the shortcut")
    def check_adds_the_input_back(student, draw):
        \"\"\"The block adds its input back to what the sublayer returns.\"\"\"
        probe = Probe(draw.map(8))
        block = student.ResidualAdd(8, probe, dropout=0.0)
        expect(identify(block, draw.input(2, 5, 8), probe)).to_be("x + F(Norm(x))")
"""

from grader.checks.combine import as_activation, as_norm, as_sum
from grader.checks.declare import check
from grader.checks.draw import Draw
from grader.checks.dropout import Dropped, expect_dropout, find_dropout
from grader.checks.expect import cannot_tell, described, expect, fail, gap, same
from grader.checks.feed_forward import feed_forward_of
from grader.checks.halves import BlockFound, Sublayer, anatomy, identify_block
from grader.checks.identify import Half, Identified, SublayerCall, identify, identify_half
from grader.checks.modules import (
    expect_input_kept,
    expect_quiet,
    expect_registered,
    expect_state,
    expect_true_gradient,
    works,
)
from grader.checks.probe import Probe
from grader.checks.student import Remote, Reply, Student
from grader.model.results import Formula
from grader.sandbox.session import StudentRaised

__all__ = [
    "BlockFound",
    "Draw",
    "Dropped",
    "Formula",
    "Half",
    "Identified",
    "Probe",
    "Remote",
    "Reply",
    "Student",
    "StudentRaised",
    "Sublayer",
    "SublayerCall",
    "anatomy",
    "as_activation",
    "as_norm",
    "as_sum",
    "cannot_tell",
    "check",
    "described",
    "expect",
    "expect_dropout",
    "expect_input_kept",
    "expect_quiet",
    "expect_registered",
    "expect_state",
    "expect_true_gradient",
    "fail",
    "feed_forward_of",
    "find_dropout",
    "gap",
    "identify",
    "identify_block",
    "identify_half",
    "same",
    "works",
]
