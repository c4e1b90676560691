"""From what the experiments found to the page that shows it."""

from __future__ import annotations

from typing import Any

from reports.lab.chart import percent, share_chart
from reports.lab.depth import gradients_section, rounded
from reports.lab.learned import Spread, learned, spread, verdict, when
from reports.lab.page import Folded, LabPage, Section, grouped
from reports.lab.tried import tried
from reports.page import Fact, Link
from reports.student.evidence import table
from reports.text import block
from reports.words import count, say

Found = dict[str, Any]


def lab_view(record: Found) -> LabPage:
    """`record` is a `grader.lab.record.LabRecord` as plain data."""
    sections = tuple(make(record[name]) for name, make in MADE.items() if record.get(name))
    return LabPage(
        language="en",
        title=say("lab.title"),
        note=say("lab.note"),
        links=tuple(Link(section.anchor, section.title) for section in sections),
        sections=sections,
    )


def copy_task_section(found: Found) -> Section:
    """The curves, when each kind of block had learned, and who was faster."""
    curves = {curve["who"]: curve for curve in found["curves"]}
    names = {"yours": say("lab.yours"), "reference": say("lab.reference"), "without": say("lab.twin")}
    drawn = [(names[who], spread(curve["runs"])) for who, curve in curves.items() if curve["runs"]]
    own, twin = curves.get("yours") or curves["reference"], curves.get("without")
    rows = [
        (names[who], learned(when(curve["runs"], found["every"]), found["steps"]), _end(spread(curve["runs"])))
        for who, curve in curves.items()
        if curve["runs"]
    ]
    columns = (say("lab.column_kind"), say("lab.column_learned"), say("lab.column_end"))
    return Section(
        anchor="copy-task",
        title=say("lab.copy_task"),
        tried=tried(found["tried"]),
        why=say("lab.copy_task_why", blocks=count("blocks", found["blocks"]), length=found["length"]),
        results=grouped(tuple(verdict(found, own, twin)) if twin else ()),
        stopped=tuple(
            say("lab.stopped", name=names[who], reason=block(curve["stopped"]))
            for who, curve in curves.items()
            if curve["stopped"] and not (who == "without" and curve["stopped"] == own["stopped"])
        ),
        charts=share_chart(found["every"], drawn),
        tables=(table(say("lab.copy_task_table"), columns, rows),),
        folded=_numbers(found["every"], drawn),
        sparks=tuple(one.median for _, one in drawn),
    )


def _end(one: Spread) -> str:
    return _band(one.median[-1], one.low[-1], one.high[-1])


def _band(middle: float, low: float, high: float) -> str:
    if low == high:
        return percent(middle)
    return say("lab.band", median=percent(middle), low=percent(low), high=percent(high))


def _numbers(every: int, drawn: list[tuple[str, Spread]]) -> tuple[Folded, ...]:
    looks = min((len(one.median) for _, one in drawn), default=0)
    rows = [
        [f"{at * every:,}", *(_band(one.median[at], one.low[at], one.high[at]) for _, one in drawn)]
        for at in range(looks)
    ]
    columns = [say("lab.column_step"), *(name for name, _ in drawn)]
    return (
        (Folded("copy-task-numbers", say("lab.numbers"), (), table(say("lab.copy_task_chart"), columns, rows)),)
        if rows
        else ()
    )


def stack_section(found: Found) -> Section:
    """Shapes, numbers, time and memory of a stack of blocks, and the gradient in each of them."""
    number_of_blocks, gradients = found["blocks"], found["gradients"]
    blocks = count("blocks", number_of_blocks)
    columns = (say("lab.column_block"), say("lab.column_gradient"))
    rows = [(str(at), value) for at, value in enumerate(gradients, 1)]
    stopped = found["stopped"]
    return Section(
        anchor="gpt2",
        title=say("lab.gpt2"),
        tried=tried(found["tried"]),
        why=say("lab.gpt2_why", blocks=blocks, width=found["width"], sublayers=2 * number_of_blocks),
        results=() if stopped else ((*_other_shape(found), _reached(gradients)),),
        stopped=(block(stopped),) if stopped else (),
        facts=() if stopped else (_facts(found),),
        tables=() if stopped else (table(say("lab.gpt2_table"), columns, rows),),
    )


def _other_shape(found: Found) -> tuple[str, ...]:
    return () if list(found["given"]) == list(found["returned"]) else (say("lab.gpt2_other_shape"),)


def _reached(gradients: list[float | None]) -> str:
    missed = sum(not value for value in gradients)
    if missed or not gradients:
        return say("lab.gpt2_missed", blocks=count("blocks", missed))
    first, last = gradients[0] or 0.0, gradients[-1] or 1.0
    return say("lab.gpt2_reached", blocks=count("blocks", len(gradients)), times=rounded(first / last))


def _facts(found: Found) -> tuple[Fact, ...]:
    given, returned = (str(tuple(found[name])) for name in ("given", "returned"))
    memory = found["memory_mib"]
    facts = [
        ("shape", say("lab.gpt2_shapes", given=given, returned=returned)),
        ("finite", say("lab.gpt2_is_finite" if found["finite"] else "lab.gpt2_not_finite")),
        ("parameters", say("lab.gpt2_numbers", count=f"{found['parameters']:,}")),
        ("forward", say("lab.gpt2_seconds", seconds=f"{found['forward_seconds']:.2f}")),
        ("backward", say("lab.gpt2_seconds", seconds=f"{found['backward_seconds']:.2f}")),
    ]
    if memory is not None:
        facts.append(("memory", say("lab.gpt2_mib", mib=f"{memory:,}")))
    return tuple(Fact(say(f"lab.gpt2_{name}"), value) for name, value in facts)


MADE = {"gradients": gradients_section, "copy_task": copy_task_section, "gpt2": stack_section}


def experiments_with(record: Found, lab: Found) -> tuple[Section, ...]:
    """The experiments that were made with a file of this submission, as it was handed in."""
    digests = {file["digest"] for file in record["submission"]["files"]}
    found = [(make, lab.get(name)) for name, make in MADE.items()]
    return tuple(make(one) for make, one in found if one and one["tried"]["digest"] in digests)
