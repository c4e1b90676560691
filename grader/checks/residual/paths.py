"""Naming where a gradient is lost: the half as it is, with one of its paths cut, until the gradients agree."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import torch

from grader.checks.expect import same

Function = Callable[[torch.Tensor], torch.Tensor]


@dataclass(frozen=True)
class Path:
    """A residual half whose formula is right: `base + sublayer(norm(base))`, and how it reads."""

    norm: Function
    sublayer: Function
    names: tuple[str, str, str] = ("x", "F", "Norm")

    def cut(self, x: torch.Tensor, at: str) -> torch.Tensor:
        """The half's result with one path cut: "skip", "branch" (after the sublayer), "norm" (after it), "input"."""
        skip = x.detach() if at in ("skip", "all") else x
        normed = self.norm(x.detach() if at == "input" else x)
        branch = self.sublayer(normed.detach() if at == "norm" else normed)
        return skip + (branch.detach() if at in ("branch", "all") else branch)

    def text(self, at: str) -> str:
        """How the half reads with that path cut."""
        base, sublayer, norm = self.names
        skip = f"detach({base})" if at in ("skip", "all") else base
        normed = f"{norm}(detach({base}))" if at == "input" else f"{norm}({base})"
        branch = f"{sublayer}(detach({normed}))" if at == "norm" else f"{sublayer}({normed})"
        return f"{skip} + detach({branch})" if at in ("branch", "all") else f"{skip} + {branch}"


@dataclass(frozen=True)
class Arrived:
    """What a backward pass brought: the gradient of the input, and whether each part's parameters got any.

    `reached` names parts: (number of the half, "sublayer" or "norm").
    """

    input: torch.Tensor | None
    reached: Mapping[tuple[int, str], bool]


def lost_at(
    halves: Sequence[Path], x: torch.Tensor, cotangent: torch.Tensor, arrived: Arrived
) -> tuple[str, ...] | None:
    """Where each half is cut ("" for nowhere), by the gradients that arrived; None when no single cut explains them."""
    given = torch.zeros_like(x) if arrived.input is None else arrived.input
    for cuts in _cuts(len(halves)):
        leaf = x.detach().clone().requires_grad_()
        value = leaf
        for half, at in zip(halves, cuts, strict=True):
            value = half.cut(value, at)
        if value.requires_grad:
            (value * cotangent).sum().backward()
        wanted = torch.zeros_like(x) if leaf.grad is None else leaf.grad
        if same(given, wanted) and all(arrived.reached.get(key, is_so) == is_so for key, is_so in _reached(cuts)):
            return cuts
    return None


def _cuts(count: int) -> Iterator[tuple[str, ...]]:
    """One half cut at one place, then all halves at the same place, then any two."""
    places = ("skip", "branch", "norm", "input", "all")
    for place, number in itertools.product(places, range(count)):
        yield tuple(place if number == at else "" for at in range(count))
    if count > 1:
        yield from itertools.product(places, repeat=count)


def _reached(cuts: Sequence[str]) -> Iterator[tuple[tuple[int, str], bool]]:
    """Which parts get a gradient: nothing before a half that lets none through."""
    closed = False
    for number in reversed(range(len(cuts))):
        at = cuts[number]
        yield (number, "sublayer"), not closed and at not in ("branch", "all")
        yield (number, "norm"), not closed and at not in ("branch", "norm", "all")
        closed = closed or at == "all"
