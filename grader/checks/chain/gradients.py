"""The gradients of a chain of layers beside those of its formula, and where on the way back they are lost."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

import torch

from grader.checks.chain.activations import Tensor
from grader.checks.chain.layers import ONE, Branch, Rule, Seen, Step, alike, run, spelled
from grader.checks.chain.layout import Places
from grader.checks.chain.onlooker import Onlooker
from grader.checks.chain.rules import COUNT, named
from grader.checks.expect import CheckFailed, gap
from grader.checks.student import Remote

SAME = 1e-6
NEARLY = 1e-2  # where the formula itself fits nearly only


@dataclass(frozen=True)
class Trial:
    """A network that was looked at, what it is made of, and the cotangent that is sent back through it."""

    net: Remote
    values: list[Tensor]
    seen: Seen
    which: Places
    cotangent: Tensor

    def told(self) -> list[Tensor] | None:
        """The gradients of the input and of each parameter as the network gives them; None where none can flow."""
        try:
            found = self.net.gradient(self.seen.x, self.cotangent)
        except CheckFailed:
            if self.net.call(self.seen.x.clone().requires_grad_()).graph:
                raise
            return None
        given = [found.input, *found.parameters.values()]
        return [torch.zeros_like(x) if g is None else g for g, x in zip(given, self._leaves, strict=False)]

    def true(self, rule: Rule) -> tuple[Tensor, list[Tensor]] | None:
        """The output of a rule and the gradients by autograd; None where sizes do not fit."""
        leaves = [leaf.detach().clone().requires_grad_() for leaf in self._leaves]
        layers = self.which.layers(leaves[1:], self.seen.sizes)
        if layers is None:
            return None
        output = run(rule, Seen(self.seen.sizes, self.seen.shortcut, leaves[0], None, layers))
        if output is None or output.shape != self.cotangent.shape:
            return None
        if output.requires_grad:
            (output * self.cotangent).sum().backward()
        return output, [torch.zeros_like(leaf) if leaf.grad is None else leaf.grad for leaf in leaves]

    @property
    def _leaves(self) -> list[Tensor]:
        return [self.seen.x, *self.values]


def trial(look: Onlooker, sizes: Sequence[int], shortcut: bool) -> Trial:
    """A network of these sizes, ready to be compared."""
    net, named = look.build(sizes, shortcut)
    values = list(named.values())
    seen, which = look.look_at(net, values, sizes, shortcut)
    return Trial(net, values, seen, which, look.draw.normal(len(seen.x), sizes[-1]))


def same_gradients(told: Sequence[Tensor] | None, true: Sequence[Tensor], bound: float = SAME) -> bool:
    """Whether all gradients agree."""
    if told is None:
        return not any(bool(gradient.any()) for gradient in true)
    return len(told) == len(true) and all(gap(one, other) <= bound for one, other in zip(told, true, strict=True))


def lost_path(like: Rule, one: Trial, told: Sequence[Tensor] | None) -> str | None:
    """The formula with the path that is cut, for a network whose output is right and whose gradients are not."""
    for rule in cut_rules(like):
        if (true := one.true(rule)) is not None and same_gradients(told, true[1]):
            return rule.text if one.seen.shortcut else without_shortcut(rule.text)
    return None


def without_shortcut(text: str) -> str:
    """The same layers where nothing is added."""
    return text.removeprefix("detach(x) + ").replace("detach(x + ", "detach(").removeprefix("x + ")


def cut_rules(like: Rule) -> Iterator[Rule]:
    """The formula with one path cut: in all layers, else in some."""
    everywhere = frozenset(range(COUNT))
    choices = [
        everywhere,
        *(frozenset([n]) for n in (0, COUNT - 1, 1, 2, 3)),
        everywhere - {0},
        everywhere - {COUNT - 1},
    ]
    for some in choices:
        where = "" if some == everywhere else f" in {named(some)}"
        for text, skip, branch in _cuts(like.branch, some):
            yield alike(like, text=spelled(text, like) + where, skip=skip, branch=branch)
    yield alike(like, text=spelled(f"x + {ONE} of detach(x0)", like), start=lambda t: like.start(t).detach())


def _cuts(branch: Branch, some: Collection[int]) -> Iterator[tuple[str, Callable[[Step], Tensor], Branch]]:
    def kept(step: Step) -> Tensor:
        return step.x

    def cut(step: Step) -> Tensor:
        return step.x.detach() if step.index in some else step.x

    def of(way: Branch) -> Branch:
        return lambda x, w, b, n: (way if n in some else branch)(x, w, b, n)

    whole = of(lambda x, w, b, n: branch(x, w, b, n).detach())
    yield f"detach(x) + {ONE}", cut, branch
    yield f"x + detach({ONE})", kept, whole
    yield f"detach(x + {ONE})", cut, whole
    inside = of(lambda x, w, b, n: branch(x.detach(), w, b, n))
    yield f"x + {ONE.replace('(x)', '(detach(x))')}", kept, inside
    yield f"detach(x) + {ONE.replace('(x)', '(detach(x))')}", cut, inside
    yield (
        f"x + {ONE} with weights and biases detached",
        kept,
        of(lambda x, w, b, n: branch(x, w.detach(), b.detach(), n)),
    )
    yield f"x + {ONE} with weights detached", kept, of(lambda x, w, b, n: branch(x, w.detach(), b, n))
    yield f"x + {ONE} with biases detached", kept, of(lambda x, w, b, n: branch(x, w, b.detach(), n))
