"""Where the ink of the bars goes, in SVG coordinates."""

from __future__ import annotations

from collections.abc import Sequence

from reports.classroom.page import Bar, BarChart
from reports.page import Tick
from reports.text import number
from reports.words import count, say

WIDTH, HEIGHT = 720, 280
LEFT, RIGHT, TOP, BOTTOM = 44, 708, 30, 230
GAP = 5
_STEPS = (1, 2, 5)
_MOST_ROWS = 5


def bar_chart(ranges: Sequence[str], numbers: Sequence[int], marks: Sequence[float], told: str, most: str) -> BarChart:
    """One bar for each range of the shares from 0 to 100, and a line at each of `marks` (in percent)."""
    step = _step(max(numbers))
    top = step * max(1, -(-max(numbers) // step))
    wide = (RIGHT - LEFT) / len(numbers)
    across = [LEFT + wide * at for at in range(len(numbers))]
    parts = [
        say("class_page.distribution_bar", range=name, count=count("students", one))
        for name, one in zip(ranges, numbers, strict=True)
        if one
    ]
    return BarChart(
        name=say("class_page.distribution_chart"),
        description=" ".join((told, *parts)),
        width=WIDTH,
        height=HEIGHT,
        left=LEFT,
        right=RIGHT,
        top=TOP,
        bottom=BOTTOM,
        axis=say("class_page.distribution_axis", max=most),
        rows=tuple(Tick(_height(one, top), str(one)) for one in range(0, top + 1, step)),
        columns=tuple(Tick(round(x + wide / 2, 1), name) for x, name in zip(across, ranges, strict=True)),
        bars=tuple(_bar(x, wide, one, top) for x, one in zip(across, numbers, strict=True) if one),
        marks=tuple(
            Tick(round(LEFT + (RIGHT - LEFT) * mark / 100, 1), say("class_page.share", percent=number(mark)))
            for mark in marks
        ),
    )


def _step(most: int) -> int:
    """The smallest of 1, 2, 5, 10, … with which few lines reach the highest bar."""
    tens = 1
    while True:
        for step in _STEPS:
            if step * tens * _MOST_ROWS >= most:
                return step * tens
        tens *= 10


def _bar(x: float, wide: float, value: int, top: int) -> Bar:
    y = _height(value, top)
    return Bar(
        x=round(x + GAP, 1),
        y=y,
        width=round(wide - 2 * GAP, 1),
        height=round(BOTTOM - y, 1),
        middle=round(x + wide / 2, 1),
        number=str(value),
    )


def _height(value: int, top: int) -> float:
    return round(BOTTOM - (BOTTOM - TOP) * value / top, 1)
