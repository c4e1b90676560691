"""The gradient experiment on the page: what the shortcuts buy as networks get deeper."""

from __future__ import annotations

from typing import Any

from reports.lab.chart import depth_chart
from reports.lab.page import Curves, Folded, Section, grouped
from reports.lab.tried import tried
from reports.page import Table
from reports.student.evidence import table
from reports.student.gradients import gradients
from reports.text import block
from reports.words import say

LESSONS_SEED = 123
ALIKE = 0.02
MANY = 10.0  # a mean gradient that has grown
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

Found = dict[str, Any]


def gradients_section(found: Found) -> Section:
    """Sentences, the chart of the first layer by depth, the table, and a chart for each depth to unfold."""
    who = "yours" if found["tried"]["own"] else "reference"
    networks = [one for one in found["networks"] if one["who"] == who]
    known = [one for one in networks if one["on"]]
    references = {one["depth"]: one for one in found["networks"] if one["who"] == "reference"}
    series = [
        (say(f"lab.{side}"), [one[key][0] for one in known]) for side, key in (("with", "on"), ("without", "off"))
    ]
    return Section(
        anchor="gradients",
        title=say("lab.gradients"),
        tried=tried(found["tried"]),
        why=say("lab.gradients_why"),
        results=grouped(_results(known, references)),
        stopped=_stopped(networks),
        charts=depth_chart([one["depth"] for one in known], series) if known else (),
        tables=(_table(known, references),) if known else (),
        folded=tuple(folded for one in known for folded in _by_layer(one)),
    )


def _stopped(networks: list[Found]) -> tuple[str, ...]:
    """What kept networks from being tried: once, where it is the same for all."""
    reasons = [one["stopped"] for one in networks]
    if all(reasons) and len(set(reasons)) == 1:
        return (block(reasons[0]),)
    told = [(one["depth"], block(one["stopped"])) for one in networks if one["stopped"]]
    return tuple(say("lab.depth_stopped", depth=depth, reason=reason) for depth, reason in told)


def _results(known: list[Found], references: dict[int, Found]) -> tuple[str, ...]:
    told = [_buys(one) for one in known]
    deepest = max(known, key=lambda one: one["depth"], default=None)
    if deepest is not None and deepest["on"][-1] and deepest["off"][-1]:
        shares = {side: rounded(deepest[side][0] / deepest[side][-1]) for side in ("on", "off")}
        told.append(say("lab.vanishes", depth=deepest["depth"], **shares))
        if deepest["on"][0] > MANY:
            told.append(say("lab.grows"))
    for one in known:
        reference = references.get(one["depth"])
        if one["who"] == "yours" and reference is not None and not _alike(one, reference):
            times = _times(reference["on"][0], reference["off"][0])
            told.append(say("lab.other", depth=one["depth"], times=times))
        if one["seed"] != LESSONS_SEED:
            told.append(say("lab.seeds", depth=one["depth"], first=LESSONS_SEED, seed=one["seed"]))
    return tuple(told)


def _buys(one: Found) -> str:
    on, off = one["on"][0], one["off"][0]
    if not on:
        return say("lab.buys_none", depth=one["depth"])
    return say("lab.buys" if off else "lab.buys_all", depth=one["depth"], times=_times(on, off))


def _times(on: float, off: float) -> str:
    return rounded(on / off) if off else say("text.no_number")


def rounded(value: float) -> str:
    """Two digits, and a power of ten where there are many: `1,100`, `6.9·10³⁷`."""
    if 1e-3 <= abs(value) < 1e6:
        return f"{float(f'{value:.2g}'):,.12g}"
    digits, _, power = f"{value:.1e}".partition("e")
    return f"{digits}·10{str(int(power)).translate(RAISED)}"


def _alike(one: Found, other: Found) -> bool:
    pairs = [(one[side][0], other[side][0]) for side in ("on", "off")]
    return all(abs(a - b) <= ALIKE * abs(b) for a, b in pairs)


def _table(known: list[Found], references: dict[int, Found]) -> Table:
    columns = [say(f"lab.column_{name}") for name in ("depth", "shortcuts", "first", "middle", "last", "ratio")]
    rows: list[list[object]] = []
    for one in known:
        rows += [_row(one, side, say(f"lab.{side}")) for side in ("off", "on")]
        reference = references.get(one["depth"])
        if one["who"] == "yours" and reference is not None and not _alike(one, reference):
            rows += [_row(reference, side, say(f"lab.reference_{side}")) for side in ("off", "on")]
    return table(say("lab.gradients_table"), columns, rows)


def _row(one: Found, side: str, name: str) -> list[object]:
    values = one[side]
    first, middle, last = values[0], values[len(values) // 2], values[-1]
    return [str(one["depth"]), name, first, middle, last, first / last if last else None]


def _by_layer(one: Found) -> tuple[Folded, ...]:
    caption = say("lab.gradients_by_layer", depth=one["depth"])
    measured = {
        "caption": caption,
        "layers": [say("lab.layer", n=at) for at in range(1, len(one["on"]) + 1)],
        "series": [
            {"name": f"{one['who']}, {say('lab.with')}", "values": one["on"]},
            {"name": f"{one['who']}, {say('lab.without')}", "values": one["off"]},
        ],
    }
    return tuple(
        Folded(f"depth-{one['depth']}", caption, tuple(Curves(chart) for chart in made.charts), made.table)
        for made in gradients(measured)
    )
