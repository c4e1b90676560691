"""Mistakes in what a forward computes, found along the paths that `flow` read: which expression made the wrong term.

A rule is asked only about a mistake that a check has found by running the code. It gives the expressions that show this
very mistake, in the order in which they run; where the paths do not show it, it gives none.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

from grader.checks.where.branches import Branch, branches, of_kind
from grader.checks.where.flow import Path
from grader.checks.where.terms import JOINS, SUBLAYERS, Part, Term, bare, below

EXTRA = {"act", "linear", "other", "norm"}


# One rule for each mistake --------------------------------------------------------------------------------------------


def missing_skip(branch: Branch) -> Iterator[Term]:
    """The sublayer's call where nothing but itself is added to it."""
    if branch.join is None or all(branch.sub in list(below(arg)) for arg in branch.join.args):
        yield branch.sub


def wrong_skip_tensor(branch: Branch) -> Iterator[Term]:
    """The join that adds something else than what came in."""
    if branch.join is not None and (branch.skip is None or bare(branch.skip) is not bare(branch.base)):
        yield branch.join


def wrong_combine(branch: Branch) -> Iterator[Term]:
    """The join that is no sum."""
    if branch.join is not None and branch.join.kind != "sum":
        yield branch.join


def wrong_scale(branch: Branch) -> Iterator[Term]:
    """The factor, or the second sum with the same tensor."""
    if branch.join is not None and branch.join.kind == "joined":
        yield from (branch.join for _ in of_kind(branch.over, "cut"))
    yield from of_kind((*branch.after, *branch.skipped, *branch.over), "scaled", "product")
    if branch.join is not None and branch.join.kind == "product":
        yield branch.join
    if branch.outer is not None and any(bare(arg) is bare(branch.base) for arg in branch.outer.args):
        yield branch.outer


def dropout_missing(branch: Branch) -> Iterator[Term]:
    """The sublayer whose result is added as it is."""
    if not any(of_kind(branch.after, "drop")):
        yield branch.sub


def missing_norm(branch: Branch) -> Iterator[Term]:
    """The sublayer that gets what is not normalised."""
    if not any(of_kind(branch.before, "norm")):
        yield branch.sub


def double_norm(branch: Branch) -> Iterator[Term]:
    """The norm that comes after another one, or on the sum."""
    norms = list(of_kind(branch.before, "norm"))
    yield from norms[:-1]
    if norms:
        yield from of_kind((*branch.after, *branch.over), "norm")


def extra_op(branch: Branch) -> Iterator[Term]:
    """A step that is no part of the formula, on the branch, on the shortcut or on the sum."""
    yield from of_kind(branch.skipped, *EXTRA)
    yield from of_kind(branch.after, *(EXTRA if branch.sub.kind != "linear" else EXTRA - {"act"}))
    yield from of_kind(branch.over, *EXTRA)


def activation_order(branch: Branch) -> Iterator[Term | Part]:
    """The activation on the sum, or at the wrong end of a sequence."""
    yield from of_kind(branch.over, "act")
    parts = [one for one in branch.sub.part.items if isinstance(one, Part)] if branch.sub.part else []
    kinds = [one.kind for one in parts]
    if kinds[:1] == ["act"]:
        yield parts[0]
    elif kinds.count("linear") > 1 and kinds[-1:] == ["act"] and kinds.count("act") == 1:
        yield parts[-1]


def activation_missing(branch: Branch) -> Iterator[Term | Part]:
    """The sequence without an activation, or the layer that is called without one."""
    part = branch.sub.part
    if part is not None and part.kind == "sequence":
        if not any(isinstance(one, Part) and one.kind == "act" for one in part.items):
            yield part
    elif branch.sub.kind == "linear" and not any(of_kind((*branch.after, *branch.before), "act")):
        yield branch.sub


BY_BRANCH: dict[str, Callable[[Branch], Iterator[Term | Part]]] = {
    "missing-skip": missing_skip,
    "shortcut-flag-ignored": missing_skip,
    "wrong-skip-tensor": wrong_skip_tensor,
    "wrong-combine": wrong_combine,
    "wrong-scale": wrong_scale,
    "missing-dropout": dropout_missing,
    "missing-norm": missing_norm,
    "double-norm": double_norm,
    "extra-op": extra_op,
    "activation-order": activation_order,
    "missing-activation": activation_missing,
    "post-norm": lambda branch: of_kind(branch.over, "norm"),
    "pre-norm": lambda branch: of_kind(branch.before, "norm"),
    "norm-on-output": lambda branch: of_kind(branch.after, "norm"),
    "skip-after-norm": lambda branch: of_kind(branch.skipped, "norm"),
    "dropout-on-sum": lambda branch: of_kind(branch.over, "drop"),
    "dropout-on-skip": lambda branch: of_kind(branch.skipped, "drop"),
    "dropout-wrong-place": lambda branch: of_kind(branch.before, "drop"),
    "silent-broadcast": lambda branch: of_kind((*branch.after, *branch.skipped), "cut"),
    "kwargs-dropped": lambda branch: iter([branch.sub]),
}


# Rules for a whole path -----------------------------------------------------------------------------------------------


def lost_sum(path: Path, found: Sequence[Branch]) -> Iterator[ast.AST]:
    """The return that gives back the branch although the sum was made."""
    if not isinstance(path.result, Term) or not found or path.returned is None:
        return
    used = set(map(id, below(path.result)))
    last = found[-1]
    sums = [term for term in path.made if term.kind in JOINS and id(term) not in used]
    if last.join is None and any(any(arg is path.result for arg in term.args) for term in sums):
        yield path.returned


def lost(path: Path) -> list[Term]:
    """Calls of sublayers that the result does not depend on."""
    if not isinstance(path.result, Term):
        return []
    used = set(map(id, below(path.result)))
    return [term for term in path.made if term.kind in SUBLAYERS and id(term) not in used]


def unused(path: Path, found: Sequence[Branch]) -> Iterator[ast.AST]:
    """Where the sublayer's result is lost: its name is used again, another tensor is returned, else its own call.

    Where a call was made for its shape only: the sum of two equal tensors.
    """
    read = set(map(id, (arg for term in path.made for arg in term.args)))
    for call in lost(path):
        ends = [term for term in path.made if id(term) not in read and any(one is call for one in below(term))]
        given_away = [node for node, old in path.replaced if any(old is end for end in ends)]
        if path.asked_shape(call.node):
            continue
        summed = path.returned is not None and any(of_kind(ends, *JOINS))
        yield from given_away[:1] or ([path.returned] if path.returned is not None and summed else [call.node])
    if isinstance(path.result, Term):
        sums = of_kind(below(path.result), "sum")
        yield from (term.node for term in sums if len({id(bare(arg)) for arg in term.args}) == 1)


def doubled(path: Path, found: Sequence[Branch]) -> Iterator[ast.AST]:
    """The second call of a sublayer: on the result of the first, or beside it."""
    subs = [branch.sub for branch in found]
    for branch in found:
        inner = [sub for sub in subs if sub is branch.base]
        if inner and inner[0].kind == branch.sub.kind and inner[0].part is branch.sub.part:
            yield branch.sub.node
    yield from (term.node for term in lost(path))


def in_place(path: Path, found: Sequence[Branch]) -> Iterator[ast.AST]:
    """What changes the argument."""
    yield from (node for node, term in path.changed if term.kind == "x")


def parallel(path: Path, found: Sequence[Branch]) -> Iterator[ast.AST]:
    """Where the second half reads what came into the first."""
    if len(found) == 2 and bare(found[0].base) is bare(found[1].base):
        second = found[1]
        yield (second.before[-1] if second.before else second.sub).node


def swapped(path: Path, found: Sequence[Branch]) -> Iterator[ast.AST]:
    """The feed forward that runs first."""
    if [branch.half for branch in found] == ["ffn", "attn"]:
        yield found[0].sub.node


def same_sublayer(path: Path, found: Sequence[Branch]) -> Iterator[ast.AST]:
    """The second of two calls of one sublayer."""
    if len(found) == 2 and found[0].sub.part is found[1].sub.part:
        yield found[1].sub.node


def same_norm(path: Path, found: Sequence[Branch]) -> Iterator[ast.AST]:
    """The second call of one norm."""
    norms = [norm for branch in found for norm in of_kind(branch.before, "norm")]
    for number, norm in enumerate(norms):
        if norm.part is not None and any(norm.part is other.part for other in norms[:number]):
            yield norm.node


def attention(path: Path, found: Sequence[Branch]) -> Iterator[ast.AST]:
    """The attention's call."""
    yield from (branch.sub.node for branch in found if branch.sub.kind == "att")


BY_PATH: dict[str, Callable[[Path, Sequence[Branch]], Iterator[ast.AST]]] = {
    "sublayer-unused": unused,
    "sublayer-twice": doubled,
    "inplace-input": in_place,
    "parallel-halves": parallel,
    "swapped-order": swapped,
    "wrong-sublayer": same_sublayer,
    "shared-norm": same_norm,
    "wrong-mask": attention,
    "needless-mask": attention,
    "attention-wrong-axis": attention,
}


def _rank(path: Path) -> tuple[int, int]:
    """How many sublayers of a path are joined with something, and with what came in."""
    joined = [branch for branch in branches(path) if branch.join is not None]
    return len(joined), sum(not any(wrong_skip_tensor(branch)) for branch in joined)


def _is_joined(node: ast.AST, ways: Sequence[Path]) -> bool:
    """Whether the same call is joined with its input along another path."""
    found = [branch for path in ways for branch in branches(path) if branch.sub.node is node]
    return not all(any(missing_skip(branch)) for branch in found)


def _unjoined_returns(ways: Sequence[Path]) -> list[tuple[str | None, ast.AST]]:
    """The return of a path that ends with a sublayer without its shortcut."""
    ends = [(branches(path)[-1:], path.returned) for path in ways]
    return [(last[0].half, node) for last, node in ends if node is not None and last and any(missing_skip(last[0]))]


def shown(tag: str, half: str | None, ways: Sequence[Path]) -> list[ast.AST]:
    """The expressions that show a mistake, those of the half first that is named."""
    if any(path.chosen for path in ways):  # where a shortcut depends on shapes, the path with the most of them counts
        ranks = [_rank(path) for path in ways]
        ways = [path for path, rank in zip(ways, ranks, strict=True) if rank == max(ranks)]
    if tag == "missing-dropout" and not all(any(map(dropout_missing, branches(path))) for path in ways):
        return []  # without it in evaluation mode
    nodes: list[tuple[str | None, ast.AST]] = []
    for path in ways:
        found = branches(path)
        if tag == "missing-skip" and (lost := list(lost_sum(path, found))):
            return lost
        if (by_path := BY_PATH.get(tag)) is not None:
            nodes += [(None, node) for node in by_path(path, found)]
        if (by_branch := BY_BRANCH.get(tag)) is not None:
            nodes += [(branch.half, one.node) for branch in found for one in by_branch(branch)]
    if tag == "missing-skip":
        nodes = [(half, node) for half, node in nodes if not _is_joined(node, ways)] or _unjoined_returns(ways)
    named = [node for label, node in nodes if label == half]
    return named if half in ("attn", "ffn") and named else [node for _, node in nodes]
