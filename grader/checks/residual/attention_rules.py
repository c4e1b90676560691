"""What an attention is asked for beside its formula: scaled scores, four projections, a mask or none."""

from __future__ import annotations

from collections.abc import Callable

import torch

from grader.checks.expect import CheckFailed, cannot_tell, expect, fail, gap, same
from grader.checks.residual.attention import heads, is_built_in, is_projected
from grader.checks.residual.block import sublayer_in
from grader.checks.residual.graph import Graph
from grader.checks.residual.graph_halves import Segment
from grader.checks.student import Remote
from grader.sandbox.session import StudentRaised

ASKED = "Scores divided by the root of the head size before the softmax."
NOTHING = 1e-12
SEEN = 1e-6  # how much the last output has to change with the first token
TOKENS = 6


def expect_heads(seen: tuple[Graph, Segment] | None) -> None:
    """Scores are scaled, every query's weights add up to 1, and there are four projections.

    Nothing is asked where no attention was `seen`, which has its own check, or where torch's own does it.
    """
    if seen is None or is_built_in(*seen):
        return
    found = list(heads(*seen))
    for head in found:
        if head.scale is not None and not head.is_scaled:
            happened = f"The scores are multiplied by {head.scale:.3g}, with heads of size {head.size}."
            fail(happened, expected=ASKED, tag="wrong-scale")
        if head.over_queries:
            happened = "The weights with which a token looks at the others do not add up to 1."
            fail(happened, expected="A softmax along the last axis of the scores.", tag="wrong-sublayer")
        if head.values_are_keys:
            happened = "Your attention weighs the keys, not values of their own."
            fail(happened, expected="Queries, keys and values, each by a projection of its own.", tag="wrong-sublayer")
        if not is_projected(*seen, head):
            happened = "What the heads return is not projected by a layer of its own."
            expected = "An output projection after the heads are put side by side."
            fail(happened, expected=expected, tag="wrong-sublayer")
    if not found or any(head.scale is None for head in found):
        cannot_tell(
            "The scores of your attention could not be looked at from outside; your teacher can.",
            expected=ASKED,
            staff_note="No softmax over a product of queries and keys was seen in the block's operations.",
        )


def expect_causal(block: Remote, x: torch.Tensor, draw: Callable[..., torch.Tensor]) -> None:
    """A change in any token changes no output before it, and the first token is seen by the last; in both modes.

    `block` has random parameters and drops nothing.
    """

    def outputs(given: torch.Tensor) -> torch.Tensor:
        output = block(given)
        expect(output).to_have_shape(tuple(given.shape), given=f"an input of shape {tuple(given.shape)}")
        return output

    count, dim = x.shape[1:]
    for mode in (block.eval, block.train):
        mode()
        output = outputs(x)
        if not same(outputs(x), output):
            return  # random in spite of that, which has its own check
        changes = [torch.cat([x[:, :token], draw(len(x), count - token, dim)], 1) for token in range(1, count)]
        if _is_causal(outputs, x, changes):
            continue
        for token, changed in enumerate(changes, 1):
            if not same(outputs(changed)[:, :token], output[:, :token]):
                fail(
                    "Changing a token changed the output of tokens before it.",
                    expected="A causal mask: no token sees a later one, in training as in evaluation.",
                    tag="wrong-mask",
                )
        if gap(outputs(torch.cat([draw(len(x), 1, dim), x[:, 1:]], 1))[:, -1], output[:, -1]) < SEEN:
            fail(
                "Changing the first token did not change the output of the last.",
                expected="Each token sees all earlier ones.",
                tag="wrong-mask",
            )


def _is_causal(outputs: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor, changes: list[torch.Tensor]) -> bool:
    """Whether no change shows before its token, and the first one shows at the last: all in one batch."""
    first = torch.cat([changes[0][:, -1:], x[:, 1:]], 1)
    try:
        output, *after, last = outputs(torch.cat([x, *changes, first])).split(len(x))
    except (StudentRaised, CheckFailed):  # so many sequences may be too many for it, which has its own check
        return False
    quiet = all(same(one[:, :token], output[:, :token]) for token, one in enumerate(after, 1))
    return quiet and gap(last[:, -1], output[:, -1]) >= SEEN


def expect_no_mask(
    block: Remote, draw: Callable[..., torch.Tensor], dim: int, called: tuple[str, str] = ("token", "tokens")
) -> None:
    """A change in any token changes the output of all others, in training as in evaluation.

    `block` has random parameters and drops nothing; `called` is what the task calls one token, and several.
    """
    x = draw(2, TOKENS, dim)
    for mode in (block.eval, block.train):
        output = _output(mode(), x)
        if not same(block(x), output):
            return  # random in spite of that, which has its own check
        deaf = []
        for at in range(TOKENS):
            after = _output(block, torch.cat([x[:, :at], draw(2, 1, dim), x[:, at + 1 :]], 1))
            others = [one for one in range(TOKENS) if one != at]
            deaf += [(one, at) for one in others if gap(after[:, one], output[:, one]) <= NOTHING]
        if len(deaf) == TOKENS * (TOKENS - 1):
            return  # no attention at all, which has its own check
        if deaf:
            whose = f"any {called[0]} before it" if all(one < at for one, at in deaf) else "some of the others"
            fail(
                f"Changing a {called[0]} did not change the output of {whose}.",
                expected=f"No mask: each {called[0]} attends to all {called[1]}.",
                tag="needless-mask",
            )
    _expect_to_see_itself(block.eval(), draw, dim, called)


def _output(block: Remote, x: torch.Tensor) -> torch.Tensor:
    """What the block makes of `x`, which must have the same shape."""
    output = block(x)
    expect(output).to_have_shape(tuple(x.shape), given=f"an input of shape {tuple(x.shape)}")
    return output


def _expect_to_see_itself(block: Remote, draw: Callable[..., torch.Tensor], dim: int, called: tuple[str, str]) -> None:
    """With two tokens, what attention makes of one must depend on that one, too."""
    x = draw(30, 2, dim)
    seen = [sublayer_in(block, one, "A") for one in (x, torch.cat([draw(30, 1, dim), x[:, 1:]], 1))]
    first, second = (None if one is None else one[0].value(one[1].end) for one in seen)
    if first is not None and second is not None and gap(first[:, 0], second[:, 0]) <= NOTHING:
        fail(
            f"What attention makes of a {called[0]} does not depend on that {called[0]} itself.",
            expected=f"No mask: each {called[0]} attends to all {called[1]}, itself included.",
            tag="needless-mask",
        )
