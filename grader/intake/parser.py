"""Parses what students wrote, in a process of its own that may be killed at any moment. Nothing is run or imported.

Parsing is not free: 256 KiB of `import a.a.a. …` cost the parser of Python 3.11 a minute and 18 GiB, and a parser may
crash. So `parsing` starts this file by its path, `python -I -S parser.py MEMORY_MIB KEPT_MIB`, and asks line by line:

    {"source": "…", "wanted": ["ResidualAdd", …]}   →   an `outline.Outline` as JSON; if it `is_broken`, little else

Memory is bounded here, and a line that has left more than KEPT_MIB of it in use is the last one that is answered. The
clock is the other side's. This file imports nothing of ours, so that it starts in 40 ms.
"""

from __future__ import annotations

import ast
import hashlib
import io
import json
import os
import sys
import unicodedata
import warnings
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Any

MOST_LOOKALIKES = 20
# Letters of other scripts that are drawn as ASCII letters. Greek alpha, beta, nu and their like are told apart by eye.
_CYRILLIC = dict(zip("аеорсухіјѕԁһӏԛԝАВЕКМНОРСТУХІЈЅԌԚԜ", "aeopcyxijsdhlqwABEKMHOPCTYXIJSGQW", strict=True))
_GREEK_AND_OTHERS = dict(zip("οΑΒΕΖΗΙΚΜΝΟΡΤΥΧϳօսɑɡ", "oABEZHIKMNOPTYXjouag", strict=True))
_DRAWN_AS = str.maketrans(_CYRILLIC | _GREEK_AND_OTHERS)

Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
Function = ast.FunctionDef | ast.AsyncFunctionDef


def main() -> None:
    """Answer until the other side closes, or a source has left too much in memory."""
    most, kept = (int(size) << 20 for size in sys.argv[1:3])
    _bound_memory(most)
    warnings.simplefilter("ignore")
    for line in sys.stdin.buffer:
        request = json.loads(line)
        try:
            answer = look(request["source"], request["wanted"])
        except (RecursionError, MemoryError):
            answer = {"is_broken": True}
        sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n")
        sys.stdout.buffer.flush()
        if _size() > kept:
            return


def _bound_memory(size: int) -> None:
    """Refuse to grow beyond `size` bytes, where the system can, and be the first to go when memory runs out anyway."""
    with suppress(OSError), open("/proc/self/oom_score_adj", "w") as score:
        score.write("1000")
    try:
        import resource
    except ImportError:  # Windows
        return
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    most = size if hard == resource.RLIM_INFINITY else min(size, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _size() -> int:
    """Bytes of memory in use, as far as the system tells. The most ever used would count what started this process."""
    try:
        with open("/proc/self/statm") as pages:
            return int(pages.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def look(source: str, wanted: list[str]) -> dict[str, Any]:
    """What the source binds at its top level; of the wanted classes and functions also how far they are filled in."""
    lookalikes = [] if source.isascii() else list(islice(_lookalikes(source), MOST_LOOKALIKES))
    try:
        module = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {"is_broken": True, "lookalikes": lookalikes}
    statements = list(_statements(module))
    definitions = [one for one in statements if isinstance(one, Definition)]
    return {
        "defines": list(dict.fromkeys(one.name for one in definitions)),
        "classes": list(dict.fromkeys(one.name for one in definitions if isinstance(one, ast.ClassDef))),
        "assigns": sorted({name for one in statements for name in _assigned(one)}),
        "imports": sorted({name for one in statements for name in _imported(one)}),
        "is_empty": not module.body,
        "definitions": {one.name: _definition(one) for one in definitions if one.name in wanted},
        "lookalikes": lookalikes,
    }


# What is bound --------------------------------------------------------------------------------------------------------


def _statements(module: ast.Module) -> Iterator[ast.stmt]:
    """The statements that run on import, in their order: also inside `if`, `try` and `with`, not below `__main__`."""
    waiting: list[ast.AST] = [module]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.stmt):
            yield node
        if isinstance(node, ast.Module | ast.If | ast.Try | ast.With | ast.ExceptHandler) and not _is_main_guard(node):
            inner = (child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt | ast.ExceptHandler))
            waiting.extend(reversed(list(inner)))


def _is_main_guard(node: ast.AST) -> bool:
    if not (isinstance(node, ast.If) and isinstance(node.test, ast.Compare)):
        return False
    sides = [node.test.left, *node.test.comparators]
    return any(isinstance(side, ast.Name) and side.id == "__name__" for side in sides)


def _assigned(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.Assign):
        return [target.id for target in statement.targets if isinstance(target, ast.Name)]
    if isinstance(statement, ast.AnnAssign) and statement.value and isinstance(statement.target, ast.Name):
        return [statement.target.id]
    return []


def _imported(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return [alias.asname or alias.name for alias in statement.names]
    return []


# How far it is filled in ----------------------------------------------------------------------------------------------


def _definition(node: Definition) -> dict[str, Any]:
    body = node.body if isinstance(node, ast.ClassDef) else [node]
    functions = [one for one in body if isinstance(one, Function)]
    return {
        "functions": [{"raises": _raise_in(one), "has_code": _has_code(one)} for one in functions],
        "digest": _digest(node),
    }


def _digest(node: ast.AST) -> str:
    """Equal for the same code; comments and spaces do not count. Empty where it cannot be had."""
    try:
        return hashlib.sha256(ast.dump(node).encode("utf-8", "surrogatepass")).hexdigest()
    except (RecursionError, MemoryError):
        return ""


def _raise_in(function: Function) -> int | None:
    """The line of the first `raise NotImplementedError` among the function's own statements."""
    return next((one.lineno for one in function.body if _raises_not_implemented(one)), None)


def _has_code(function: Function) -> bool:
    return not all(_is_nothing(one) or _raises_not_implemented(one) for one in function.body)


def _raises_not_implemented(statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.Raise):
        return False
    raised = statement.exc.func if isinstance(statement.exc, ast.Call) else statement.exc
    return isinstance(raised, ast.Name) and raised.id == "NotImplementedError"


def _is_nothing(statement: ast.stmt) -> bool:
    """A docstring or another lone constant, `pass`, or `super().__init__()`."""
    if isinstance(statement, ast.Pass):
        return True
    if not isinstance(statement, ast.Expr):
        return False
    return isinstance(statement.value, ast.Constant) or _is_super_init(statement.value)


def _is_super_init(value: ast.expr) -> bool:
    if not (isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "__init__"):
        return False
    owner = value.func.value
    return isinstance(owner, ast.Call) and isinstance(owner.func, ast.Name) and owner.func.id == "super"


# Names that are not what they look like -------------------------------------------------------------------------------


def _lookalikes(source: str) -> Iterator[dict[str, Any]]:
    """Names in code (no text, no comment) that Python reads as an ASCII name, or that only look like one; each once."""
    import tokenize

    seen = set()
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            name = token.string
            if token.type != tokenize.NAME or name.isascii() or name in seen:
                continue
            seen.add(name)
            read = unicodedata.normalize("NFKC", name)
            drawn = read.translate(_DRAWN_AS)
            if drawn.isascii():
                yield {"line": token.start[0], "name": name, "ascii": drawn, "is_read_so": read == drawn}
    except (SyntaxError, tokenize.TokenError, RecursionError, MemoryError):
        return


if __name__ == "__main__":
    main()
