"""Where dropout belongs, and what each other place means: residual halves with dropout, judged at several rates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NoReturn

from grader.checks.expect import fail
from grader.checks.residual.dropout import CLOSE, Dropped, Place, Share
from grader.model.results import Formula

TAGS: dict[Place, str] = {
    "nowhere": "missing-dropout",
    "sum": "dropout-on-sum",
    "skip": "dropout-on-skip",
    "unknown": "dropout-wrong-place",
}


@dataclass(frozen=True)
class DroppedHalf:
    """One residual half as it was seen in training, at each rate that was asked for.

    `base` and `branch` are how its two paths read in a formula, `on` names the branch in a sentence. `inside` is how
    the branch reads when elements are dropped before the sublayer (None: they are not).
    """

    seen: Mapping[float, Dropped]
    base: str = "x"
    branch: str = "F(Norm(x))"
    on: str = "the sublayer's result"
    inside: str | None = None
    half: str | None = None

    @property
    def known(self) -> bool:
        """Whether it could be seen at all."""
        return all(one.place != "hidden" for one in self.seen.values())

    @property
    def place(self) -> Place:
        """Where it drops: the same place at each rate, else unknown."""
        places = {one.place for one in self.seen.values()}
        return places.pop() if len(places) == 1 else "unknown"

    @property
    def tag(self) -> str | None:
        """What is wrong with it; None for inverted dropout of the asked rate on the branch alone."""
        if not self.known:
            return None
        if self.inside is not None and self.place in ("nowhere", "branch"):
            return "dropout-wrong-place"
        if self.place == "several":
            one = next(iter(self.seen.values()))
            return "dropout-on-sum" if one.sum.found else "dropout-on-skip"
        if self.place != "branch":
            return TAGS[self.place]
        if any(one.whole_tokens for one in self.seen.values()):
            return "dropout-wrong-place"
        rate = self._rate("branch")
        return {"": None, "mask": "wrong-scale"}.get(rate, "dropout-rate-ignored")

    @property
    def text(self) -> str | None:
        """Its formula in training, None where that is not known."""
        if not self.known or self.place == "unknown":
            return None
        parts = [self._path(self.base, "skip"), self._path(self.inside or self.branch, "branch")]
        return self._path(" + ".join(parts), "sum")

    def _path(self, text: str, place: str) -> str:
        if not all(self._share(one, place).found for one in self.seen.values()):
            return text
        rate = self._rate(place)
        if rate == "mask":
            return f"mask·({text})" if " + " in text else f"mask·{text}"
        return f"Dropout(Dropout({text}))" if rate == "twice" else f"Dropout{rate}({text})"

    @staticmethod
    def _share(one: Dropped, place: str) -> Share:
        return {"skip": one.skip, "branch": one.branch, "sum": one.sum}[place]

    def _rate(self, place: str) -> str:
        """How the rate reads: nothing for the one asked for, "twice" and "mask" for dropout of another kind."""
        if place == "branch" and any(one.whole_tokens for one in self.seen.values()):
            return "[whole tokens]"
        shares = {rate: self._share(one, place) for rate, one in self.seen.items()}
        fixed = next(iter(shares.values()))
        kinds = {
            "": lambda rate, share: share.has_rate(rate),
            "mask": lambda rate, share: abs(share.factor - 1) < CLOSE,
            "twice": lambda rate, share: share.has_rate(1 - (1 - rate) ** 2),
            "[1 - rate]": lambda rate, share: share.has_rate(1 - rate),
            f"[{1 - 1 / fixed.factor:.3g}]": lambda rate, share: share.has_rate(1 - 1 / fixed.factor),
        }
        return next((kind for kind, is_so in kinds.items() if all(map(is_so, shares, shares.values()))), "[?]")

    @property
    def asked(self) -> str:
        """The formula that is asked for in training."""
        return f"{self.base} + Dropout({self.branch})"

    def happened(self) -> str:
        """What is wrong, in words."""
        if self.inside is not None and self.place in ("nowhere", "branch"):
            return "In training, your code drops elements before the sublayer."
        several = "the shortcut and the branch" if self.tag == "dropout-on-skip" else "the sum and one of its paths"
        words: dict[str, str] = {
            "nowhere": f"In training, nothing is dropped from {self.on}.",
            "sum": "Dropout acts on the sum, so the shortcut is dropped too.",
            "skip": "Dropout acts on the shortcut.",
            "several": f"Dropout acts on {several}.",
            "unknown": f"In training, the output is not the input plus what dropout left of {self.on}.",
            "branch": self._rates_in_words(),
        }
        if self.tag == "dropout-wrong-place" and self.place == "branch":
            return "In training, your code drops whole tokens at once, all of their features together."
        return words[self.place]

    def _rates_in_words(self) -> str:
        rate, one = next(iter(self.seen.items()))
        if self.tag == "wrong-scale":
            return "Dropout does not scale up what it keeps."
        if self._rate("branch") == "twice":
            return f"Dropout acts twice on {self.on}."
        return (
            f"With a rate of {rate:g}, your code dropped {one.branch.dropped:.0%} of the elements and multiplied the "
            f"rest with {one.branch.factor:.3f}."
        )

    def expected(self) -> str:
        """What is asked for, in words."""
        if self.tag == "wrong-scale":
            return "Kept elements divided by 1 - rate, as nn.Dropout does."
        if self.tag == "dropout-rate-ignored":
            rate = next(iter(self.seen))
            return f"A rate of {rate:g}: kept elements times {1 / (1 - rate):.3f}."
        return f"In training, dropout with the given rate on {self.on}, before the sum."


def expect_dropout(half: DroppedHalf) -> None:
    """Inverted dropout of the asked rate on the branch only. What cannot be seen passes: it has its own check."""
    if half.tag is not None:
        blame_dropout(half, Formula(half.text, half.asked, half=half.half))


def blame_dropout(half: DroppedHalf, formula: Formula) -> NoReturn:
    """End the check with what is wrong with this half."""
    fail(half.happened(), expected=half.expected(), tag=half.tag or TAGS[half.place], formula=formula)
