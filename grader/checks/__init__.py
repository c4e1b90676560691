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

from grader.checks.claims import Leaf
from grader.checks.declare import check
from grader.checks.draw import Draw
from grader.checks.expect import cannot_tell, described, expect, fail, gap, same
from grader.checks.modules import (
    expect_input_kept,
    expect_quiet,
    expect_registered,
    expect_state,
    expect_true_gradient,
    large_output,
    works,
)
from grader.checks.probe import Probe
from grader.checks.replay import Row, Step, replay
from grader.checks.residual.anatomy import Sublayer, anatomy
from grader.checks.residual.attention_rules import expect_heads, expect_no_mask
from grader.checks.residual.block import lost_in_block, sublayer_in
from grader.checks.residual.combine import as_activation, as_norm, as_sum
from grader.checks.residual.dropout import Dropped, dropped, find_dropout
from grader.checks.residual.dropout_in_norm import dropout_in_norm
from grader.checks.residual.dropout_rules import DroppedHalf, expect_dropout
from grader.checks.residual.feed_forward import feed_forward_of
from grader.checks.residual.half import Half, Identified, SublayerCall
from grader.checks.residual.halves import BlockFound, identify_block
from grader.checks.residual.identify import identify, identify_half
from grader.checks.residual.norms import expect_plain_norm, is_trained
from grader.checks.residual.paths import Arrived, Path, lost_at
from grader.checks.residual.post_norm import identify_post_norm, lost_in_post_norm
from grader.checks.residual.steps import block_steps
from grader.checks.residual.two_halves import TwoHalves, expect_halves
from grader.checks.student import Remote, Reply, Student
from grader.model.results import Formula
from grader.sandbox.session import StudentRaised

__all__ = [
    "Arrived",
    "BlockFound",
    "Draw",
    "Dropped",
    "DroppedHalf",
    "Formula",
    "Half",
    "Identified",
    "Leaf",
    "Path",
    "Probe",
    "Remote",
    "Reply",
    "Row",
    "Step",
    "Student",
    "StudentRaised",
    "Sublayer",
    "SublayerCall",
    "TwoHalves",
    "anatomy",
    "as_activation",
    "as_norm",
    "as_sum",
    "block_steps",
    "cannot_tell",
    "check",
    "described",
    "dropout_in_norm",
    "dropped",
    "expect",
    "expect_dropout",
    "expect_halves",
    "expect_heads",
    "expect_input_kept",
    "expect_no_mask",
    "expect_plain_norm",
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
    "identify_post_norm",
    "is_trained",
    "large_output",
    "lost_at",
    "lost_in_block",
    "lost_in_post_norm",
    "replay",
    "same",
    "sublayer_in",
    "works",
]
