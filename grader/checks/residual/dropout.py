"""Recognising dropout from numbers: where it acts, when, how often, and at which rate.

The sublayer returns a constant, so that every element of the output shows whether its shortcut, its branch or their sum
was dropped, and what the kept ones were multiplied with. Rates are judged by Hoeffding's inequality: of n elements, the
dropped share deviates from the rate by more than √(ln(2/α) / 2n) with a probability of at most α, here 1e-10.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import torch

from grader.checks.expect import same
from grader.checks.student import Remote

FALSE_ALARM = 1e-10
CLOSE = 1e-6
SAME = 1e-9  # so fine that no twenty of some ten thousand random numbers agree by chance
BINS = 1 << 16
FEW = 20  # elements of one kind below which nothing is concluded from them

Place = Literal["nowhere", "branch", "sum", "skip", "several", "unknown", "hidden"]


def deviation(count: int) -> float:
    """How far the mean of `count` independent numbers from [0, 1] may be from its expectation (see above)."""
    return math.sqrt(math.log(2 / FALSE_ALARM) / (2 * max(1, count)))


@dataclass(frozen=True)
class Share:
    """How large a part of `numbers` elements was dropped, and what the kept ones were multiplied with."""

    dropped: float = 0.0
    factor: float = 1.0
    numbers: int = 0

    @property
    def found(self) -> bool:
        """Whether anything was dropped here."""
        return self.dropped > 0

    def has_rate(self, rate: float) -> bool:
        """Whether this is inverted dropout of that rate (false alarm at most 1e-10)."""
        near = abs(self.dropped - rate) <= deviation(self.numbers)
        return near and abs(self.factor - 1 / (1 - rate)) <= CLOSE * self.factor


@dataclass(frozen=True)
class Dropped:
    """What was found on the shortcut, on the branch, and on the sum of both.

    `whole_tokens`: where a branch element was dropped, all features of its token were.
    """

    place: Place
    skip: Share = Share()
    branch: Share = Share()
    sum: Share = Share()
    whole_tokens: bool = False

    @classmethod
    def of(cls, skip: Share, branch: Share, total: Share) -> Dropped:
        """With the place that these shares mean."""
        places: dict[Place, Share] = {"skip": skip, "branch": branch, "sum": total}
        found = [place for place, share in places.items() if share.found]
        place: Place = "nowhere" if not found else found[0] if len(found) == 1 else "several"
        return cls(place, skip, branch, total)


def find_dropout(module: Remote, x: torch.Tensor, branch: float, **keywords: float) -> Dropped:
    """Where dropout acts in training, for a module that returns `x` plus a constant branch in evaluation mode.

    "hidden" if it returns something else there: then it computes another formula, which has its own check, and where
    its dropout acts cannot be seen this way.
    """
    if not same(module.eval()(x, **keywords), x + branch):
        return Dropped("hidden")
    output = module.train()(x, **keywords)
    return dropped(output, x, branch) if output.shape == x.shape else Dropped("unknown")


def dropped(output: torch.Tensor, x: torch.Tensor, branch: float) -> Dropped:
    """Where elements of `x + branch` were dropped to give `output`. No number of `x` may be near zero."""
    flat, known = output.double().flatten(), x.double().flatten()
    zero = flat.abs() < CLOSE
    without_branch = _cluster(flat / known, ~zero)
    without_skip = _cluster(flat / branch, ~zero & ~without_branch)
    whole = ~(zero | without_branch | without_skip)
    if int(whole.sum()) < FEW:
        return Dropped("unknown")
    columns = torch.stack([known[whole], torch.full_like(known[whole], branch)], 1)
    factors = torch.linalg.lstsq(columns, flat[whole][:, None]).solution[:, 0]
    if not bool(((columns @ factors - flat[whole]).abs() < CLOSE).all()):
        return Dropped("unknown")
    kinds = _apart((zero + 2 * without_branch + 3 * without_skip).reshape(x.shape))
    counts = [int((kinds == kind).sum()) for kind in (1, 2, 3, 0)]
    found = _named(counts, factors.tolist())
    lost = without_branch.reshape(x.shape)
    together = bool((lost.all(-1) == lost.any(-1)).all()) and bool(lost.any()) and x.shape[-1] > 1
    return replace(found, whole_tokens=together)


def _apart(kinds: torch.Tensor) -> torch.Tensor:
    """The elements that were dropped or kept by themselves: the same all along an axis is one random number."""
    for axis in range(kinds.dim()):
        first = kinds.narrow(axis, 0, 1)
        kinds = first if bool((kinds == first).all()) else kinds
    return kinds


def _cluster(values: torch.Tensor, among: torch.Tensor) -> torch.Tensor:
    """The elements that share one value, if many do. A sum with another random number in it never shares one."""
    rounded = (values[among] / SAME).round()
    bins = rounded.long().remainder(BINS)  # sorting all of them to count the equal ones takes ten times as long
    rounded = rounded[bins.bincount(minlength=BINS)[bins] >= FEW]
    if not rounded.numel():
        return torch.zeros_like(among)
    kinds, counts = rounded.unique(return_counts=True)
    most = counts.argmax()
    if int(counts[most]) < FEW:
        return torch.zeros_like(among)
    near: torch.Tensor = (values - kinds[most] * SAME).abs() < 2 * SAME
    return among & near


def _named(counts: Sequence[int], factors: Sequence[float]) -> Dropped:
    """Shares of the three places. Both paths dropped by chance give zeros, too; the rest of the zeros is the sum's."""
    zero, without_branch, without_skip, whole = counts
    skip = without_skip / (without_skip + whole)
    branch = without_branch / (without_branch + whole)
    total = zero + without_branch + without_skip + whole
    both = (total - zero) * skip * branch / (1 - skip * branch)
    if whole == total:
        return Dropped("nowhere")
    on_sum = max(0.0, zero - both) / total
    weight = total if not skip * branch else int((total - zero) * (1 - skip * branch) ** 2)  # `both` is an estimate
    on_sum = 0.0 if on_sum <= deviation(weight) and skip * branch > 0 else on_sum
    summed = Share(on_sum, _factor(on_sum, factors) if on_sum else 1.0, weight)
    parts = [
        Share(share, factor / summed.factor, count + whole)
        for share, factor, count in ((skip, factors[0], without_skip), (branch, factors[1], without_branch))
    ]
    return Dropped.of(parts[0], parts[1], summed)


def _factor(rate: float, factors: Sequence[float]) -> float:
    """What the sum was multiplied with: all that both paths have in common, or a part where both were dropped, too."""
    common = min(factors, key=abs)
    tries = [common**part for part in (1, 1 / 2, 2 / 3, 1 / 3)] if common > 0 else [common or 1.0]
    return min(tries, key=lambda factor: abs(factor - 1 / (1 - min(rate, 0.999))))
