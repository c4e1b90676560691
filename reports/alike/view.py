"""From the pairs that were found to the page that shows them."""

from __future__ import annotations

from typing import Any

from reports.alike.page import AlikePage, PairRow, PairView, PartView, SideView
from reports.figures import CodeLine, CodePart
from reports.text import line
from reports.words import count, say

PAIRS = 30
PARTS = 8
LINES = 30
_CHARACTERS = 160
_NAME = 60
_CUT = 10

Part = dict[str, Any]


def alike_view(found: Part, course: str) -> AlikePage:
    """`found` is a `grader.alike.found.Alike` as plain data."""
    pairs = found["pairs"]
    rows = tuple(_row(rank, pair) for rank, pair in enumerate(pairs, 1))
    summary = [count("students", found["students"]), _amount(len(pairs) + found["pairs_left_out"])]
    return AlikePage(
        language="en",
        title=say("alike.title", course=line(course, _NAME)),
        summary=tuple(summary),
        tables=(rows,) if rows else (),
        none=() if rows else (say("alike.none"),),
        notes=_notes(found),
        pairs=tuple(_pair(rank, pair) for rank, pair in enumerate(pairs[:PAIRS], 1)),
    )


def _notes(found: Part) -> tuple[str, ...]:
    notes = [say("alike.least", least=_percent(found["least"]))]
    if found["pairs_left_out"]:
        notes.append(say("alike.pairs_left_out", amount=_amount(found["pairs_left_out"])))
    if len(found["pairs"]) > PAIRS:
        notes.append(say("alike.pairs_not_shown", shown=PAIRS))
    if found["nothing_own"]:
        notes.append(say("alike.nothing_own", students=count("students", found["nothing_own"])))
    if found["cut"]:
        names = [line(name, _NAME) for name in found["cut"][:_CUT]]
        more = len(found["cut"]) - len(names)
        notes.append(say("alike.cut", students=", ".join(names + ([count("more", more)] if more else []))))
    return tuple(notes)


def _row(rank: int, pair: Part) -> PairRow:
    return PairRow(
        rank=str(rank),
        students=_names(pair),
        link=(_anchor(rank),) if rank <= PAIRS else (),
        score=_percent(pair["score"]),
        tokens=f"{pair['tokens']:,}",
        places=str(len(pair["parts"]) + pair["parts_left_out"]),
    )


def _pair(rank: int, pair: Part) -> PairView:
    shown = pair["parts"][:PARTS]
    left_out = len(pair["parts"]) - len(shown) + pair["parts_left_out"]
    return PairView(
        anchor=_anchor(rank),
        title=say("alike.pair", rank=rank, students=_names(pair)),
        amount=say("alike.pair_amount", score=_percent(pair["score"]), tokens=f"{pair['tokens']:,}"),
        parts=tuple(_part(number, pair, part) for number, part in enumerate(shown, 1)),
        notes=(say("alike.parts_left_out", n=left_out),) if left_out else (),
    )


def _part(number: int, pair: Part, part: Part) -> PartView:
    return PartView(
        title=say("alike.part", n=number, tokens=f"{part['tokens']:,}"),
        sides=(_side(pair["one"], part["one"]), _side(pair["other"], part["other"])),
    )


def _side(student: str, side: Part) -> SideView:
    first, last = side["first"], side["last"]
    key = "place" if side["cell"] is None else "place_cell"
    texts = side["lines"][:LINES]
    lines = tuple(
        CodeLine(str(first + at), "row", (CodePart("", line(text.expandtabs(4), _CHARACTERS)),))
        for at, text in enumerate(texts)
    )
    more = last - first + 1 - len(texts)
    return SideView(
        student=line(student, _NAME),
        place=say(f"alike.{key}", file=line(side["file"]), cell=side["cell"], first=first, last=last),
        lines=lines,
        rest=(say("alike.lines_left_out", n=more),) if more > 0 else (),
    )


def _names(pair: Part) -> str:
    return say("alike.names", one=line(pair["one"], _NAME), other=line(pair["other"], _NAME))


def _anchor(rank: int) -> str:
    return f"pair-{rank}"


def _amount(pairs: int) -> str:
    return say("alike.one_pair" if pairs == 1 else "alike.many_pairs", n=f"{pairs:,}")


def _percent(share: float) -> str:
    """Rounded down: 100 % is all of it."""
    return say("alike.percent", n=int(share * 100 + 1e-6))
