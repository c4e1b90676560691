"""Where the ink of a line chart goes: a logarithmic axis, in SVG coordinates."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby, pairwise

from reports.page import Chart, SeriesView, Tick
from reports.text import number
from reports.words import say

WIDTH, HEIGHT = 640, 290
LEFT, TOP, BOTTOM = 68, 18, 246
MOST_SERIES, MOST_COLUMNS, MOST_ROWS = 4, 10, 8
LABEL_CHARACTERS, PIXELS_PER_CHARACTER, LABEL_LINE = 24, 7.0, 15.0

Series = Sequence[tuple[str, Sequence[float | None]]]
Dots = list[tuple[float, float] | None]


def log_chart(caption: str, layers: Sequence[str], series: Series) -> tuple[Chart, ...]:
    """The chart, or none where no value can stand on a logarithmic axis. Values that cannot leave a gap."""
    drawn = series[:MOST_SERIES]
    low, high = _decades(drawn)
    if low >= high:
        return ()
    names = [tuple(part[:LABEL_CHARACTERS] for part in name.split(", ", 1)) for name, _ in drawn]
    right = WIDTH - 26 - round(max(len(part) for name in names for part in name) * PIXELS_PER_CHARACTER)
    step = (right - LEFT - 24) / max(len(layers) - 1, 1)
    across = [round(LEFT + 12 + step * at, 1) for at in range(len(layers))]
    dots = [_dots(across, values, low, high) for _, values in drawn]
    every = math.ceil(len(layers) / MOST_COLUMNS)
    return (
        Chart(
            name=say("page.gradients_chart_name", caption=caption),
            description=" ".join(_sentence(name, layers, values) for name, values in drawn if _drawable(values)),
            width=WIDTH,
            height=HEIGHT,
            left=LEFT,
            right=right,
            bottom=BOTTOM,
            axis=say("page.gradients_axis"),
            rows=_rows(low, high),
            columns=tuple(Tick(across[at], layers[at][:12]) for at in range(0, len(layers), every)),
            series=_series(names, dots),
        ),
    )


def _drawable(values: Sequence[float | None]) -> list[float]:
    return [value for value in values if value is not None and math.isfinite(value) and value > 0]


def _decades(series: Series) -> tuple[int, int]:
    """The powers of ten around all values; (0, 0) when there is none."""
    values = [value for _, values in series for value in _drawable(values)]
    if not values:
        return 0, 0
    low = math.floor(math.log10(min(values)))
    return low, max(math.ceil(math.log10(max(values))), low + 1)


def _height(exponent: float, low: int, high: int) -> float:
    return round(BOTTOM - (exponent - low) / (high - low) * (BOTTOM - TOP), 1)


def _rows(low: int, high: int) -> tuple[Tick, ...]:
    every = math.ceil((high - low) / MOST_ROWS)
    return tuple(Tick(_height(power, low, high), number(10.0**power)) for power in range(low, high + 1, every))


def _dots(across: Sequence[float], values: Sequence[float | None], low: int, high: int) -> Dots:
    return [
        (x, _height(math.log10(value), low, high)) if value is not None and _drawable([value]) else None
        for x, value in zip(across, values, strict=True)
    ]


def _series(names: Sequence[tuple[str, ...]], dots: Sequence[Dots]) -> tuple[SeriesView, ...]:
    ends = [next((dot[1] for dot in reversed(line) if dot), float(BOTTOM)) for line in dots]
    labels = apart(ends, LABEL_LINE * max(len(name) for name in names) + 5)
    return tuple(
        SeriesView(
            index=index,
            name=", ".join(name),
            lines=tuple(
                " ".join(f"{dot[0]},{dot[1]}" for dot in part if dot)
                for drawn, part in groupby(line, key=lambda dot: dot is not None)
                if drawn
            ),
            markers="".join(_marker(index, *dot) for dot in line if dot),
            label_y=labels[index] + 4,
            labels=tuple(Tick(round(labels[index] + 4 + LABEL_LINE * at, 1), part) for at, part in enumerate(name)),
        )
        for index, (name, line) in enumerate(zip(names, dots, strict=True))
    )


def _marker(index: int, x: float, y: float) -> str:
    """A shape of its own for each series, so that colour is never alone: circle, square, triangle, diamond."""
    shapes = (
        "m-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z",
        "m-4,-4h8v8h-8z",
        "m0,-5l5,9h-10z",
        "m0,-5l5,5l-5,5l-5,-5z",
    )
    return f"M{x},{y}{shapes[index]}"


def apart(heights: Sequence[float], gap: float) -> list[float]:
    """The same heights, pushed apart until labels of that height do not touch, and above the axis."""
    order = sorted(range(len(heights)), key=lambda at: heights[at])
    placed = list(heights)
    for above, below in pairwise(order):
        placed[below] = max(placed[below], placed[above] + gap)
    overflow = max(0.0, max(placed) - BOTTOM)
    return [round(height - overflow, 1) for height in placed]


def _sentence(name: str, layers: Sequence[str], values: Sequence[float | None]) -> str:
    return say(
        "page.gradients_series",
        name=name,
        first=number(values[0]),
        first_layer=layers[0],
        last=number(values[-1]),
        last_layer=layers[-1],
    )
