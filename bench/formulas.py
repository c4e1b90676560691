"""Whether two formulas say the same, however they are written: `2*x + F(Norm(x))` and `F(Norm(x)) + x + x`.

Both are read in the notation of the cases and compared as `grader.quiz.algebra` has them. What is not algebra ("right
values, parameters invisible") is no formula: `read` returns None.
"""

from __future__ import annotations

import re
from fractions import Fraction

from grader.quiz.algebra import Expression, TooMuch, call, close, number, variable

NAMES = {  # other spellings of the same thing
    "N": "Norm1", "N1": "Norm1", "N2": "Norm2", "N3": "Norm3", "G": "GELU", "L": "Linear", "L_i": "Linear",
    "LN": "Norm", "drop": "Dropout", "stopgrad": "detach", "x_i": "x", "x_0": "x0", "x_{i-1}": "x_before",
}  # fmt: skip
FUNCTIONS = {
    "F", "A", "Norm", "Norm1", "Norm2", "Norm3", "RMSNorm", "BatchNorm", "GELU", "Linear", "relu", "gelu", "tanh",
    "sigmoid", "silu", "softmax", "Dropout", "detach", "mean_tokens", "squeeze", "cat", "W", "max", "min",
}  # fmt: skip
VARIABLES = {"x", "x0", "x_before", "h", "y", "n", "m", "mask"}
TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?)|(?P<name>[A-Za-z]+\d?(?:_(?:\{[^}]*\}|\d\.\d+|\w+|\([\w-]+\)))*)"
    r"|(?P<index>\[[^\]]*\]|\.data\b)|(?P<sign>[-+*/·(),=;]))"
)
END = re.compile(r"\s*(?:$|,|\.\.\.| in eval| without| with | per pair)")
INDEX = {"[...,-1:,:]": "[last token]", "[:,-1:,:]": "[last token]", "[:,-1:]": "[last token]", ".data": "detach"}


class NoFormula(ValueError):
    """The text is not algebra as this module reads it."""


class _Reader:
    """A recursive descent over one text."""

    def __init__(self, text: str, numbered_norms: bool, defines: bool = True) -> None:
        self.text, self.at = text, 0
        self.numbered_norms, self.defines = numbered_norms, defines
        self.known: dict[str, Expression] = {}
        self.values: list[Expression] = []

    def peek(self) -> re.Match[str] | None:
        return TOKEN.match(self.text, self.at)

    def sign(self, *signs: str) -> str | None:
        token = self.peek()
        if token is None or token["sign"] not in signs:
            return None
        self.at = token.end()
        return token["sign"]

    def formula(self) -> Expression:
        """Assignments separated by `;`, the last one or a bare sum is the value."""
        while True:
            begin, token = self.at, self.peek()
            name = None
            if token is not None and token["name"]:
                self.at = token.end()
                name = token["name"] if self.sign("=") else None
                self.at = self.at if name else begin
            value = self.sum()
            self.values.append(value)
            if name and self.defines:
                self.known[NAMES.get(name, name)] = value
            if not self.sign(";"):
                return value

    def sum(self) -> Expression:
        total = -self.product() if self.sign("-") else self.product()
        while sign := self.sign("+", "-"):
            total = total + self.product() if sign == "+" else total - self.product()
        return total

    def product(self) -> Expression:
        value = self.item()
        while sign := self.sign("*", "/", "·"):
            value = value / self.item() if sign == "/" else value * self.item()
        return value

    def item(self) -> Expression:
        token = self.peek()
        if token is None:
            raise NoFormula(self.text[self.at :])
        if token["number"]:
            self.at = token.end()
            after = self.peek()
            times = self.item() if after is not None and after["name"] else number(1)  # `2 x` for `2·x`
            return number(Fraction(token["number"])) * times
        if self.sign("("):
            value = self.sum()
            if not self.sign(")"):
                raise NoFormula(self.text[self.at :])
            return self.indexed(value)
        if not token["name"]:
            raise NoFormula(self.text[self.at :])
        self.at = token.end()
        return self.indexed(self.named(token["name"]))

    def named(self, name: str) -> Expression:
        name = NAMES.get(name, name)
        if name.startswith("drop_"):
            name = f"Dropout[{name[5:].strip('()').replace('1-p', '1 - rate')}]"
        if not self.numbered_norms and re.fullmatch(r"Norm\d", name):
            name = "Norm"
        if name in VARIABLES:
            return self.known.get(name, variable(name))
        if name not in FUNCTIONS and not name.startswith("Dropout["):
            raise NoFormula(name)
        token = self.peek()
        if token is not None and token["index"] and not token["index"].startswith("."):
            self.at = token.end()
            name += token["index"]
        if name == "W":
            self.sign("·")
        if not self.sign("("):
            return call(name, self.item())  # `L x` for `L(x)`
        values = [self.sum()]
        while self.sign(","):
            values.append(self.sum())
        if not self.sign(")"):
            raise NoFormula(self.text[self.at :])
        return call(name, *values)

    def indexed(self, value: Expression) -> Expression:
        while (token := self.peek()) is not None and token["index"]:
            self.at = token.end()
            index = token["index"].replace(" ", "") if token["index"] != "[last token]" else token["index"]
            value = call(INDEX.get(index, index), value)
        return value


def read(text: str, *, numbered_norms: bool = True) -> Expression | None:
    """The formula with which `text` begins; None if there is none.

    `numbered_norms`: whether Norm1 and Norm2 are two functions or spellings of one.
    """
    values = _values(text, numbered_norms)
    return values[-1] if values else None


def _values(text: str, numbered_norms: bool, defines: bool = True) -> list[Expression]:
    """The value of each of its statements; `defines`: whether a name stands for what was assigned to it before."""
    reader = _Reader(text, numbered_norms, defines)
    try:
        reader.formula()
    except (NoFormula, TooMuch, ZeroDivisionError):
        return []
    return reader.values if END.match(text, reader.at) else []


def same(one: str, other: str, *, numbered_norms: bool = True) -> bool:
    """Whether both are formulas, and the same one, coefficients to four digits.

    If `one` is a single statement, `other` may hold it among more.
    """
    wanted = _values(one, numbered_norms)
    if len(wanted) != 1:
        found = _values(other, numbered_norms)[-1:]
    else:
        found = [value for defines in (True, False) for value in _values(other, numbered_norms, defines)]
    return bool(wanted) and any(close(wanted[-1], value, 1e-4) for value in found)
