"""From source to names: runs a student's file statement by statement, so that one bad line does not lose the rest.

A `.py` file runs from top to bottom, as Python would run it. A notebook runs its definitions (imports, functions,
classes, assignments, `if`, `try`); bare expressions and loops at the top level (training, plots, downloads, prints) are
left out and listed. If a wanted name is then missing, or uses a name that nothing defined, everything runs once.
"""

from __future__ import annotations
import __future__

import ast
import builtins
import dis
import importlib.abc
import importlib.machinery
import linecache
import sys
import traceback
import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from . import messages as m
from .values import readable

DEFINITIONS = (
    ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign,
    ast.AugAssign, ast.If, ast.Try, ast.Pass,
)  # fmt: skip

MOST_WRAPPERS = 10  # decorators around a function

Origin: TypeAlias = tuple[str, int | None]


@dataclass
class Note:
    """Something that happened while loading: `kind` is syntax, raised, skipped or absent (a package)."""

    kind: str
    cell: int | None
    line: int
    text: str

    def as_value(self) -> dict[str, Any]:
        """Plain data for the reply."""
        return {"kind": self.kind, "cell": self.cell, "line": self.line, "text": readable(self.text, m.MAX_TEXT)}


class Absent(types.ModuleType):
    """Stands in for a package that is not installed here: any attribute exists, using one says what is missing."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _AbsentPart(self.__name__)


class _AbsentPart:
    def __init__(self, package: str) -> None:
        self._package = package

    def __getattr__(self, name: str) -> _AbsentPart:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __getitem__(self, item: object) -> _AbsentPart:
        return self

    def __call__(self, *args: object, **kwargs: object) -> object:
        raise ModuleNotFoundError(f"No module named '{self._package}'", name=self._package)

    def __mro_entries__(self, bases: object) -> tuple[type, ...]:
        raise ModuleNotFoundError(f"No module named '{self._package}'", name=self._package)


@dataclass
class Loaded:
    """A module made from a unit."""

    module: types.ModuleType
    notes: list[Note] = field(default_factory=list)


class Loader(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Loads units, and lets the code import the other units of its submission by name.

    It stands last in `sys.meta_path`: a student's `torch.py` shadows nothing.
    """

    def __init__(self, units: Sequence[m.Unit]) -> None:
        self.units = {unit.module: unit for unit in units}
        self.origins: dict[str, Origin] = {}
        self.absent: set[str] = set()

    # -- import of sibling units

    def find_spec(self, name: str, path: object = None, target: object = None) -> importlib.machinery.ModuleSpec | None:
        """A spec for a unit of the submission, else None."""
        return importlib.machinery.ModuleSpec(name, self) if name in self.units else None

    def exec_module(self, module: types.ModuleType) -> None:
        """Run a sibling; its notes are dropped, the first error inside it is raised as in Python."""
        notes: list[Note] = []
        self._run(self.units[module.__name__], module, notes, [])
        if first := next((note for note in notes if note.kind in ("syntax", "raised")), None):
            raise ImportError(f"{self.units[module.__name__].path}, line {first.line}: {first.text}")

    # -- the unit itself

    def load(self, unit: m.Unit, wanted: Sequence[str]) -> Loaded:
        """Run `unit`; never raises for what the student wrote."""
        module = types.ModuleType(unit.module)
        module.__file__ = unit.path
        sys.modules[unit.module] = module
        loaded = Loaded(module)
        self._run(unit, module, loaded.notes, wanted)
        return loaded

    def _run(self, unit: m.Unit, module: types.ModuleType, notes: list[Note], wanted: Sequence[str]) -> None:
        pieces = list(self._parse(unit, notes))
        kept = [piece for piece in pieces if not unit.notebook or isinstance(piece.tree, DEFINITIONS)]
        for piece in kept:
            self._execute(piece, module, notes)
        if len(kept) == len(pieces):
            return
        if wanted and missing_names(module, wanted):
            for piece in pieces:
                self._execute(piece, module, notes)
            return
        skipped = [piece for piece in pieces if piece not in kept and not _is_text(piece.tree)]
        notes += [Note("skipped", piece.cell, piece.tree.lineno, piece.line) for piece in skipped]

    def _parse(self, unit: m.Unit, notes: list[Note]) -> Iterator[_Piece]:
        flags = 0
        for cell, source in unit.cells:
            filename = unit.path if cell is None else f"{unit.path} (code cell {cell})"
            self.origins[filename] = (unit.path, cell)
            lines = source.splitlines(keepends=True)
            linecache.cache[filename] = (len(source), None, lines, filename)
            try:
                tree = ast.parse(source, filename)
            except SyntaxError as error:
                notes.append(Note("syntax", cell, error.lineno or 1, f"{type(error).__name__}: {error.msg}"))
                continue
            except (ValueError, RecursionError, MemoryError) as error:
                notes.append(Note("syntax", cell, 1, f"the source cannot be parsed ({error})"))
                continue
            flags |= _future_flags(tree)
            for statement in tree.body:
                yield _Piece(statement, filename, cell, lines[statement.lineno - 1].strip(), flags)

    def _execute(self, piece: _Piece, module: types.ModuleType, notes: list[Note]) -> None:
        for _ in range(8):  # each turn stands in for one missing package
            try:
                tree = ast.Module([piece.tree], [])
                exec(compile(tree, piece.filename, "exec", piece.flags, dont_inherit=True), module.__dict__)
            except ModuleNotFoundError as error:
                if error.name and self._stand_in(error.name):
                    notes.append(Note("absent", piece.cell, piece.tree.lineno, error.name))
                    continue
                notes.append(self._raised(piece, error))
            except BaseException as error:
                notes.append(self._raised(piece, error))
            return

    def _stand_in(self, name: str) -> bool:
        if name in sys.modules or name in self.units or name in self.absent:
            return False
        self.absent.add(name)
        stand_in = Absent(name)
        stand_in.__path__ = []
        sys.modules[name] = stand_in
        return True

    def _raised(self, piece: _Piece, error: BaseException) -> Note:
        line = next((p.line for p in reversed(self.places(error))), piece.tree.lineno)
        return Note("raised", piece.cell, line, describe(error))

    # -- where an exception came from

    def places(self, error: BaseException) -> list[m.Place]:
        """The student's own lines in a traceback, outermost first, at most the last 20."""
        found = []
        for frame, line in traceback.walk_tb(error.__traceback__):
            origin = self.origins.get(frame.f_code.co_filename)
            if origin is not None:
                found.append(m.Place(*origin, line, readable(frame.f_code.co_name, 100)))
        return found[-20:]

    def place_of(self, function: object) -> tuple[str, int | None, int] | None:
        """File, cell and first line of a function of the student, else None."""
        for _ in range(MOST_WRAPPERS):
            function = getattr(function, "__wrapped__", function)
        code = getattr(function, "__code__", None)
        origin = self.origins.get(code.co_filename) if isinstance(code, types.CodeType) else None
        return (*origin, code.co_firstlineno) if origin and isinstance(code, types.CodeType) else None


@dataclass(frozen=True)
class _Piece:
    tree: ast.stmt
    filename: str
    cell: int | None
    line: str
    flags: int


def describe(error: BaseException) -> str:
    """Type and text of an exception, cut to a bound; a text that cannot be had is left out."""
    try:
        text = readable(str(error), m.MAX_TEXT)
    except BaseException:
        text = "(its text could not be read)"
    name = readable(type(error).__name__, 80)
    return f"{name}: {text}" if text else name


def missing_names(module: types.ModuleType, wanted: Sequence[str]) -> set[str]:
    """Wanted names that are not defined, and names that the wanted classes use but nothing defined."""
    missing = {name for name in wanted if name not in module.__dict__}
    for name in set(wanted) - missing:
        for code in _codes(module.__dict__[name], module.__name__):
            used = {i.argval for i in dis.get_instructions(code) if i.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
            missing |= {n for n in used if n not in module.__dict__ and not hasattr(builtins, n)}
    return missing


def _codes(thing: object, module: str) -> Iterator[types.CodeType]:
    if isinstance(thing, type):
        for member in vars(thing).values():
            yield from _codes(getattr(member, "__func__", member), module)
    elif isinstance(thing, types.FunctionType) and thing.__module__ == module:
        stack = [thing.__code__]
        while stack:
            code = stack.pop()
            yield code
            stack += [const for const in code.co_consts if isinstance(const, types.CodeType)]


def _future_flags(tree: ast.Module) -> int:
    names = [
        alias.name
        for statement in tree.body
        if isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
        for alias in statement.names
    ]
    return sum(getattr(__future__, name).compiler_flag for name in set(names) & set(__future__.all_feature_names))


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
