"""Earlier states of a file in which a later statement replaced the class under check, or something that it uses.

The last state counts, as it does in Python. But who had it right before should read which cell was right and which one
replaced it. A state is the file up to the statement that replaces something; the checks then run on it once more.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

import msgspec

from grader.checks.bench import Bench
from grader.checks.where import Code, Place
from grader.checks.where.code import Function, first, last_name, names_in, place, top_level
from grader.model.results import ExerciseResult, Where
from grader.model.submission import Cell, SourceFile, Work

MOST_STATES = 2
MOST_REPLACEMENTS = 50  # that are looked for


@dataclass(frozen=True)
class Earlier:
    """`file` is what stood before `replaced`, where `what` was replaced; the class was complete at `complete`."""

    file: SourceFile
    name: str
    complete: Place
    replaced: Place
    what: str

    @property
    def is_global(self) -> bool:
        """Whether something else than the class was replaced."""
        return self.what.startswith("`")

    def where(self, file: SourceFile) -> Where:
        """The statement that replaced it, in the whole file."""
        cell, line = self.replaced
        source = next(one.source for one in file.cells if one.number == cell)
        return Where.among(source.split("\n"), file.path, cell, line)

    def sentence(self, *, is_right: bool) -> str:
        """For the student."""
        apart = self.complete[0] != self.replaced[0]
        then, now = _named(self.complete, apart=apart), _named(self.replaced, apart=apart)
        verb = "was right" if is_right else "earned more points"
        return f"The `{self.name}` of {then} {verb}; {now} replaced {self.what}."


def _named(at: Place, *, apart: bool) -> str:
    cell, line = at
    if cell is None:
        return f"line {line}"
    return f"code cell {cell}" if apart else f"code cell {cell}, line {line},"


def with_earlier(
    result: ExerciseResult,
    work: Work,
    bench: Bench,
    again: Callable[[Work], ExerciseResult],
) -> ExerciseResult:
    """The result, with a sentence where an earlier state earned more: as a remark, and as the first thing to do.

    `again` runs the checks; where nothing was lost, or nothing was replaced, it is not asked.
    """
    if not result.lost or work.file is None:
        return result
    for state in earlier_states(bench.modules, bench.exercise.defines[0], work.file):
        before = again(msgspec.structs.replace(work, file=state.file, problem=None))
        if before.points > result.points:
            return _told(result, state, work.file, is_right=not before.lost)
    return result


def _told(result: ExerciseResult, state: Earlier, file: SourceFile, *, is_right: bool) -> ExerciseResult:
    kept = ("passed", "needs_review", "grader_error")
    first_lost = next((check for check in result.checks if check.verdict not in kept), None)
    sentence, checks = state.sentence(is_right=is_right), list(result.checks)
    if first_lost is not None:
        where = state.where(file) if is_right and (first_lost.where is None or state.is_global) else first_lost.where
        changed = msgspec.structs.replace(first_lost, hints=(*first_lost.hints, sentence), where=where)
        checks[checks.index(first_lost)] = changed
    return msgspec.structs.replace(result, checks=tuple(checks), remarks=(sentence, *result.remarks))


def earlier_states(modules: Sequence[ast.Module], name: str, file: SourceFile) -> list[Earlier]:
    """The states before the last and before the first replacement; none where nothing was replaced."""
    found = list(islice(_Reader(Code(modules, name)).replacements(modules), MOST_REPLACEMENTS))
    ends = [found[-1], found[0]] if len(found) > 1 else found
    return [Earlier(_cut(file, before), name, complete, place(node, first(node)), what)
            for before, node, complete, what in ends[:MOST_STATES]]  # fmt: skip


def _cut(file: SourceFile, before: ast.stmt) -> SourceFile:
    """The file up to a statement."""
    number, line = place(before, first(before))
    position = next(at for at, cell in enumerate(file.cells) if cell.number == number)
    kept = "\n".join(file.cells[position].source.split("\n")[: line - 1])
    return msgspec.structs.replace(file, cells=(*file.cells[:position], Cell(number, kept + "\n")))


@dataclass
class _Reader:
    """Goes through the statements of a file in their order."""

    code: Code
    bound: set[str] = field(default_factory=set)
    complete: Place | None = None
    members: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)

    def replacements(self, modules: Sequence[ast.Module]) -> Iterator[tuple[ast.stmt, ast.stmt, Place, str]]:
        """(statement of the file, statement in it, where the class was complete before, what was replaced)."""
        for outer in (statement for module in modules for statement in module.body):
            for node in top_level([outer]):
                what = self._replaced(node)
                if what is not None and self.complete is not None:
                    yield outer, node, self.complete, what
                self._take(node)

    def _replaced(self, node: ast.stmt) -> str | None:
        """What a statement replaces of the class, or of what it uses."""
        names = set(_bound_names(node))
        if self.code.name in names:
            return "it"
        for owner, attribute in _set_attributes(node):
            if owner == self.code.name and attribute in self.members:
                return f"its `{attribute}`"
            if owner != self.code.name and attribute in self.used and owner.split(".", 1)[0] in self.bound:
                return f"`{owner}.{attribute}`, which it uses"
        again = sorted(names & self.bound & self.used)
        return f"`{again[0]}`, which it uses" if again else None

    def _take(self, node: ast.stmt) -> None:
        names = set(_bound_names(node))
        self.bound |= names
        if self.code.name in names:
            self.complete, self.members = place(node, first(node)), set()
        if isinstance(node, ast.ClassDef) and node.name == self.code.name:
            self.members = {one.name for one in node.body if isinstance(one, Function)}
            everything = self.code.used([node])
            self.used = {name for tree in everything for name in names_in(tree)}
            self.used |= {one.attr for tree in everything for one in ast.walk(tree) if isinstance(one, ast.Attribute)}
        for owner, attribute in _set_attributes(node):
            if owner == self.code.name:
                self.members.add(attribute)
                self.complete = place(node)


def _bound_names(node: ast.stmt) -> Iterator[str]:
    """Names that a statement of the top level gives a value."""
    if isinstance(node, ast.ClassDef | Function):
        yield node.name
    elif isinstance(node, ast.Import | ast.ImportFrom):
        yield from ((alias.asname or alias.name).split(".", 1)[0] for alias in node.names)
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if node.value is not None else []
        yield from (one.id for target in targets for one in ast.walk(target)
                    if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store))  # fmt: skip


def _set_attributes(node: ast.stmt) -> Iterator[tuple[str, str]]:
    """(`nn`, `LayerNorm`) for `nn.LayerNorm = …` and for `setattr(nn, "LayerNorm", …)`."""
    targets = node.targets if isinstance(node, ast.Assign) else []
    yield from ((ast.unparse(target.value), target.attr) for target in targets if isinstance(target, ast.Attribute))
    call = node.value if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) else None
    if call is not None and last_name(call) == "setattr" and len(call.args) == 3:
        owner, attribute = call.args[:2]
        if isinstance(attribute, ast.Constant) and isinstance(attribute.value, str):
            yield ast.unparse(owner), attribute.value
