"""A formula as a student writes it, read as algebra. Nothing of it is evaluated: Python's parser makes a tree of it.

    y = x + F(Norm(x))        out=f( norm(x) ) + x        h = layer_norm(x); x + sublayer(h)

are one formula. Free are: spaces, the letter case, what stands left of `=`, the usual names of a norm and a sublayer,
the signs for a product and a minus, round or square brackets, an index on a name that comes with one index only.
"""

from __future__ import annotations

import ast
import re
import unicodedata
import warnings
from fractions import Fraction
from itertools import accumulate

from grader.quiz.algebra import Expression, TooMuch, call, number, variable

MOST_CHARACTERS = 400
_MOST_DEPTH = 60
_MOST_DIGITS = 12
_SIGNS = str.maketrans(
    {
        **dict.fromkeys("·×⋅∙∗•⊙⊗", "*"),
        **dict.fromkeys("−–—‐‑", "-"),
        **{"÷": "/", "∕": "/", "⊕": "+", "^": "**", "[": "(", "]": ")", "{": "(", "}": ")", "←": "=", "$": " "},
        **dict.fromkeys('`“”„"', " "),
    }
)
_SPELLINGS = {
    **dict.fromkeys(("ln", "layernorm", "layer_norm", "normalize", "normalise", "normalization", "norm_layer"), "norm"),
    **dict.fromkeys(("sublayer", "sub_layer"), "f"),
    **dict.fromkeys(("attn", "att", "attention", "mha", "multiheadattention", "self_attention"), "a"),
    **dict.fromkeys(("drop", "drop_out"), "dropout"),
}
_INDEXED = re.compile(r"([^\W\d]|[^\W\d]\w*?)(?:_?\d+|_[a-z]|_in|_[a-z]_\d+)")
_LATEX_INDEX = re.compile(r"(?<=[^\W_])_\s*[({]([^(){}]*)[)}]")
_LATEX_SIGN = re.compile(r"\\(?:cdot|times|odot)\b")
_LATEX_LOOK = re.compile(r"\\(?:left|right|mathcal|mathrm|mathbf|text|operatorname)(?![a-z])")
_LEFT = re.compile(r"\s*[^\W\d][\w.\u0300-\u036f]*'?\s*(?:\(\s*[\w.]+\s*\))?\s*")
_NAME = re.compile(r"\s*[^\W\d]\w*\s*")
_IMPLIED = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)\s*(?=[^\W\d]|\()|(\))\s*(?=\w)")


class NoFormula(ValueError):
    """Says in a sentence why a text cannot be read as a formula."""


class Formula:
    """A text read as statements; `names` are all that it uses without having given them a value before.

    Raises:
        NoFormula: it is none, or is larger than any answer needs to be.
    """

    def __init__(self, text: str) -> None:
        plain = _plain(text[: MOST_CHARACTERS + 1])
        if len(text) > MOST_CHARACTERS or len(plain) > 2 * MOST_CHARACTERS:
            raise NoFormula(f"It has more than {MOST_CHARACTERS} characters.")
        self._statements = [_statement(one) for one in re.split(r"[;\n]", plain) if one.strip()]
        if not self._statements:
            raise NoFormula("It is empty.")
        nodes = [node for _, tree in self._statements for node in ast.walk(tree)]
        used = _used(self._statements)
        self._plain = _without_index(used)
        self.names = frozenset(_spelled(name, self._plain) for name in used)
        called = {_spelled(_name(node.func), self._plain) for node in nodes if isinstance(node, ast.Call)}
        self.variables = self.names - called

    def value(self, variables: frozenset[str] = frozenset()) -> Expression:
        """What it says; `variables` are names that are no functions, so that t(a) is t·a.

        Raises:
            NoFormula: it has a part that is no algebra, or more of it than any answer needs.
        """
        reader = _Reader(self._plain, variables)
        value = number(0)
        try:
            for name, tree in self._statements:
                value = reader.value(tree)
                reader.known[name] = value
        except TooMuch as problem:
            raise NoFormula(str(problem)) from None
        except ZeroDivisionError:
            raise NoFormula("It divides by zero.") from None
        return value


def same_formula(text: str, other: str) -> bool:
    """Whether `text` says the same as `other`, a formula of ours.

    Raises:
        NoFormula: one of them is none.
    """
    ours = Formula(other)
    return Formula(text).value(ours.variables) == ours.value(ours.variables)


def _plain(text: str) -> str:
    """The text with one sign for each meaning and small letters only."""
    raised = text.replace("²", "**2").replace("³", "**3")
    text = unicodedata.normalize("NFKC", raised).casefold().strip().rstrip(".;,")
    text = _LATEX_SIGN.sub("*", _LATEX_LOOK.sub("", text))
    text = "".join(sign for sign in text if unicodedata.category(sign) != "Cf")
    text = _LATEX_INDEX.sub(lambda found: "_" + re.sub(r"\W+", "_", found[1]), text)
    text = text.translate(_SIGNS).replace(":=", "=").replace("==", "=")
    return re.sub(r"^\s*return\b", "", text, flags=re.MULTILINE)


def _statement(text: str) -> tuple[str, ast.expr]:
    """The name that is given a value, empty where none is, and the tree of that value."""
    *left, right = text.split("=")
    if len(left) == 1 and left[0].rstrip().endswith("+"):  # x += F(x)
        name = left[0].rstrip().removesuffix("+")
        left, right = [name], f"{name} + ({right})"
    elif len(left) == 1 and _NAME.fullmatch(right) and not _LEFT.fullmatch(left[0]):  # x + F(x) = y
        left, right = [right], left[0]
    if not all(_LEFT.fullmatch(one) for one in left):
        raise NoFormula("What stands left of `=` is not one name. Write the name of the result there, or nothing.")
    name = left[-1].strip() if left and _NAME.fullmatch(left[-1]) else ""
    return name, _parsed(right)


def _parsed(text: str) -> ast.expr:
    depths = list(accumulate((sign == "(") - (sign == ")") for sign in text))
    if depths and (depths[-1] or min(depths) < 0):
        raise NoFormula("Its brackets do not match.")
    if max(depths, default=0) > _MOST_DEPTH:
        raise NoFormula("Its brackets are nested too deeply.")
    text = _IMPLIED.sub(lambda found: f"{found[1] or found[2]}*", text)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what Python thinks of a student's number is not our warning
            return ast.parse(f"({text}\n)", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise NoFormula("It is not written as a formula with +, -, *, / and brackets.") from None


def _name(node: ast.expr) -> str:
    """Of a variable or function, empty for anything else; `self.norm` is norm."""
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _used(statements: list[tuple[str, ast.expr]]) -> set[str]:
    """The names of variables and functions that had no value before the statement that uses them."""
    used: set[str] = set()
    defined: set[str] = set()
    for name, tree in statements:
        owners = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        nodes = (node for node in ast.walk(tree) if isinstance(node, ast.expr) and id(node) not in owners)
        used |= {_name(node) for node in nodes} - defined - {""}
        defined.add(name)
    return used


def _without_index(used: set[str]) -> dict[str, str]:
    """Names with an index to those without, where no second name differs from it in the index alone."""
    bases: dict[str, set[str]] = {}
    for name in used:
        match = _INDEXED.fullmatch(name)
        bases.setdefault(match[1] if match else name, set()).add(name)
    return {names.pop(): base for base, names in bases.items() if len(names) == 1}


def _spelled(name: str, plain: dict[str, str]) -> str:
    name = _SPELLINGS.get(name, name)
    name = plain.get(name, name)
    return _SPELLINGS.get(name, name)


class _Reader:
    """Trees to values. `known` holds what was given a name before."""

    def __init__(self, plain: dict[str, str], variables: frozenset[str]) -> None:
        self.plain, self.variables = plain, variables
        self.known: dict[str, Expression] = {}

    def value(self, node: ast.expr, depth: int = 0) -> Expression:
        if depth > _MOST_DEPTH:
            raise NoFormula("It has too many parts.")
        match node:
            case ast.BinOp(left=left, op=op, right=right):
                return self._joined(left, op, right, depth + 1)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self.value(operand, depth + 1)
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                return self.value(operand, depth + 1)
            case ast.Constant(value=int() | float() as constant) if not isinstance(constant, bool):
                return number(_fraction(constant))
            case ast.Name(id=name) | ast.Attribute(attr=name):
                name = name if isinstance(node, ast.Name) else self._attribute(node)
                return self.known[name] if name in self.known else variable(_spelled(name, self.plain))
            case ast.Call(func=ast.Name() | ast.Attribute() as func, args=[_, *_] as arguments, keywords=[]):
                return self._called(func, arguments, depth + 1)
        raise NoFormula("It has a part that is neither a name, a number, a sum, a product nor a function of these.")

    def _joined(self, left: ast.expr, op: ast.operator, right: ast.expr, depth: int) -> Expression:
        if isinstance(op, ast.Pow):
            if isinstance(right, ast.Constant) and type(right.value) is int:
                return self.value(left, depth) ** right.value
            raise NoFormula("It has a power that is not a number.")
        one, other = self.value(left, depth), self.value(right, depth)
        match op:
            case ast.Add():
                return one + other
            case ast.Sub():
                return one - other
            case ast.Mult():
                return one * other
            case ast.Div():
                return one / other
        raise NoFormula("It has a sign other than +, -, *, / and brackets.")

    def _called(self, func: ast.Name | ast.Attribute, arguments: list[ast.expr], depth: int) -> Expression:
        name = _spelled(func.id if isinstance(func, ast.Name) else self._attribute(func), self.plain)
        values = [self.value(argument, depth) for argument in arguments]
        if name in self.variables and len(values) == 1:
            return variable(name) * values[0]
        return call(name, *values)

    def _attribute(self, node: ast.expr) -> str:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            return node.attr
        raise NoFormula("It has a name with more than one dot.")


def _fraction(constant: int | float) -> Fraction:
    told = repr(constant)
    if len(told) > _MOST_DIGITS or "n" in told:  # inf, nan
        raise NoFormula("The numbers in it are too long.")
    return Fraction(told)
