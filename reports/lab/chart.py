"""Where the ink of learning curves goes: shares from 0 to 100 %, a line for the median and a band around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from reports.chart import BOTTOM, HEIGHT, LABEL_LINE, LEFT, PIXELS_PER_CHARACTER, TOP, WIDTH, Series, apart, log_chart
from reports.lab.learned import Spread
from reports.lab.page import Band, Curves
from reports.page import Chart, SeriesView, Tick
from reports.words import say

TICKS = 6  # along the steps
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)


def depth_chart(depths: Sequence[int], series: Series) -> tuple[Curves, ...]:
    """The gradient of the first layer by depth; none where nothing can stand on a logarithmic axis."""
    made = log_chart(say("lab.gradients_first"), [f"{depth:,}" for depth in depths], series)
    return tuple(Curves(replace(chart, axis=say("lab.gradients_axis"))) for chart in made)


def share_chart(every: int, series: Sequence[tuple[str, Spread]]) -> tuple[Curves, ...]:
    """The curves of the copy task; none where nothing was learned by anybody."""
    if not series:
        return ()
    looks = max(len(one.median) for _, one in series)
    right = WIDTH - 26 - round(max(len(name) for name, _ in series) * PIXELS_PER_CHARACTER)
    across = [round(LEFT + (right - LEFT) * at / max(looks - 1, 1), 1) for at in range(looks)]
    labels = apart([_height(one.median[-1]) for _, one in series], LABEL_LINE + 5)
    chart = Chart(
        name=say("lab.copy_task_chart"),
        description=" ".join(_sentence(name, one, every) for name, one in series),
        width=WIDTH,
        height=HEIGHT,
        left=LEFT,
        right=right,
        bottom=BOTTOM,
        axis=say("lab.copy_task_axis"),
        rows=tuple(Tick(_height(share), percent(share)) for share in SHARES),
        columns=tuple(Tick(across[at], f"{at * every:,}") for at in range(0, looks, max(1, (looks - 1) // TICKS))),
        series=tuple(
            SeriesView(
                index=index,
                name=name,
                lines=(_points(across, one.median),),
                markers="",
                label_y=labels[index] + 4,
                labels=(Tick(round(labels[index] + 4, 1), name),),
            )
            for index, (name, one) in enumerate(series)
        ),
    )
    return (Curves(chart, tuple(_band(index, across, one) for index, (_, one) in enumerate(series))),)


def percent(share: float) -> str:
    """As people write it."""
    return f"{100 * share:.0f} %"


def _height(share: float) -> float:
    return round(BOTTOM - share * (BOTTOM - TOP), 1)


def _points(across: Sequence[float], shares: Sequence[float]) -> str:
    return " ".join(f"{x},{_height(share)}" for x, share in zip(across, shares, strict=False))


def _band(index: int, across: Sequence[float], one: Spread) -> Band:
    back = list(zip(across, one.low, strict=False))[::-1]
    return Band(index, _points(across, one.high) + " " + _points([x for x, _ in back], [share for _, share in back]))


def _sentence(name: str, one: Spread, every: int) -> str:
    ends = {"start": percent(one.median[0]), "end": percent(one.median[-1])}
    return say("lab.copy_task_series", name=name, steps=(len(one.median) - 1) * every, **ends)
