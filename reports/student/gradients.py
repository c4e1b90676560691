"""The gradient that reaches each layer: chart, table, and a sentence for each row of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from reports.chart import log_chart
from reports.page import Gradients
from reports.student.evidence import COLUMNS, ROWS, table
from reports.text import line
from reports.words import say

Values = Sequence[float | None]
WITH, WITHOUT = "with shortcuts", "without shortcuts"
ALIKE = 0.02


def gradients(measured: dict[str, Any]) -> tuple[Gradients, ...]:
    """The gradient that reaches each layer, by series."""
    if not measured.get("layers") or not measured.get("series"):
        return ()
    caption = line(measured.get("caption") or say("page.gradients_caption"))
    layers = [line(layer, 40) for layer in measured["layers"][:ROWS]]
    series = [(line(one["name"], 40), _padded(one["values"], len(layers))) for one in measured["series"][: COLUMNS - 2]]
    columns = [say("page.gradients_layer"), *(name for name, _ in series)]
    rows: list[list[object]] = [[layer, *(values[at] for _, values in series)] for at, layer in enumerate(layers)]
    pairs = _pairs(series)
    if pairs:
        columns.append(say("page.gradients_reading"))
        rows = [[*row, reading(*(_factor(*pair, at) for pair in pairs))] for at, row in enumerate(rows)]
    return (Gradients(log_chart(caption, layers, series), table(caption, columns, rows)),)


def reading(own: float | None, reference: float | None = None) -> str:
    """A row in one sentence: how many times larger the gradient is with shortcuts, and how many it should be."""
    if own is None:
        return say("reading.unknown")
    if own == math.inf:
        return say("reading.only_with")
    told = say("reading.none" if own == 0 else "reading.times", times=_times(own))
    if reference is None or not math.isfinite(reference):
        return say("reading.alone", told=told)
    if abs(own - reference) <= ALIKE * reference:
        return say("reading.right", told=told)
    return say("reading.other" if own else "reading.other_none", told=told, times=_times(reference))


def _pairs(series: Sequence[tuple[str, Values]]) -> list[tuple[Values, Values]]:
    """(with, without) of one network each, the student's first: `yours, with shortcuts`, `yours, without shortcuts`."""
    named = dict(series)
    return [
        (values, named[name.removesuffix(WITH) + WITHOUT])
        for name, values in series
        if name.endswith(WITH) and not name.endswith(WITHOUT) and name.removesuffix(WITH) + WITHOUT in named
    ][:2]


def _factor(on: Values, off: Values, at: int) -> float | None:
    """How many times larger the gradient is with shortcuts; None where the numbers do not say."""
    one, other = on[at], off[at]
    if one is None or other is None or not math.isfinite(one) or not math.isfinite(other):
        return None
    if not other:
        return math.inf if one else None
    return one / other


def _times(factor: float) -> str:
    return f"{float(f'{factor:.2g}'):,.12g}" if factor < 1e6 else f"{factor:.1e}"


def _padded(values: Sequence[float | None], length: int) -> list[float | None]:
    return [*values[:length], *([None] * (length - len(values)))]
