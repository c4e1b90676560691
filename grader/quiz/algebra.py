"""Formulas as sums of products in one normal form, so that two spellings of one formula are equal values.

A factor is a variable, or a function of a formula. Functions are opaque: nothing is known of `F` but its name, so
`F(x + x)` equals `F(2·x)` and neither equals `2·F(x)`. Every size has a bound; what exceeds it is `TooMuch`.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from fractions import Fraction

MOST_TERMS = 32
_MOST_POWER = 16
_MOST_BITS = 200  # of the two halves of a coefficient
_LONGEST_NAME = 200

Factors = tuple[tuple[str, int], ...]
"""Names with their powers, in alphabetical order; a function's name has its arguments in it."""


class TooMuch(ValueError):
    """A formula with more terms, higher powers or longer numbers than are kept."""


@dataclass(frozen=True)
class Expression:
    """A sum: the coefficient of each product, none of them 0. Made by `number`, `variable` and `call`."""

    terms: dict[Factors, Fraction]

    def __add__(self, other: Expression) -> Expression:
        terms = dict(self.terms)
        for factors, coefficient in other.terms.items():
            terms[factors] = terms.get(factors, Fraction(0)) + coefficient
        return _bounded(terms)

    def __neg__(self) -> Expression:
        return Expression({factors: -coefficient for factors, coefficient in self.terms.items()})

    def __sub__(self, other: Expression) -> Expression:
        return self + -other

    def __mul__(self, other: Expression) -> Expression:
        terms: dict[Factors, Fraction] = {}
        for ours, one in self.terms.items():
            for theirs, another in other.terms.items():
                factors = _product(ours, theirs)
                terms[factors] = terms.get(factors, Fraction(0)) + one * another
        return _bounded(terms)

    def __truediv__(self, other: Expression) -> Expression:
        """Raises ZeroDivisionError. A sum below the line is kept whole: `(x + y) / (x + y)` is not reduced."""
        if not other.terms:
            raise ZeroDivisionError
        factors, coefficient = min(other.terms.items())
        if len(other.terms) == 1:
            below = Expression({tuple((name, -power) for name, power in factors): 1 / coefficient})
        else:
            scale = number(1 / coefficient)
            below = call("1/", other * scale) * scale
        return self * below

    def __pow__(self, exponent: int) -> Expression:
        if not 0 <= exponent <= _MOST_POWER:
            raise TooMuch("The powers in it are too high.")
        value = number(1)
        for _ in range(exponent):
            value *= self
        return value

    def __str__(self) -> str:
        """The same for equal formulas, coefficients to ten digits."""
        shown = []
        for factors, coefficient in sorted(self.terms.items()):
            names = "·".join(name if power == 1 else f"{name}^{power}" for name, power in factors)
            shown.append(f"{float(coefficient):.10g}·{names}" if names else f"{float(coefficient):.10g}")
        return " + ".join(shown) or "0"


def number(value: Fraction | int) -> Expression:
    """A number by itself."""
    return _bounded({(): Fraction(value)})


def variable(name: str) -> Expression:
    """What a name stands for that is no function."""
    return Expression({((name, 1),): Fraction(1)})


def call(name: str, *arguments: Expression) -> Expression:
    """The function of that name, of which nothing else is known."""
    told = ", ".join(str(argument) for argument in arguments)
    if len(told) > _LONGEST_NAME:
        told = f"#{hashlib.sha256(told.encode()).hexdigest()}"
    return variable(f"{name}({told})")


def close(one: Expression, other: Expression, relative: float) -> bool:
    """Whether both have the same products, with coefficients that differ by a part of `relative` at most."""
    return one.terms.keys() == other.terms.keys() and all(
        math.isclose(coefficient, other.terms[factors], rel_tol=relative) for factors, coefficient in one.terms.items()
    )


def _product(ours: Factors, theirs: Factors) -> Factors:
    powers = dict(ours)
    for name, power in theirs:
        powers[name] = powers.get(name, 0) + power
    if any(abs(power) > _MOST_POWER for power in powers.values()):
        raise TooMuch("The powers in it are too high.")
    return tuple(sorted((name, power) for name, power in powers.items() if power))


def _bounded(terms: dict[Factors, Fraction]) -> Expression:
    terms = {factors: coefficient for factors, coefficient in terms.items() if coefficient}
    if len(terms) > MOST_TERMS:
        raise TooMuch(f"Multiplied out, it has more than {MOST_TERMS} terms.")
    for coefficient in terms.values():
        if max(coefficient.numerator.bit_length(), coefficient.denominator.bit_length()) > _MOST_BITS:
            raise TooMuch("The numbers in it are too long.")
    return Expression(terms)
