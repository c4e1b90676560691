"""Whether two sources behave alike, decided without the grader: both are run here, on the same parameters and inputs.

For our own files only: they are run in this process. An observation is a table from what was looked at to what was
seen; the names of attributes, the classes of layers and the order of parameters are not looked at.
"""

from __future__ import annotations

import importlib.util
import itertools
import math
import sys
import warnings
import zlib
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from bench.scenes import Counting, Scene

CLOSE = {torch.float64: 1e-8, torch.float32: 1e-4}
ROWS = 1000  # samples where dropout uses its random numbers in another order
SIGMAS = 6.0
Table = dict[str, Any]
Key = tuple[Any, ...]


class Oracle:
    """Compares other sources with one, scene by scene, with random numbers that follow from `seed`."""

    def __init__(self, source: str, main: str, scenes: Iterator[Scene], blocks: Path, seed: int = 0) -> None:
        self._main, self._scenes, self._blocks, self._seed = main, list(scenes), blocks, seed
        self._own = self._load(source)
        self._seen = [self._observed(self._own, scene) for scene in self._scenes]

    def difference(self, source: str) -> str | None:
        """The first thing in which the source behaves differently, or None where there is nothing."""
        try:
            other = self._load(source)
        except Exception as error:
            return f"does not load: {type(error).__name__}"
        found = (self._compared(other, scene, seen) for scene, seen in zip(self._scenes, self._seen, strict=True))
        return next((what for what in found if what is not None), None)

    def _compared(self, other: Any, scene: Scene, wanted: Table) -> str | None:
        first = None
        for order in itertools.count():
            found = self._observed(other, scene, order)
            if order and found == {}:
                return first  # no order of the norms makes them alike
            what = _unlike(wanted, found)
            if what in ("train output", "train gradients") and self._spread_alike(other, scene):
                what = _unlike(*({key: table[key] for key in table if key[:5] != "train"} for table in (wanted, found)))
            if what is None:
                return None
            first = first or what
        raise AssertionError

    def _load(self, source: str) -> Any:
        with _kept_torch(self._seed):
            sys.modules["previous_chapters"] = _module("previous_chapters", self._blocks.read_text(encoding="utf-8"))
            return getattr(_module("mutant", source), self._main)

    def _observed(self, made: Any, scene: Scene, order: int = 0) -> Table:
        with _kept_torch(self._seed):
            try:
                return _observe(made, scene, order)
            except Exception:
                return {} if order else {"raises": True}

    def _spread_alike(self, other: Any, scene: Scene) -> bool:
        """Whether training differs only in which random number is used where: the statistics are alike."""
        with _kept_torch(self._seed):
            pairs = zip(_statistics(self._own, scene), _statistics(other, scene), strict=True)
            return all(bool(((a - b).abs() <= SIGMAS * (e + f) + 1e-8).all()) for (a, e), (b, f) in pairs)


def _module(name: str, source: str) -> Any:
    spec = importlib.util.spec_from_loader(name, loader=None)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    exec(compile(source, f"<{name}>", "exec"), module.__dict__)
    return module


@contextmanager
def _kept_torch(seed: int) -> Iterator[None]:
    """Whatever runs inside, torch's global settings are afterwards as they were, and it says nothing on stderr.

    One thread: the matrices are tiny.
    """
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        torch.set_num_threads(threads)
        torch.set_default_dtype(torch.float32)
        torch.set_grad_enabled(True)


# One observation ------------------------------------------------------------------------------------------------------


def _observe(made: Any, scene: Scene, order: int = 0) -> Table:
    """Everything that is compared; nothing where there are fewer orders than that."""
    given, named = scene.build()
    module = made(*given, **named).to(scene.dtype)
    neighbour = made(*scene.build()[0], **scene.build()[1])
    if order >= _orders(module):
        return {}
    parameters = _randomised(module, order)
    table: Table = {
        "parameters": sorted(tuple(p.shape) for p in module.parameters()),
        "shared parameters": len({id(p) for p in (*module.parameters(), *neighbour.parameters())}),
    }
    x = 1.2 * _normal(scene.shape, scene.dtype) + 0.5
    for mode in ("eval", "train"):
        module.train(mode == "train")
        torch.manual_seed(5)
        plain, leaf = x.clone(), x.clone().requires_grad_()
        table |= {f"{mode} input": plain, f"{mode} output": (output := module(leaf * 1.0, **scene.called_with))}
        if isinstance(output, Tensor):
            table[f"{mode} parameters in use"] = _in_use(output, parameters)
            (output * _normal(output.shape, scene.dtype)).sum().backward()
            table[f"{mode} gradients"] = {"x": leaf.grad} | {k: _taken(p) for k, p in parameters.items()}
        module(plain, **scene.called_with)
    table["second output"] = module.eval()(plain, **scene.called_with)
    table["calls"] = [value.calls for value in (*given, *named.values()) if isinstance(value, Counting)]
    table["configuration"] = [value for value in given if isinstance(value, dict | list)]
    table["global state"] = (torch.get_default_dtype(), torch.is_grad_enabled(), torch.initial_seed())
    return table


def _normal(shape: tuple[int, ...], dtype: torch.dtype, *purpose: object) -> Tensor:
    """Random numbers that depend on what they are for, not on what was drawn before."""
    generator = torch.Generator().manual_seed(zlib.crc32(repr((tuple(shape), purpose)).encode()))
    return torch.randn(tuple(shape), generator=generator, dtype=torch.float64).to(dtype)


def _orders(module: nn.Module) -> int:
    """In how many ways norms, which hold vectors only, may change places: their names mean nothing."""
    return math.factorial(min(3, sum(_is_norm(_signature(part)) for part in module.modules())))


def _signature(part: nn.Module) -> Key:
    return tuple(tuple(p.shape) for p in part.parameters(recurse=False))


def _is_norm(signature: Key) -> bool:
    return bool(signature) and all(len(shape) == 1 for shape in signature)


def _randomised(module: nn.Module, order: int) -> dict[Key, nn.Parameter]:
    """Every parameter, drawn by the shapes of its layer and by which of such layers it belongs to, under that key."""
    places: dict[Key, list[nn.Module]] = defaultdict(list)
    for part in module.modules():
        places[_signature(part)].append(part)
    made: dict[Key, nn.Parameter] = {}
    for signature, parts in places.items():
        permutations = itertools.permutations(parts) if _is_norm(signature) else iter([parts])
        for which, part in enumerate(next(itertools.islice(permutations, order, None), parts)):
            made |= {(signature, which, nth): p for nth, p in enumerate(part.parameters(recurse=False))}
    with torch.no_grad():
        for key, parameter in made.items():
            noise = _normal(parameter.shape, parameter.dtype, key)
            parameter.copy_(noise / parameter.shape[-1] ** 0.5 if parameter.dim() > 1 else 1 + 0.5 * noise)
    return made


def _taken(parameter: nn.Parameter) -> Tensor:
    """Its gradient, which is forgotten then; none is as good as zero."""
    gradient, parameter.grad = parameter.grad, None
    return torch.zeros_like(parameter) if gradient is None else gradient


def _in_use(output: Tensor, parameters: dict[Key, nn.Parameter]) -> dict[Any, int]:
    """How many of the leaves of the graph are parameters of the module, and how many are others."""
    known, counts = {id(p) for p in parameters.values()}, {True: 0, False: 0}
    seen, todo = set(), [output.grad_fn]
    while todo:
        node = todo.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        if (variable := getattr(node, "variable", None)) is not None:
            counts[id(variable) in known] += 1
        todo += [after for after, _ in node.next_functions]
    return counts


def _statistics(made: Any, scene: Scene) -> Iterator[tuple[Tensor, Tensor]]:
    """Moments over many rows that get the same input in training, each with its standard error."""
    given, named = scene.build()
    module = made(*given, **named).to(torch.float64).train()
    _randomised(module, 0)
    x = 1.2 * _normal(scene.shape, torch.float64) + 0.5
    output = module(x[:1].expand(ROWS, *x.shape[1:]).clone(), **scene.called_with).detach()
    for moment in (output, output**2, output * output.roll(1, -1), output * output.roll(1, 1)):
        yield moment.mean(0), moment.std(0) / ROWS**0.5


# Comparing ------------------------------------------------------------------------------------------------------------


def _unlike(wanted: Table, found: Table) -> str | None:
    """The first entry that differs."""
    if wanted.keys() != found.keys():
        return "raises" if "raises" in found else "; ".join(sorted(map(str, wanted.keys() ^ found.keys())))
    return next((key for key, value in wanted.items() if not _same(value, found[key])), None)


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(value, other[key]) for key, value in one.items())
    if isinstance(one, Tensor) and isinstance(other, Tensor):
        alike = one.shape == other.shape and one.dtype == other.dtype
        return alike and bool(((one - other).abs() <= CLOSE[one.dtype]).all())
    return type(one) is type(other) and not isinstance(one, Tensor) and bool(one == other)
