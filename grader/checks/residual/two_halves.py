"""What any block of an attention and a feed forward half is asked for, however it is built.

`h = x + A(Norm1(x)); y = h + F(Norm2(h))`, with dropout on the result of each sublayer.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import torch

from grader.checks.draw import Draw
from grader.checks.expect import cannot_tell, expect, fail, gap, same
from grader.checks.modules import expect_registered, works
from grader.checks.residual.anatomy import Anatomy, Plan, Sublayer, anatomy
from grader.checks.residual.attention_rules import expect_causal
from grader.checks.residual.block import LastLayer, last_layers, lost_in_block, silenced, sublayer_in
from grader.checks.residual.combine import NormFound, as_norm
from grader.checks.residual.dropout import Dropped, find_dropout
from grader.checks.residual.dropout_rules import DroppedHalf, blame_dropout
from grader.checks.residual.dropped_block import dropped_block
from grader.checks.residual.feed_forward import feed_forward_of
from grader.checks.residual.halves import BlockFound, identify_block
from grader.checks.residual.missing_elements import missing_elements
from grader.checks.residual.norms import is_trained
from grader.checks.student import Remote, Student
from grader.model.results import Formula
from grader.sandbox.session import StudentRaised

HALVES = ("x + A(Norm1(x))", "h + F(Norm2(h))")
BLOCK = f"h = {HALVES[0]}; y = {HALVES[1]}"
PLAN = "plan of the calls"
RATES = (0.2, 0.7)
ROUGHLY = 1e-2  # an eps shows a little with the size of a row


@dataclass(frozen=True)
class TwoHalves:
    """Experiments on blocks of one width; `build(rate)` makes a new one with that rate of dropout.

    `longer` does so for long sequences, where `build` makes blocks that may take short ones only. `norm` and `rate` are
    what the task calls the norm of a half, and the rate. `once` keeps for other checks what is found (`Student.once`).
    """

    build: Callable[[float], Remote]
    draw: Draw
    dim: int
    longer: Callable[[float], Remote] | None = None
    norm: str = "A layer norm"
    rate: str = "the given rate"
    once: Callable[[str, Callable[[], Any]], Any] = lambda name, find: find()

    def drawn(self) -> Remote:
        """A block in evaluation mode that drops nothing, all parameters random."""
        return self._drawn(self.build)

    def _drawn(self, build: Callable[[float], Remote]) -> Remote:
        block = build(0.0).eval()
        self.draw.parameters(block)
        return block

    def several(self) -> tuple[Remote, torch.Tensor]:
        """Such a block, and sixteen sequences of four tokens for it."""
        return self.drawn(), self.draw.input(16, 4, self.dim)

    def one_sequence(self) -> tuple[Remote, torch.Tensor]:
        """Such a block, and one sequence of sixty tokens for it, on which code that loops over a batch shows, too."""
        block = self._drawn(self.longer or self.build)
        fits = works(lambda: block.call(torch.zeros(1, 60, self.dim)))
        return block, self.draw.input(1, 60 if fits else 4, self.dim)

    def plan(self) -> Plan | None:
        """What the module calls of such blocks are parts of; None where one raises for so many sequences."""
        plan: Plan | None = self.once(PLAN, self._plan)
        return plan

    def _plan(self) -> Plan | None:
        try:
            return anatomy(*self.several()).plan
        except StudentRaised:
            return None

    def _anatomy(self, block: Remote, x: torch.Tensor) -> Anatomy:
        """`anatomy` by the plan, which the first one makes."""
        made: list[Anatomy] = []

        def first() -> Plan | None:
            made.append(anatomy(block, x))
            return made[0].plan

        plan = self.once(PLAN, first)
        return made[0] if made else anatomy(block, x, plan)

    def found(self) -> BlockFound:
        """The formulas of both halves in evaluation mode, or in training where they are others there."""
        found: BlockFound = self.once("two halves", self._found)
        return found

    def _found(self) -> BlockFound:
        block, found = self.read()
        if found.text != BLOCK:
            return found
        if self._attends_to_more(block, found):
            return replace(found, first=replace(found.first, text="x + A(Norm1(x), x)", tag="missing-norm"))
        x, output = found.anatomy.x, found.anatomy.result
        trained = block.train()(x)
        if same(output, trained) or not same(block(x), trained):
            return found  # the same in training, or random there, which has its own check
        return self.read(training=True)[1]

    def read(self, *, training: bool = False) -> tuple[Remote, BlockFound]:
        """A block, and the formulas of its halves in one mode; nothing is dropped in either."""
        best: tuple[Remote, BlockFound] | None = None
        for make in (self.several, self.one_sequence):
            block, x = make()
            found = identify_block(block.train() if training else block, x, self._anatomy)
            if found is not None and (best is None or found.text is not None):
                best = block, found
            if found is not None and found.text is not None:
                break
        if best is None or (best[1].text is None and not {"A", "F"} <= set(best[1].anatomy.order)):
            self._expect_shortcuts()
            cannot_tell(
                "The two halves of your block could not be found from outside; your teacher can look at them.",
                expected=BLOCK,
                staff_note="Neither the module calls nor the graph of operations show an attention and a feed forward.",
            )
        return best

    def _attends_to_more(self, block: Remote, found: BlockFound) -> bool:
        """Whether attention gets more than the norm of the input, which does not show the size and mean of a row."""
        x = found.anatomy.x
        size, mean = self.draw.normal(*x.shape[:-1], 1).abs() + 1, self.draw.normal(*x.shape[:-1], 1)
        other = identify_block(block, size * x + mean, self._anatomy)
        if other is None or other.text != BLOCK:
            return False
        return gap(other.anatomy.sublayers[0].output, found.anatomy.sublayers[0].output) > ROUGHLY

    def _expect_shortcuts(self) -> None:
        """With all parameters zero both branches are zero, and what is left is the shortcut."""
        block, x = self.build(0.0).eval(), self.draw.input(16, 4, self.dim)
        block.assign({name: torch.zeros_like(value) for name, value in block.parameters().items()})
        output = block(x)
        if not same(output, x):
            fail(
                "With all parameters zero, your block does not return its input.",
                expected="The input, which both shortcuts pass on when both branches are zero.",
                tag="sublayer-unused" if not output.any() and not block.parameters() else "missing-skip",
            )

    def expect_own_norms(self) -> None:
        """Each half has a norm of its own, with a scale and a shift to train; two blocks share nothing."""
        found = self.found()
        norms = _norms(found)
        if not all(is_trained(norm.weight) and is_trained(norm.bias) for norm in norms):
            block, x = self.build(0.0), self.draw.input(2, 4, self.dim)
            expect_registered(block, block.call(x), block.call(x))
            fail(
                "A norm of your block has no trainable scale, or no shift, for each feature.",
                expected=f"{self.norm} with its parameters.",
                tag="wrong-norm",
            )
        one = found.second.tag == "shared-norm"
        if one or any(gap(a.weight, b.weight) < 1e-6 or gap(a.bias, b.bias) < 1e-6 for a, b in pairwise(norms)):
            fail(
                "Both halves use one and the same norm." if one else "The norms share parameters.",
                expected="Two norms, one for each half.",
                tag="shared-norm",
                formula=Formula(found.text, BLOCK, half="both") if one else None,
            )
        self._expect_independent_blocks()

    def _expect_independent_blocks(self) -> None:
        block, neighbour, x = self.build(0.0), self.build(0.0).eval(), self.draw.input(2, 4, self.dim)
        before, values = neighbour(x), block.parameters()
        if not same(neighbour(x), before):
            return  # random or made anew each time, which has its own check
        for tag, wanted in (("shared-layer", 2), ("shared-norm", 1)):
            made = {name: self.draw.normal(*value.shape) for name, value in values.items() if value.dim() == wanted}
            block.assign(made)
            if not same(neighbour(x), before):
                fail(
                    "Two blocks share a layer: changing one block changed the other.",
                    expected="Own layers for each block.",
                    tag=tag,
                )

    # The parts --------------------------------------------------------------------------------------------------------

    def expect_causal(self) -> None:
        """No token sees a later one, each sees the first."""
        block = self.drawn()
        tokens = 9 if works(lambda: block.call(torch.zeros(1, 9, self.dim))) else 4
        expect_causal(block, self.draw.input(2, tokens, self.dim), self.draw.input)

    def expect_feed_forward(self, width: int, student: Student | None = None) -> None:
        """The feed forward acts on each token alone, is `width` wide inside and has a GELU; `student` gets remarks."""
        for sublayer in self._sublayers():
            if sublayer.kind == "F":
                feed_forward = feed_forward_of(sublayer)
                if len(feed_forward.layers) != 2:  # not made of two layers that are modules
                    feed_forward = replace(feed_forward, inside=self._inside_the_feed_forward())
                feed_forward.expect(width=width, student=student)

    def _sublayers(self) -> Sequence[Sublayer]:
        """Those of a new block. They are not read anew from formulas where module calls were enough for that before."""
        known = self.found()
        if known.text is not None and all(one.parts for one in known.anatomy.sublayers):
            parts = anatomy(*self.several(), self.plan())
            if parts.order == known.anatomy.order:
                return parts.sublayers
        return self.read()[1].anatomy.sublayers

    def _inside_the_feed_forward(self) -> list[torch.Tensor]:
        seen = sublayer_in(*self.one_sequence(), "F")
        values = [seen[0].value(number) for number in seen[1].inside] if seen is not None else []
        return [value for value in values if value is not None]

    def lost_gradient(self) -> Formula | None:
        """How the block reads to autograd where a path is cut; None where the graph does not show it."""
        cut = lost_in_block(*self.one_sequence())
        return Formula(cut.text, BLOCK, half=cut.half) if cut is not None else None

    # Dropout ----------------------------------------------------------------------------------------------------------

    def expect_dropout(self, wide: TwoHalves | None = None) -> None:
        """In training, dropout of the asked rate acts on the result of each sublayer, before each sum.

        It is tried on the blocks of `wide`, if there are such: many elements in few tokens take less time.
        """
        layers, seen = self._last_layers(), dict[str, dict[float, Dropped | None]](A={}, F={})
        tried = wide or self
        for kind, rate in ((kind, rate) for kind in seen for rate in RATES if layers is not None):
            block = tried.build(rate)
            block.assign(silenced(layers or (), block.parameters(), kind, 3.0))
            count = max(20, 960 // tried.dim)  # sequences with enough elements to tell the share that is dropped
            seen[kind][rate] = find_dropout(block, self.draw.input(count, 4, tried.dim) + 20, 3.0)
        halves = dropped_block(seen["A"], seen["F"], tried._missing) if layers is not None else None
        if halves is not None and all(half.known for half in halves):
            _blame_first(halves)
        elif self.found().text == BLOCK:  # another formula has its own check
            cannot_tell(
                "Dropout in your block could not be looked at from outside; your teacher can.",
                expected=f"In training, dropout with {self.rate} on what each sublayer returns, before each sum.",
                staff_note="The attention and the feed forward could not be made to return a constant by their "
                "parameters.",
            )

    def _last_layers(self) -> Sequence[LastLayer] | None:
        known = (last_layers(*make(), self.plan()) for make in (self.one_sequence, self.several))
        return next((layers for layers in known if layers is not None), None)

    def _missing(self) -> dict[str, float]:
        """The share of elements missing in training, at a rate of 0.5: see `dropped_block`."""
        block = self.build(0.5)
        self.draw.parameters(block)
        return missing_elements(block.train(), self.draw.input(8, 4, self.dim) + 20, self.plan())


def _blame_first(halves: tuple[DroppedHalf, DroppedHalf]) -> None:
    first = next((half for half in halves if half.tag is not None), None)
    if first is not None:
        texts = [half.text for half in halves]
        text = f"h = {texts[0]}; y = {texts[1]}" if None not in texts else None
        where = "both" if halves[0].tag == halves[1].tag else first.half
        blame_dropout(first, Formula(text, f"h = {halves[0].asked}; y = {halves[1].asked}", half=where))


def _norms(found: BlockFound) -> list[NormFound]:
    pairs = zip(found.anatomy.sublayers, found.bases, strict=False)
    return [norm for sublayer, base in pairs if (norm := as_norm(sublayer.input, base)) is not None]


def expect_halves(found: BlockFound, tags: Collection[str], *, others: bool) -> None:
    """Both halves read as asked for, as far as mistakes of these tags are concerned, or all `others`."""
    for half, formula in zip((found.first, found.second), HALVES, strict=True):
        if (half.tag in tags) is not others and (half.tag is not None or half.text != formula):
            expect(found.as_one(half)).to_be(BLOCK)
