"""What any block of an attention and a feed forward half is asked for, however it is built.

`h = x + A(Norm1(x)); y = h + F(Norm2(h))`, with dropout on the result of each sublayer.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from itertools import pairwise

import torch

from grader.checks.draw import Draw
from grader.checks.expect import cannot_tell, expect, fail, gap, same
from grader.checks.modules import expect_registered, works
from grader.checks.residual.anatomy import anatomy
from grader.checks.residual.block import last_layers, silenced
from grader.checks.residual.combine import NormFound, as_norm
from grader.checks.residual.dropout import Dropped, find_dropout
from grader.checks.residual.dropout_rules import blame_dropout
from grader.checks.residual.dropped_block import dropped_block
from grader.checks.residual.halves import BlockFound, identify_block
from grader.checks.residual.norms import is_trained
from grader.checks.student import Remote
from grader.model.results import Formula

HALVES = ("x + A(Norm1(x))", "h + F(Norm2(h))")
BLOCK = f"h = {HALVES[0]}; y = {HALVES[1]}"
RATES = (0.2, 0.7)
ROUGHLY = 1e-2  # an eps shows a little with the size of a row


@dataclass(frozen=True)
class TwoHalves:
    """Experiments on blocks of one width; `build(rate)` makes a new one with that rate of dropout."""

    build: Callable[[float], Remote]
    draw: Draw
    dim: int

    def drawn(self) -> Remote:
        """A block in evaluation mode that drops nothing, all parameters random."""
        block = self.build(0.0).eval()
        self.draw.parameters(block)
        return block

    def inputs(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Sixteen sequences of four tokens, and one of sixty, on which code that loops over a batch shows, too."""
        return self.draw.input(16, 4, self.dim), self.draw.input(1, 60, self.dim)

    def found(self) -> BlockFound:
        """The formulas of both halves in evaluation mode, or in training where they are others there."""
        block, (x, _) = self.drawn(), self.inputs()
        found = self._read(block)
        if found is not None and found.text == BLOCK:
            output, trained = block.eval()(x), block.train()(x)
            if same(block(x), trained) and not same(trained, output):
                found = self._read(block)
        if found is not None and found.text == BLOCK and self._attends_to_more(block.eval(), x):
            text = "x + A(Norm1(x), x)"
            found = replace(found, first=replace(found.first, text=text, tag="missing-norm"))
        if found is None or (found.text is None and not {"A", "F"} <= set(found.anatomy.order)):
            self._expect_shortcuts()
            cannot_tell(
                "The two halves of your block could not be found from outside; your teacher can look at them.",
                expected=BLOCK,
                staff_note="Neither the module calls nor the graph of operations show an attention and a feed forward.",
            )
        return found

    def _read(self, block: Remote) -> BlockFound | None:
        several, one = self.inputs()
        found = identify_block(block, several)
        if (found is None or found.text is None) and works(lambda: block.call(one)):
            alone = identify_block(block, one)
            found = alone if alone is not None and alone.text is not None else found
        return found

    def _attends_to_more(self, block: Remote, x: torch.Tensor) -> bool:
        """Whether attention gets more than the norm of the input, which does not show the size and mean of a row."""
        size, mean = self.draw.normal(*x.shape[:-1], 1).abs() + 1, self.draw.normal(*x.shape[:-1], 1)
        found = [identify_block(block, one) for one in (x, size * x + mean)]
        made = [one.anatomy.sublayers[0].output for one in found if one is not None and one.text == BLOCK]
        return len(made) == 2 and gap(made[1], made[0]) > ROUGHLY

    def _expect_shortcuts(self) -> None:
        """With all parameters zero both branches are zero, and what is left is the shortcut."""
        block, x = self.build(0.0).eval(), self.draw.input(16, 4, self.dim)
        block.assign({name: torch.zeros_like(value) for name, value in block.parameters().items()})
        if not same(block(x), x):
            fail(
                "With all parameters zero, your block does not return its input.",
                expected="The input, which both shortcuts pass on when both branches are zero.",
                tag="missing-skip",
            )

    def expect_own_norms(self, found: BlockFound) -> None:
        """Each half has a norm of its own, with a scale and a shift to train; two blocks share nothing."""
        norms = _norms(found)
        if not all(is_trained(norm.weight) and is_trained(norm.bias) for norm in norms):
            block, x = self.build(0.0), self.draw.input(2, 4, self.dim)
            expect_registered(block, block.call(x), block.call(x))
            fail(
                "A norm of your block has no trainable scale, or no shift, for each feature.",
                expected="A layer norm with its parameters.",
                tag="wrong-norm",
            )
        tied = any(gap(a.weight, b.weight) < 1e-6 or gap(a.bias, b.bias) < 1e-6 for a, b in pairwise(norms))
        if found.second.tag == "shared-norm" or tied:
            fail(
                "Both halves use one and the same norm.",
                expected="Two norms, one for each half.",
                tag="shared-norm",
                formula=Formula(found.text, BLOCK, half="both") if found.second.tag == "shared-norm" else None,
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

    # Dropout ----------------------------------------------------------------------------------------------------------

    def expect_dropout(self) -> None:
        """In training, dropout of the asked rate acts on the result of each sublayer, before each sum."""
        layers = next((known for x in self.inputs() if (known := last_layers(self.drawn(), x)) is not None), None)
        seen: dict[str, dict[float, Dropped | None]] = {"A": {}, "F": {}}
        for kind, rate in ((kind, rate) for kind in seen for rate in RATES if layers is not None):
            block = self.build(rate)
            block.assign(silenced(layers or (), block.parameters(), kind, 3.0))
            seen[kind][rate] = find_dropout(block, self.draw.input(300, 4, self.dim) + 20, 3.0)
        found = dropped_block(seen["A"], seen["F"], self._missing) if layers is not None else None
        if found is None or not all(half.known for half in found):
            if self.found().text != BLOCK:
                return  # another formula, which has its own check
            cannot_tell(
                "Dropout in your block could not be looked at from outside; your teacher can.",
                expected="In training, dropout on what each sublayer returns, before each sum.",
                staff_note="The sublayers could not be made to return a constant by their parameters.",
            )
        first = next((half for half in found if half.tag is not None), None)
        if first is not None:
            texts = [half.text for half in found]
            text = f"h = {texts[0]}; y = {texts[1]}" if None not in texts else None
            where = "both" if found[0].tag == found[1].tag else first.half
            blame_dropout(first, Formula(text, f"h = {found[0].asked}; y = {found[1].asked}", half=where))

    def _missing(self) -> dict[str, float]:
        """The share of elements missing in training, at a rate of 0.5: see `dropped_block`."""
        block = self.build(0.5)
        self.draw.parameters(block)
        parts = anatomy(block.train(), self.draw.input(8, 4, self.dim) + 20)
        normed = [norm.output for _, norm in parts.norms]
        missing = {
            kind: max((_dropped_from(one.input, normed) for one in parts.sublayers if one.kind == kind), default=0.0)
            for kind in ("A", "F")
        }
        begins = [one.at for one in parts.sublayers][:2] + [len(parts.norms)] * 2
        missing["x"] = max((_dropped_from(n.input, [parts.x]) for at, n in parts.norms if at < begins[0]), default=0.0)
        missing["h"] = max((_zeros(n.input) for at, n in parts.norms if begins[0] < at < begins[1]), default=0.0)
        return missing


def _norms(found: BlockFound) -> list[NormFound]:
    pairs = zip(found.anatomy.sublayers, found.bases, strict=False)
    return [norm for sublayer, base in pairs if (norm := as_norm(sublayer.input, base)) is not None]


def _zeros(values: torch.Tensor) -> float:
    return float((values == 0).double().mean())


def _dropped_from(values: torch.Tensor, sources: Collection[torch.Tensor]) -> float:
    """The share of zeros, if the other elements are those of a source, all times the same factor."""
    for source in sources:
        kept = (values / source)[values != 0] if source.shape == values.shape else values[:0]
        if kept.numel() and gap(kept, kept.flatten()[:1].expand_as(kept)) <= 1e-6:
            return _zeros(values)
    return 0.0


def expect_halves(found: BlockFound, tags: Collection[str], *, others: bool) -> None:
    """Both halves read as asked for, as far as mistakes of these tags are concerned, or all `others`."""
    for half, formula in zip((found.first, found.second), HALVES, strict=True):
        if (half.tag in tags) is not others and (half.tag is not None or half.text != formula):
            expect(found.as_one(half)).to_be(BLOCK)
